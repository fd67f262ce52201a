package doctest

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/connector/all"
	"github.com/assay-eval/assay/connector/bm25/analyze"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/internal/shared"
)

const (
	generatedFrom = "<!-- generated: go test ./internal/doctest -run TestReference -update -->\n"
	generatedTo   = "<!-- end of generated -->\n"
)

// TestReference holds docs/configuration.md to the code: every key of assay.yaml from the structs that the decoder
// fills, every setting of a retriever from the structs that the connectors read.
func TestReference(t *testing.T) {
	repo, err := shared.Repo()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(repo, "docs", "configuration.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), generatedFrom)
	old, after, closed := strings.Cut(rest, generatedTo)
	if !found || !closed {
		t.Fatalf("%s has no generated part", path)
	}
	now := reference()
	if diff := cmp.Diff(old, now); diff != "" && !*update {
		t.Fatalf("configuration.md is not what the code says (-file +code); -update writes it\n%s", diff)
	}
	if err := os.WriteFile(path, []byte(before+generatedFrom+now+generatedTo+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

func reference() string {
	var b strings.Builder
	defaults := config.Default()
	defaults.Corpus = &config.Corpus{Chunk: config.DefaultChunk}
	keyTable(&b, "Top level", "", reflect.ValueOf(*defaults))
	for _, s := range []struct {
		title, prefix string
		of            any
	}{
		{"Corpus", "corpus.", *defaults.Corpus},
		{"Models", "models.NAME.", config.Model{}},
		{"Systems", "systems.NAME.", config.System{K: config.DefaultK}},
		{"Generate", "generate.", defaults.Generate},
		{"Judge", "judge.", defaults.Judge},
		{"Label", "label.", defaults.Label},
		{"Run", "run.", defaults.Run},
		{"Gate", "gate.", defaults.Gate},
	} {
		keyTable(&b, s.title, s.prefix, reflect.ValueOf(s.of))
	}
	b.WriteString("## Retrievers\n\nThe keys below `systems.NAME.retriever`, by `kind`. `assay stores KIND` prints the same.\n\n")
	for _, k := range all.Kinds() {
		fmt.Fprintf(&b, "### kind: %s\n\n%s. Verified against: %s.\n\n| key | type | default | meaning |\n| --- | --- | --- | --- |\n", k.Name, capital(k.Help), or(k.Verified, "nothing, unverified"))
		for _, o := range k.Options {
			def, meaning := code(o.Default), o.Help
			if o.Required {
				def = "required"
			}
			row(&b, code(o.Name), o.Type, def, meaning+among(o.Values, meaning))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "Analyzers of bm25: %s.\n\n", code(strings.Join(analyze.Names(), "`, `")))
	return b.String()
}

// keyTable writes the keys of a struct, and of those it holds that are no section of their own.
func keyTable(b *strings.Builder, title, prefix string, v reflect.Value) {
	fmt.Fprintf(b, "## %s\n\n| key | type | default | meaning |\n| --- | --- | --- | --- |\n", title)
	keyRows(b, prefix, v)
	b.WriteString("\n")
}

func keyRows(b *strings.Builder, prefix string, v reflect.Value) {
	for i := range v.NumField() {
		tag, value := v.Type().Field(i).Tag, v.Field(i)
		key := tag.Get("key")
		switch {
		case key == ",inline":
			keyRows(b, prefix, value)
			continue
		case key == "" || strings.HasPrefix(key, ",") || key == "-":
			continue
		}
		def, meaning := defaultOf(value), tag.Get("doc")
		if tag.Get("required") == "true" {
			def = "required"
		}
		meaning += among(strings.Split(tag.Get("enum"), ","), meaning)
		row(b, code(prefix+key), typeOf(value.Type()), def, meaning)
		if t := deref(value.Type()); t.Kind() == reflect.Struct && prefix != "" && t != reflect.TypeFor[secret.Ref]() {
			if value.Kind() == reflect.Pointer {
				value = reflect.Zero(t)
			}
			keyRows(b, prefix+key+".", value)
		}
	}
}

// among lists the only values allowed, unless the meaning names them all.
func among(values []string, meaning string) string {
	for _, v := range values {
		if !strings.Contains(meaning, v) {
			return ": " + code(strings.Join(values, "`, `"))
		}
	}
	return ""
}

func row(b *strings.Builder, cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "|", `\|`)
	}
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

func deref(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func typeOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return "duration"
	case reflect.TypeFor[secret.Ref]():
		return "secret"
	case reflect.TypeFor[config.Workers]():
		return "`auto` or integer"
	}
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return "list"
		}
		return "mapping of names"
	case reflect.Map, reflect.Struct, reflect.Pointer:
		return "mapping"
	}
	return "integer"
}

// defaultOf is the value that a key has when the file does not give it.
func defaultOf(v reflect.Value) string {
	switch {
	case v.Type() == reflect.TypeFor[config.Workers]():
		return "`auto`"
	case v.IsZero() || v.Kind() == reflect.Struct || v.Kind() == reflect.Pointer:
		return ""
	case v.Type() == reflect.TypeFor[time.Duration]():
		return code(v.Interface().(time.Duration).String())
	}
	return code(strings.Trim(strings.ReplaceAll(fmt.Sprint(v.Interface()), " ", ", "), "[]"))
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
