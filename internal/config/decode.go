package config

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/secret"
)

// Problem is one thing wrong with a configuration.
type Problem struct {
	Where string // file:line
	Key   string // dotted key
	Text  string
}

func (p Problem) String() string {
	if p.Key == "" {
		return fmt.Sprintf("%s: %s", p.Where, p.Text)
	}
	return fmt.Sprintf("%s: %s: %s", p.Where, p.Key, p.Text)
}

// positions maps dotted keys to where they stand.
type positions map[string]string

func (p positions) where(key string) string {
	for {
		if w, ok := p[key]; ok {
			return w
		}
		i := strings.LastIndexByte(key, '.')
		if i < 0 {
			return p[""]
		}
		key = key[:i]
	}
}

// decoder fills structs from nodes by their `key` tags and collects every problem on the way.
type decoder struct {
	problems []Problem
	places   positions
}

func (d *decoder) problem(n *node, key, format string, args ...any) {
	d.problems = append(d.problems, Problem{n.where, key, fmt.Sprintf(format, args...)})
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	secretType   = reflect.TypeFor[secret.Ref]()
	headerType   = reflect.TypeFor[Header]()
	workersType  = reflect.TypeFor[Workers]()
)

func (d *decoder) decode(n *node, key string, v reflect.Value) {
	d.places[key] = n.where
	switch v.Type() {
	case durationType:
		d.duration(n, key, v)
		return
	case secretType:
		d.secret(n, key, v)
		return
	case headerType:
		d.header(n, key, v)
		return
	case workersType:
		if n.scalar == "auto" {
			v.SetInt(0)
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		d.decode(n, key, v.Elem())
	case reflect.Struct:
		d.structure(n, key, v)
	case reflect.Slice:
		d.slice(n, key, v)
	case reflect.Map:
		d.mapping(n, key, v)
	default:
		d.scalar(n, key, v)
	}
}

func (d *decoder) scalar(n *node, key string, v reflect.Value) {
	want := map[reflect.Kind]string{reflect.String: "text", reflect.Bool: "true or false", reflect.Int: "a whole number",
		reflect.Uint64: "a whole number of at least 0", reflect.Float64: "a number"}[v.Kind()]
	switch s := n.scalar.(type) {
	case string:
		if v.Kind() == reflect.String {
			v.SetString(s)
			return
		}
	case bool:
		if v.Kind() == reflect.Bool {
			v.SetBool(s)
			return
		}
	case int64:
		if d.setInt(v, s) {
			return
		}
	case uint64:
		if v.Kind() == reflect.Uint64 {
			v.SetUint(s)
			return
		}
		if s <= math.MaxInt64 && d.setInt(v, int64(s)) {
			return
		}
	case float64:
		if v.Kind() == reflect.Float64 && !math.IsNaN(s) && !math.IsInf(s, 0) {
			v.SetFloat(s)
			return
		}
	}
	d.problem(n, key, "expected %s, found %s", want, n.describe())
}

func (d *decoder) setInt(v reflect.Value, i int64) bool {
	switch v.Kind() {
	case reflect.Int:
		v.SetInt(i)
	case reflect.Uint64:
		if i < 0 {
			return false
		}
		v.SetUint(uint64(i))
	case reflect.Float64:
		v.SetFloat(float64(i))
	default:
		return false
	}
	return true
}

func (d *decoder) duration(n *node, key string, v reflect.Value) {
	s, ok := n.scalar.(string)
	if ok {
		if dur, err := time.ParseDuration(s); err == nil && dur >= 0 {
			v.SetInt(int64(dur))
			return
		}
	}
	d.problem(n, key, "expected a duration such as 30s or 1m30s, found %s", n.describe())
}

// secret takes {env: NAME} or {file: PATH}; a literal is refused so that it never lands in a repository.
func (d *decoder) secret(n *node, key string, v reflect.Value) {
	ref, err := secret.ParseRef(n.Plain())
	if err != nil {
		d.problem(n, key, "%v", err)
		return
	}
	v.Set(reflect.ValueOf(ref))
}

// header takes text or a secret; a header that carries credentials by its name takes only a secret.
func (d *decoder) header(n *node, key string, v reflect.Value) {
	name := key[strings.LastIndexByte(key, '.')+1:]
	text, isText := n.scalar.(string)
	if isText && !secret.HeaderName(name) {
		v.Set(reflect.ValueOf(Header{Text: text}))
		return
	}
	ref, err := secret.ParseRef(n.Plain())
	if err != nil {
		d.problem(n, key, "%v", err)
		return
	}
	v.Set(reflect.ValueOf(Header{Ref: ref}))
}

func (d *decoder) slice(n *node, key string, v reflect.Value) {
	// Named things are written as a mapping; their order in the file is kept.
	if n.kind == mapNode && v.Type().Elem().Kind() == reflect.Struct {
		out := reflect.MakeSlice(v.Type(), 0, len(n.fields))
		for _, f := range n.fields {
			item := reflect.New(v.Type().Elem()).Elem()
			item.FieldByName("Name").SetString(f.key)
			d.decode(f.value, key+"."+f.key, item)
			out = reflect.Append(out, item)
		}
		v.Set(out)
		return
	}
	if n.kind != listNode || v.Type().Elem().Kind() == reflect.Struct {
		want := "a list"
		if v.Type().Elem().Kind() == reflect.Struct {
			want = "a mapping of names"
		}
		d.problem(n, key, "expected %s, found %s", want, n.describe())
		return
	}
	out := reflect.MakeSlice(v.Type(), len(n.items), len(n.items))
	for i, it := range n.items {
		d.decode(it, fmt.Sprintf("%s[%d]", key, i), out.Index(i))
	}
	v.Set(out)
}

func (d *decoder) mapping(n *node, key string, v reflect.Value) {
	if n.kind != mapNode {
		d.problem(n, key, "expected a mapping, found %s", n.describe())
		return
	}
	out := reflect.MakeMap(v.Type())
	for _, f := range n.fields {
		item := reflect.New(v.Type().Elem()).Elem()
		if item.Kind() == reflect.Interface {
			if plain := f.value.Plain(); plain != nil {
				item.Set(reflect.ValueOf(plain))
			}
			d.notePlaces(f.value, key+"."+f.key)
		} else {
			d.decode(f.value, key+"."+f.key, item)
		}
		out.SetMapIndex(reflect.ValueOf(f.key), item)
	}
	v.Set(out)
}

func (d *decoder) notePlaces(n *node, key string) {
	d.places[key] = n.where
	for _, f := range n.fields {
		d.notePlaces(f.value, key+"."+f.key)
	}
}

func (d *decoder) structure(n *node, key string, v reflect.Value) {
	if n.kind != mapNode {
		if n.kind == scalarNode && n.scalar == nil {
			n = &node{where: n.where, kind: mapNode} // "corpus:" with nothing under it
		} else {
			d.problem(n, key, "expected a mapping, found %s", n.describe())
			return
		}
	}
	fields := structFields(v)
	var known []string
	for _, f := range fields {
		known = append(known, f.key)
	}
	rest := restField(v)
	for _, f := range n.fields {
		i := slices.Index(known, f.key)
		sub := strings.TrimPrefix(key+"."+f.key, ".")
		switch {
		case i >= 0:
			d.decode(f.value, sub, fields[i].value)
			d.checkEnum(f.value, sub, fields[i])
		case rest.IsValid():
			if rest.IsNil() {
				rest.Set(reflect.MakeMap(rest.Type()))
			}
			rest.SetMapIndex(reflect.ValueOf(f.key), reflect.ValueOf(f.value.Plain()))
			d.notePlaces(f.value, sub)
		default:
			d.problems = append(d.problems, Problem{f.where, strings.TrimPrefix(key+"."+f.key, "."),
				"unknown key" + nearest.Suggest(f.key, known)})
		}
	}
	for _, f := range fields {
		if f.required && n.get(f.key) == nil {
			d.problem(n, strings.TrimPrefix(key+"."+f.key, "."), "is missing: %s", f.doc)
		}
	}
}

func (d *decoder) checkEnum(n *node, key string, f structField) {
	if s, ok := n.scalar.(string); ok && len(f.enum) > 0 && !slices.Contains(f.enum, s) {
		d.problem(n, key, "%q is not one of %s%s", s, strings.Join(f.enum, ", "), nearest.Suggest(s, f.enum))
	}
}

type structField struct {
	key      string
	doc      string
	required bool
	enum     []string
	value    reflect.Value
}

// structFields lists the fields that have a key, those of inlined structs included.
func structFields(v reflect.Value) []structField {
	var out []structField
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		key, ok := tag.Lookup("key")
		switch {
		case !ok || key == "-" || key == ",rest":
		case key == ",inline":
			out = append(out, structFields(v.Field(i))...)
		default:
			f := structField{key: key, doc: tag.Get("doc"), required: tag.Get("required") == "true", value: v.Field(i)}
			if e := tag.Get("enum"); e != "" {
				f.enum = strings.Split(e, ",")
			}
			out = append(out, f)
		}
	}
	return out
}

func restField(v reflect.Value) reflect.Value {
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("key") == ",rest" {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

// Plain is the node as ordinary Go values: map[string]any, []any and scalars.
func (n *node) Plain() any {
	switch n.kind {
	case mapNode:
		m := make(map[string]any, len(n.fields))
		for _, f := range n.fields {
			m[f.key] = f.value.Plain()
		}
		return m
	case listNode:
		l := make([]any, len(n.items))
		for i, it := range n.items {
			l[i] = it.Plain()
		}
		return l
	}
	return n.scalar
}
