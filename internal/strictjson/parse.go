// Package strictjson reads a JSON object that a language model wrote.
//
// It is opinionated: what a model says is taken whole or not at all. encoding/json forgives a missing key
// (and leaves a grade at 0), a key twice (the last wins), a key in another case, and its decoder forgives
// what stands behind the object. Each of these is how a reply that answers nothing, or a passage that
// talks to the judge, becomes a number.
package strictjson

import (
	"encoding/json"
	"reflect"

	"github.com/assay-eval/assay/internal/jsonerr"
)

// Parse reads text, which must be one JSON object that has exactly the keys of T, spelled as its tags say.
// A key may be missing or null where T has omitempty, omitzero or a pointer. Nested structs, lists and
// maps are held to the same.
func Parse[T any](text string) (T, error) {
	var v, zero T
	tree, err := Tree(text)
	if err != nil {
		return zero, err
	}
	if err := fits(reflect.TypeFor[T](), tree, ""); err != nil {
		return zero, err
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return zero, jsonerr.Plain(err)
	}
	return v, nil
}
