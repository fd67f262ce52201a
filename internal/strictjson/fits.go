package strictjson

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
)

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// fits checks the keys of a decoded reply against a Go type, in both directions and by their exact
// spelling: encoding/json would take "Grade" for "grade" and leave a missing grade at 0. Values are left
// to encoding/json.
func fits(t reflect.Type, v any, at string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if p := reflect.PointerTo(t); p.Implements(jsonUnmarshaler) || p.Implements(textUnmarshaler) {
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		object, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("%s where an object is due%s", kindName(v), in(at))
		}
		return fitsStruct(t, object, at)
	case reflect.Slice, reflect.Array:
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%s where a list is due%s", kindName(v), in(at))
		}
		for i := range list {
			if err := fits(t.Elem(), list[i], fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		object, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("%s where an object is due%s", kindName(v), in(at))
		}
		for _, k := range sortedKeys(object) {
			if err := fits(t.Elem(), object[k], join(at, k)); err != nil {
				return err
			}
		}
	default:
		if v == nil && t.Kind() != reflect.Interface {
			return fmt.Errorf("null where a value is due%s", in(at))
		}
	}
	return nil
}

func fitsStruct(t reflect.Type, object map[string]any, at string) error {
	var known []string
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || f.Anonymous && name == "" || f.Tag.Get("json") == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		known = append(known, name)
		v, present := object[name]
		optional := f.Type.Kind() == reflect.Pointer || slices.ContainsFunc(strings.Split(options, ","),
			func(o string) bool { return o == "omitempty" || o == "omitzero" })
		switch {
		case optional && v == nil:
		case !present:
			return fmt.Errorf("key %q is missing%s", name, in(at))
		default:
			if err := fits(f.Type, v, join(at, name)); err != nil {
				return err
			}
		}
	}
	for _, k := range sortedKeys(object) {
		if !slices.Contains(known, k) {
			return fmt.Errorf("unknown key %q%s", k, in(at))
		}
	}
	return nil
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

func in(at string) string {
	if at == "" {
		return ""
	}
	return " at " + at
}

func kindName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "text"
	case bool:
		return "a truth value"
	case json.Number:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}
