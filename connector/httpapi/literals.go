package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/internal/secret"
)

// example is an input to try templates with; in place of the secrets stands awkward text as well.
func (s Settings) example() input {
	in := input{Query: awkward, K: 7, Vector: []float32{0.25, -1}, Filter: &assay.Filter{Field: "lang", Eq: "d\"e"}, Secrets: map[string]string{}}
	for name := range s.Secrets {
		in.Secrets[name] = awkward
	}
	return in
}

// literals finds the secrets that are written out in the request: as the value of a parameter of the URL, or of
// a field of the body, whose name says that it holds one.
func (s Settings) literals(t *template) []option.Problem {
	var bad []option.Problem
	add := func(where, name, write string) {
		bad = append(bad, option.Problem{Option: where, Err: fmt.Errorf("%s: %w: write %s here, and secrets: {NAME: {env: VARIABLE}} beside it", name, secret.ErrLiteral, write)})
	}
	_, query, _ := strings.Cut(s.URL, "?")
	for pair := range splitOutside(query, '&') {
		name, value, _ := strings.Cut(pair, "=")
		if secret.Parameter(name) && value != "" && !strings.Contains(value, "{{") {
			add("url", name, "{{.Secrets.NAME}}")
			break
		}
	}
	if t.body == nil {
		return bad
	}
	if !s.sendsJSON() {
		if name, found := secret.Assigned(s.Body); found {
			add("body", name, "{{.Secrets.NAME}}")
		}
		return bad
	}
	full := s.example()
	for _, in := range []input{full, {Query: awkward, K: 1, Secrets: full.Secrets}} {
		var v any
		if body, err := execute(t.body, in); err == nil && rest.Unmarshal(body, &v) == nil {
			if name := literalField(v, "", secret.Parameter); name != "" {
				add("body", name, "{{json .Secrets.NAME}}")
				break
			}
		} else if name, found := secret.Assigned(s.Body); found { // not JSON yet, which is said beside this
			add("body", name, "{{json .Secrets.NAME}}")
			break
		}
	}
	return bad
}

// literalField is the name of a field that holds a secret and a value that no template put there, "" for none. name
// is the field that holds v, "" for one that is no secret's. A key further down is one of a filter's fields, more
// often than not, so only the top is asked with secret.Parameter.
func literalField(v any, name string, holds func(string) bool) string {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			held := ""
			if holds(key) {
				held = key
			}
			if found := literalField(v[key], held, secret.Name); found != "" {
				return found
			}
		}
	case []any:
		for _, x := range v {
			if found := literalField(x, name, holds); found != "" {
				return found
			}
		}
	case string:
		if v != "" && !strings.Contains(v, awkward) {
			return name
		}
	case json.Number:
		return name
	}
	return ""
}
