package config

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/assay-eval/assay/internal/secret"
)

// Effective is the configuration in force as plain values. A secret is shown as the reference to it.
func (c *Config) Effective() map[string]any {
	m, _ := unordered(effective(reflect.ValueOf(c).Elem())).(map[string]any)
	return m
}

// YAML is the configuration in force as a file that Parse accepts, in the order of the format.
func (c *Config) YAML() (string, error) {
	out, err := yaml.MarshalWithOptions(effective(reflect.ValueOf(c).Elem()), yaml.IndentSequence(true))
	return string(out), err
}

// Settings is one system's part of the configuration in force, as plain values.
func (s System) Settings() map[string]any {
	m, _ := unordered(effective(reflect.ValueOf(s))).(map[string]any)
	return m
}

// Settings is one model's part of the configuration in force, as plain values.
func (m Model) Settings() map[string]any {
	v, _ := unordered(effective(reflect.ValueOf(m))).(map[string]any)
	return v
}

func unordered(v any) any {
	switch v := v.(type) {
	case yaml.MapSlice:
		m := make(map[string]any, len(v))
		for _, item := range v {
			m[fmt.Sprint(item.Key)] = unordered(item.Value)
		}
		return m
	case []any:
		for i := range v {
			v[i] = unordered(v[i])
		}
	}
	return v
}

func effective(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case time.Duration:
		if x == 0 {
			return nil
		}
		return x.String()
	case secret.Ref:
		return refValue(x)
	case Header:
		if x.Text != "" {
			return x.Text
		}
		return refValue(x.Ref)
	case Workers:
		if x == 0 {
			return "auto"
		}
		return int(x)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return effective(v.Elem())
	case reflect.Struct:
		return effectiveStruct(v)
	case reflect.Slice:
		return effectiveSlice(v)
	case reflect.Map:
		out := yaml.MapSlice{}
		for _, k := range sortedKeys(v) {
			out = append(out, yaml.MapItem{Key: k, Value: effective(v.MapIndex(reflect.ValueOf(k)))})
		}
		return nilIfEmpty(out)
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return effective(v.Elem())
	}
	if v.IsZero() && v.Kind() != reflect.Float64 {
		return nil
	}
	return v.Interface()
}

func effectiveStruct(v reflect.Value) any {
	out := yaml.MapSlice{}
	for _, f := range structFields(v) {
		if val := effective(f.value); val != nil {
			out = append(out, yaml.MapItem{Key: f.key, Value: val})
		}
	}
	if rest := restField(v); rest.IsValid() {
		for _, k := range sortedKeys(rest) {
			out = append(out, yaml.MapItem{Key: k, Value: effective(rest.MapIndex(reflect.ValueOf(k)))})
		}
	}
	return nilIfEmpty(out)
}

func effectiveSlice(v reflect.Value) any {
	if v.Type().Elem().Kind() == reflect.Struct {
		out := yaml.MapSlice{}
		for i := range v.Len() {
			name := v.Index(i).FieldByName("Name").String()
			out = append(out, yaml.MapItem{Key: name, Value: effective(v.Index(i))})
		}
		return nilIfEmpty(out)
	}
	var out []any
	for i := range v.Len() {
		out = append(out, effective(v.Index(i)))
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func nilIfEmpty(m yaml.MapSlice) any {
	if len(m) == 0 {
		return nil
	}
	return m
}

func refValue(r secret.Ref) any {
	switch {
	case r.Env != "":
		return yaml.MapSlice{{Key: "env", Value: r.Env}}
	case r.File != "":
		return yaml.MapSlice{{Key: "file", Value: r.File}}
	}
	return nil
}

func sortedKeys(v reflect.Value) []string {
	var out []string
	for _, k := range v.MapKeys() {
		out = append(out, fmt.Sprint(k.Interface()))
	}
	slices.Sort(out)
	return out
}
