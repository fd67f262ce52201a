package cli

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
)

// filled is a copy of a document in which every list and map is there: a reader that goes over a list need not ask
// whether it is null, and the schema says array. What writes its own JSON is left alone.
func filled(doc any) any { return fill(reflect.ValueOf(doc)).Interface() }

func fill(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() || writesItself(v.Type()) {
			return v
		}
		inner := fill(v.Elem())
		if v.Kind() == reflect.Interface {
			return inner
		}
		p := reflect.New(inner.Type())
		p.Elem().Set(inner)
		return p
	case reflect.Struct:
		return fillStruct(v)
	case reflect.Slice:
		return fillSlice(v)
	case reflect.Map:
		if v.IsNil() {
			return reflect.MakeMap(v.Type())
		}
		if plain(v.Type().Elem()) {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, key := range v.MapKeys() {
			out.SetMapIndex(key, fill(v.MapIndex(key)))
		}
		return out
	}
	return v
}

func fillStruct(v reflect.Value) reflect.Value {
	t := v.Type()
	if writesItself(t) {
		return v
	}
	out := reflect.New(t).Elem()
	out.Set(v)
	for i := range t.NumField() {
		if f := out.Field(i); f.CanSet() && !strings.Contains(t.Field(i).Tag.Get("json"), ",omitzero") {
			f.Set(fill(f))
		}
	}
	return out
}

func fillSlice(v reflect.Value) reflect.Value {
	switch {
	case writesItself(v.Type()) || v.Type().Elem().Kind() == reflect.Uint8:
		return v
	case v.IsNil():
		return reflect.MakeSlice(v.Type(), 0, 0)
	case plain(v.Type().Elem()):
		return v
	}
	out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		out.Index(i).Set(fill(v.Index(i)))
	}
	return out
}

// plain reports a type that can hold no list.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Struct, reflect.Slice, reflect.Map:
		return writesItself(t)
	}
	return true
}

func writesItself(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && (t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]()))
}
