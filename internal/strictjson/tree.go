package strictjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Tree decodes text, which must be one object and nothing else, refusing a key given twice: of two
// grades in one object, neither can be believed.
func Tree(text string) (map[string]any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	v, err := parseValue(dec, 0)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("it starts with something else than an object")
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more follows the object, from byte %d on", dec.InputOffset())
	}
	if !json.Valid([]byte(text)) { // reading by token forgives a comma too many
		return nil, errors.New("it is not valid JSON")
	}
	return object, nil
}

// maxDepth keeps a reply of nothing but brackets from using up the stack.
const maxDepth = 100

func parseValue(dec *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("it is nested deeper than %d levels", maxDepth)
	}
	t, err := dec.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		object := map[string]any{}
		for dec.More() {
			k, err := dec.Token()
			if err != nil {
				return nil, err
			}
			key, _ := k.(string)
			if _, twice := object[key]; twice {
				return nil, fmt.Errorf("key %q is given twice", key)
			}
			if object[key], err = parseValue(dec, depth+1); err != nil {
				return nil, err
			}
		}
		_, err := dec.Token()
		return object, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := parseValue(dec, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	return t, nil
}
