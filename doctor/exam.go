package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
)

// Options bound an examination.
type Options struct {
	Sample   int      // chunks, pairs and queries looked at in each place; 0 means DefaultSample
	Seed     uint64   // of the samples
	Only     []string // names of the checks to make; nil for all
	Progress func(done, total int, check string)
}

// DefaultSample is how many chunks and queries are looked at in each place. A fault that one chunk in ten
// has is missed by 25 of them seven times in a hundred.
const DefaultSample = 25

// Examine makes the checks. Faults of the set-up are findings; the error is a canceled context or, of usage,
// a check that does not exist.
func Examine(ctx context.Context, setup *Setup, o Options) (*Report, error) {
	checks, err := choose(o.Only)
	if err != nil {
		return nil, err
	}
	if o.Sample <= 0 {
		o.Sample = DefaultSample
	}
	x := newExam(setup, o)
	for i, c := range checks {
		if o.Progress != nil {
			o.Progress(i, len(checks), c.Name)
		}
		x.check = c
		if err := c.run(ctx, x); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return &Report{Findings: x.findings, Sample: o.Sample, Seed: o.Seed}, nil
}

// choose picks checks by name, in their own order. Reachability is always among them: the others rest on it.
func choose(only []string) ([]Check, error) {
	all := Checks()
	if len(only) == 0 {
		return all, nil
	}
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	for _, n := range only {
		if !slices.Contains(names, n) {
			return nil, assay.WithHint(assay.Usagef("no check is named %q%s", n, nearest.Suggest(n, names)), "assay doctor --list shows them")
		}
	}
	return slices.DeleteFunc(all, func(c Check) bool { return c.Name != reachable.Name && !slices.Contains(only, c.Name) }), nil
}

// exam is an examination under way. What several checks look at is fetched once.
type exam struct {
	setup    *Setup
	opts     Options
	check    Check
	findings []Finding
	down     map[string]bool // subjects that do not answer

	inspections memo[*System, *assay.Inspection]
	listings    memo[any, *listing]
	embeddings  memo[embedKey, embedding]
	vectors     memo[*System, []assay.Chunk]
	comparisons memo[*System, *comparison]
	pairings    memo[*System, *pairing]
}

func newExam(s *Setup, o Options) *exam {
	return &exam{setup: s, opts: o, down: map[string]bool{},
		inspections: memo[*System, *assay.Inspection]{}, listings: memo[any, *listing]{}, embeddings: memo[embedKey, embedding]{},
		vectors: memo[*System, []assay.Chunk]{}, comparisons: memo[*System, *comparison]{}, pairings: memo[*System, *pairing]{}}
}

// memo keeps what a fetch gave, error included: a server that failed once is not asked again by each check.
type memo[K comparable, V any] map[K]func() (V, error)

func (m memo[K, V]) get(key K, fetch func() (V, error)) (V, error) {
	if f, ok := m[key]; ok {
		return f()
	}
	v, err := fetch()
	m[key] = func() (V, error) { return v, err }
	return v, err
}

// add records a finding of the current check.
func (x *exam) add(subject, where string, f Finding) {
	f.Check, f.Subject = x.check.Name, subject
	if f.Status == Fault || f.Status == Warning {
		f.Where = where
		if f.Effect == "" {
			f.Effect = x.check.Effect
		}
	}
	x.findings = append(x.findings, f)
}

// healthy is a finding of nothing wrong.
func healthy(format string, args ...any) Finding {
	return Finding{Status: OK, Found: fmt.Sprintf(format, args...)}
}

// unchecked is the finding that something could not be looked at.
func unchecked(why error) Finding { return Finding{Status: NotChecked, Found: firstLine(why)} }

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// systems makes a check on each system that concerns it; one that does not answer is not checked.
func (x *exam) systems(ctx context.Context, concerns func(*System) bool, f func(context.Context, *System) []Finding) error {
	for _, s := range x.setup.Systems {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case !concerns(s):
			continue
		case x.down[s.subject()]:
			x.add(s.subject(), s.Where, unchecked(errDown))
			continue
		}
		for _, found := range f(ctx, s) {
			x.add(s.subject(), s.Where, found)
		}
	}
	return ctx.Err()
}

// models makes a check on each model in a role.
func (x *exam) models(ctx context.Context, role Role, f func(context.Context, *Model) Finding) error {
	for _, m := range x.setup.Models {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case m.Role != role:
		case x.down[m.subject()]:
			x.add(m.subject(), m.Where, unchecked(errDown))
		default:
			x.add(m.subject(), m.Where, f(ctx, m))
		}
	}
	return ctx.Err()
}

// one makes a check that says one thing of a system out of one that may say several.
func one(f func(context.Context, *System) Finding) func(context.Context, *System) []Finding {
	return func(ctx context.Context, s *System) []Finding { return []Finding{f(ctx, s)} }
}

// live reports that a system has a store of its own.
func live(s *System) bool { return !s.Embedded }
