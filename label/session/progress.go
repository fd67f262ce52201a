package session

import (
	"cmp"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// Progress is how far a rater and everybody together are.
type Progress struct {
	Yours     int `json:"yours"`     // answers of the rater that stand
	Left      int `json:"left"`      // items that are still open for the rater, hidden checks not counted
	Elsewhere int `json:"elsewhere"` // of those left, in front of somebody else right now
	Items     int `json:"items"`     // items in the pool
	Done      int `json:"done"`      // items that as many people judged as should
	Disputed  int `json:"disputed"`  // items on which people differ and nobody settled it
}

// Agreement is how far two series of grades of the same items agree.
type Agreement struct {
	Of   string `json:"of"` // two people, or a person and themselves
	With string `json:"with"`
	// Items is how many both graded, Same on how many the grades are equal.
	Items int `json:"items"`
	Same  int `json:"same"`
	// Kappa is Cohen's kappa with quadratic weights and its 95 % interval over queries; absent where all grades are equal.
	Kappa *float64 `json:"kappa,omitempty"`
	Low   float64  `json:"low"`
	High  float64  `json:"high"`
}

// Names that stand for what a rater is compared with.
const (
	Themselves = "themselves" // the same items asked again
	Known      = "adjudicated"
)

// Progress says how far the rater and everybody are.
func (s *Session) Progress(who string) (Progress, error) {
	if err := CheckName(who); err != nil {
		return Progress{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rater(who)
	p := Progress{Yours: len(r.answers), Items: len(s.items)}
	if s.opts.Adjudicate {
		p.Yours = len(r.settled)
	}
	p.Done, p.Disputed = s.done, s.split
	if s.opts.Adjudicate {
		p.Left = s.split
	} else {
		for _, x := range s.items {
			if x.open(r) {
				p.Left++
			}
		}
	}
	for _, other := range s.raters {
		if t := other.current; t != nil && t.item.holder == other && s.wants(t.item, r) && s.taken(t.item, r) {
			p.Elsewhere++
		}
	}
	return p, nil
}

// wants tells whether an item is one that the rater is to judge or to settle.
func (s *Session) wants(x *item, r *rater) bool {
	if s.opts.Adjudicate {
		return x.disputed
	}
	return x.open(r)
}

// Agreement compares every two people, every person with themselves and with what was adjudicated.
func (s *Session) Agreement() []Agreement {
	found := s.comparisons()
	out := make([]Agreement, len(found))
	for i, c := range found {
		out[i] = c.agreement(s.opts.Seed) // resamples, so nobody should wait for it
	}
	return out
}

// comparison is what two series of grades are compared on.
type comparison struct {
	of, with string
	pairs    []pair
}

// pair is two grades of one item.
type pair struct {
	query string
	a, b  assay.Grade
}

func (s *Session) comparisons() []comparison {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []comparison
	add := func(of, with string, pairs []pair) {
		if len(pairs) > 0 {
			out = append(out, comparison{of, with, pairs})
		}
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(s.raters)), func(n string) bool { return n == assay.Adjudicated })
	for i, a := range names {
		add(a, Themselves, s.again(s.raters[a]))
		for _, b := range names[i+1:] {
			add(a, b, s.shared(a, b))
		}
		add(a, Known, s.shared(a, assay.Adjudicated))
	}
	return out
}

// shared are the items that both graded.
func (s *Session) shared(a, b string) []pair {
	var out []pair
	for _, x := range s.items {
		p, q := x.words[a], x.words[b]
		if p != nil && q != nil && p.label.Event == assay.EventGrade && q.label.Event == assay.EventGrade {
			out = append(out, pair{x.Query, p.label.Grade, q.label.Grade})
		}
	}
	return out
}

// again are the items that a rater was asked twice.
func (s *Session) again(r *rater) []pair {
	var out []pair
	for _, x := range s.items {
		first, second := r.first[x], x.words[r.name]
		if first != nil && second != nil && second.label.Event == assay.EventGrade {
			out = append(out, pair{x.Query, first.label.Grade, second.label.Grade})
		}
	}
	return out
}

func (c *comparison) agreement(seed uint64) Agreement {
	n := len(c.pairs)
	a, b, queries := make([]int, n), make([]int, n), make([]string, n)
	out := Agreement{Of: c.of, With: c.with, Items: n, Low: -1, High: 1}
	for i, p := range c.pairs {
		a[i], b[i], queries[i] = p.a, p.b, p.query
		if p.a == p.b {
			out.Same++
		}
	}
	k, err := stats.CohenKappa(a, b, stats.QuadraticWeights, stats.Design{Clusters: queries}, stats.Options{Seed: cmp.Or(seed, 1)})
	if err == nil {
		out.Kappa, out.Low, out.High = k.Value, k.Lo, k.Hi
	}
	return out
}
