package connector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/call"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/option"
)

// Env is what a connector is built with beside its own settings.
type Env struct {
	option.Env
	Retry call.Policy // further tries, from the run's settings
}

// Kind is one kind of retriever: its settings and how to build it.
type Kind struct {
	Name         string             `json:"kind"`
	Help         string             `json:"help"`
	Verified     string             `json:"verified,omitempty"` // what it was tested against; empty means unverified
	Embedded     bool               `json:"embedded,omitempty"` // built by the pipeline over the corpus, not by Open
	Options      []option.Option    `json:"options"`
	Capabilities assay.Capabilities `json:"capabilities"` // at most; a Describer says what one retriever can do

	check func(values map[string]any) []option.Problem
	open  func(values map[string]any, env Env) (assay.Retriever, error)
}

// Checker is implemented by settings whose values can be wrong in ways that a tag cannot say, such as a
// template that does not parse. It is asked once all texts and maps could be read, and must not dial.
type Checker interface {
	Check() []option.Problem
}

// Define makes a Kind whose settings are the tagged struct S. Open is nil for an embedded kind.
func Define[S any](k Kind, open func(settings S, env Env) (assay.Retriever, error)) Kind {
	var s S
	k.Options, k.Embedded = option.Of(&s), open == nil
	k.check = func(values map[string]any) []option.Problem {
		_, problems := decode[S](values, option.Env{})
		return problems
	}
	k.open = func(values map[string]any, env Env) (assay.Retriever, error) {
		if open == nil {
			return nil, fmt.Errorf("%s is built over the corpus and cannot be opened alone", k.Name)
		}
		s, problems := decode[S](values, env.Env)
		if len(problems) > 0 {
			return nil, option.Join(problems)
		}
		return open(s, env)
	}
	return k
}

// Settings decodes and checks the settings of an embedded kind, for whoever builds it. The error, of usage,
// lists every problem.
func Settings[S any](values map[string]any, env option.Env) (S, error) {
	s, problems := decode[S](values, env)
	return s, option.Join(problems)
}

func decode[S any](values map[string]any, env option.Env) (S, []option.Problem) {
	var s S
	problems := option.Decode(values, &s, env)
	c, ok := any(&s).(Checker)
	if !ok || !readable(option.Of(&s), problems) {
		return s, problems
	}
	bad := len(problems)
	for _, p := range c.Check() {
		if !slices.ContainsFunc(problems[:bad], func(o option.Problem) bool { return o.Option == p.Option }) {
			problems = append(problems, p)
		}
	}
	return s, problems
}

// readable reports whether a check of the texts and maps among the settings makes sense beside problems: when none of
// them is about such a setting. Whoever edits a file wants to see all at once.
func readable(options []option.Option, problems []option.Problem) bool {
	for _, p := range problems {
		name, _, _ := strings.Cut(p.Option, ".")
		i := slices.IndexFunc(options, func(o option.Option) bool { return o.Name == name })
		if i < 0 {
			continue // no such option
		}
		switch options[i].Type {
		case "secret", "headers", "secrets", "duration", "number", "integer":
		default:
			return false
		}
	}
	return true
}

// Registry is a list of kinds. It is a value: a test builds its own.
type Registry []Kind

// Kind finds a kind by name. The error names the nearest one that exists.
func (r Registry) Kind(name string) (Kind, error) {
	names := make([]string, len(r))
	for i, k := range r {
		if k.Name == name {
			return k, nil
		}
		names[i] = k.Name
	}
	return Kind{}, assay.Usagef("no retriever is of kind %q%s", name, nearest.Suggest(name, names))
}

// Check reports everything wrong with the settings of a retriever, without building it and without
// fetching secrets. A problem with the kind itself has the option name "kind".
func (r Registry) Check(kind string, values map[string]any) []option.Problem {
	k, err := r.Kind(kind)
	if err != nil {
		return []option.Problem{{Option: "kind", Err: err}}
	}
	return k.check(values)
}

// Open builds a retriever of a kind, wrapped in the Policy that its settings and env ask for. It does not
// dial. Errors are of usage.
func (r Registry) Open(kind string, values map[string]any, env Env) (assay.Retriever, error) {
	k, err := r.Kind(kind)
	if err != nil {
		return nil, err
	}
	return k.open(values, env)
}
