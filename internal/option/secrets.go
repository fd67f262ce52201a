package option

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-eval/assay/internal/secret"
)

// Headers are request headers; those that hold secrets are kept apart so that they are never printed.
type Headers struct {
	Plain  map[string]string
	Secret map[string]secret.Value
}

// Secrets are secrets by the name under which a template asks for them.
type Secrets map[string]secret.Value

// Arguments are a program and what it is called with.
type Arguments []Argument

// Argument is a text, or a secret when Text is empty.
type Argument struct {
	Text   string
	Secret secret.Value
}

// Texts makes Arguments without secrets.
func Texts(texts ...string) Arguments {
	out := make(Arguments, len(texts))
	for i, t := range texts {
		out[i].Text = t
	}
	return out
}

// errShows is the problem of a text in which a secret shows.
var errShows = fmt.Errorf("holds what looks like a secret; %w: name where it lies, as {env: NAME}", secret.ErrLiteral)

// shows reports whether a secret shows in a value or in what it holds.
func shows(raw any) bool {
	switch raw := raw.(type) {
	case string:
		return secret.Shows(raw)
	case []string:
		return slices.ContainsFunc(raw, secret.Shows)
	case []any:
		return slices.ContainsFunc(raw, shows)
	case map[string]any:
		for _, v := range raw {
			if shows(v) {
				return true
			}
		}
	}
	return false
}

// setHeaders takes plain text for ordinary headers; one that carries credentials by its name must say
// where the secret lies.
func setHeaders(h *Headers, option string, raw any, env Env) []Problem {
	m, ok := raw.(map[string]any)
	if !ok {
		return []Problem{{option, fmt.Errorf("needs a map of header names to values, got %s", show(raw))}}
	}
	h.Plain, h.Secret = map[string]string{}, map[string]secret.Value{}
	var problems []Problem
	for _, name := range slices.Sorted(maps.Keys(m)) {
		text, isText := m[name].(string)
		_, isRef := m[name].(map[string]any)
		var err error
		switch {
		case isText && !secret.HeaderName(name):
			h.Plain[name] = text
			if secret.Shows(text) {
				err = errShows
			}
		case !isRef && !secret.HeaderName(name):
			err = fmt.Errorf("needs text, {env: NAME} or {file: PATH}, got %s", show(m[name]))
		default:
			h.Secret[name], err = fetch(m[name], env)
		}
		if err != nil {
			problems = append(problems, Problem{option + "." + name, err})
		}
	}
	return problems
}

// setSecrets takes a map of names to where the secrets lie.
func setSecrets(s *Secrets, option string, raw any, env Env) []Problem {
	m, ok := raw.(map[string]any)
	if !ok {
		return []Problem{{option, errors.New("needs a map of names to {env: NAME} or {file: PATH}")}}
	}
	*s = Secrets{}
	var problems []Problem
	for _, name := range slices.Sorted(maps.Keys(m)) {
		v, err := fetch(m[name], env)
		if err != nil {
			problems = append(problems, Problem{option + "." + name, err})
		}
		(*s)[name] = v // without a value, too: the template that asks for it is right
	}
	return problems
}

// setArguments takes a list of texts and secrets, or one text alone.
func setArguments(a *Arguments, option string, raw any, env Env) []Problem {
	if text, ok := raw.(string); ok {
		raw = []any{text}
	}
	list, ok := raw.([]any)
	if !ok {
		return []Problem{{option, fmt.Errorf("needs a list of texts, got %s", show(raw))}}
	}
	for _, item := range list {
		switch item := item.(type) {
		case string:
			*a = append(*a, Argument{Text: item})
		case map[string]any:
			v, err := fetch(item, env)
			if err != nil {
				return []Problem{{option, err}}
			}
			*a = append(*a, Argument{Secret: v})
		default:
			return []Problem{{option, fmt.Errorf("needs a list of texts, got %s in it", show(item))}}
		}
	}
	return literal(*a, option)
}

// literal finds secrets that are written out among arguments: by their form, and as the value of a flag or a
// variable whose name says what it holds.
func literal(a Arguments, option string) []Problem {
	for i, arg := range a {
		name, found := secret.Assigned(arg.Text)
		if !found && i > 0 && arg.Text != "" && len(a[i-1].Text) > 1 && a[i-1].Text[0] == '-' && arg.Text[0] != '-' && secret.Name(a[i-1].Text) {
			name, found = a[i-1].Text, true
		}
		switch {
		case found:
			return []Problem{{option, fmt.Errorf("%s: %w: write {env: NAME} in place of the argument, or let the program read the variable, as it inherits the environment", name, secret.ErrLiteral)}}
		case secret.Shows(arg.Text):
			return []Problem{{option, errShows}}
		}
	}
	return nil
}

// fetch reads where a secret lies and fetches it, unless only forms are checked.
func fetch(raw any, env Env) (secret.Value, error) {
	ref, err := secret.ParseRef(raw)
	if err != nil || env.Lookup == nil {
		return secret.Value{}, err
	}
	return ref.Resolve(env.Dir, env.Lookup)
}
