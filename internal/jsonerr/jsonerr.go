// Package jsonerr says what is wrong with JSON in the words of JSON. encoding/json names the Go type that a
// value did not fit, which means nothing to somebody who edits a file by hand.
package jsonerr

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Plain rewords an error of encoding/json, also inside the text of others, and gives back what is none as it
// is. Plain(nil) is nil. A reworded error does not wrap err.
func Plain(err error) error {
	var typ *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	var was error
	text := "it ends in the middle"
	switch {
	case errors.As(err, &typ):
		was, text = typ, fmt.Sprintf("%s where %s is due", found(typ.Value), due(typ.Type))
		if at := keys(typ.Field); at != "" {
			text = fmt.Sprintf("%q: %s", at, text)
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		was = io.ErrUnexpectedEOF
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		was = syntax
	default:
		return err
	}
	return errors.New(strings.Replace(err.Error(), was.Error(), text, 1))
}

// keys is the path of a value without the embedded types that encoding/json counts in; they are exported, and
// no key of ours begins with a capital.
func keys(field string) string {
	parts := slices.DeleteFunc(strings.Split(field, "."), func(p string) bool { return p != "" && unicode.IsUpper(rune(p[0])) })
	return strings.Join(parts, ".")
}

// found names a value as encoding/json describes it: a kind, for a number with its digits behind.
func found(value string) string {
	kind, digits, _ := strings.Cut(value, " ")
	switch kind {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	case "number":
		if digits != "" {
			return digits
		}
	}
	return "a " + kind
}

// due names what a Go type is written as. A type that reads itself is known by its parts only, so its kind
// has to do.
func due(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number of at least 0"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	}
	return "another kind of value"
}
