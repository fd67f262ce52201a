package compare

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// Input is what is compared and what is known about it.
type Input struct {
	Measures []measure.Measure // the first is the headline
	Sides    []Side            // two or more; the first is the one the others are held against
	// Query is a query of the test set. Its source document says which queries are resampled together, its weight
	// what it counts. Nil where only ids are known.
	Query func(id string) (q assay.Query, ok bool)
	// Gold names what is relevant to a query, in short. Nil where it is not known.
	Gold func(id string) []string
	// Strata cuts queries into parts that are looked at apart. Nil for none.
	Strata func([]assay.Query) []Layer
	Options
}

// Layer is one part of the queries.
type Layer struct {
	Facet   string // what they have in common: tag, filter, length, leakage
	Value   string // which of it
	Queries []string
}

// Options steer a comparison. The zero value is the recommended setting.
type Options struct {
	// Intersection allows sides with different queries and compares those that all have.
	Intersection bool
	// Moves is how many of the largest moves are kept of each pair; 0 means 10, below 0 none.
	Moves int
	// Stats steers intervals and tests. Its Range is ignored: every measure has its own.
	Stats stats.Options
}

// DefaultMoves is how many moves are kept when Options does not say.
const DefaultMoves = 10

// settings are the options with their defaults, as a Result states them.
func (o *Options) settings() Settings {
	or := func(v, def int) int {
		if v == 0 {
			return def
		}
		return v
	}
	s := Settings{Confidence: o.Stats.Confidence, Power: o.Stats.Power, Flips: or(o.Stats.Flips, stats.DefaultFlips),
		Draws: or(o.Stats.Draws, stats.DefaultDraws), Seed: o.Stats.Seed}
	if s.Confidence == 0 {
		s.Confidence = stats.DefaultConfidence
	}
	if s.Power == 0 {
		s.Power = stats.DefaultPower
	}
	return s
}

func (in *Input) check() error {
	if len(in.Sides) < 2 {
		return assay.Usagef("a comparison takes two runs or more, not %d", len(in.Sides))
	}
	if len(in.Measures) == 0 {
		return assay.Usagef("no measure to compare by")
	}
	for i := range in.Sides {
		s := &in.Sides[i]
		for j := range s.Queries {
			if q := &s.Queries[j]; q.Scored() && len(q.Values) != len(in.Measures) {
				return fmt.Errorf("compare: query %s of %s has %d values for %d measures", q.ID, s.Name, len(q.Values), len(in.Measures))
			}
		}
	}
	return nil
}

// query is what is known of a query, at least its id.
func (in *Input) query(id string) assay.Query {
	if in.Query != nil {
		if q, ok := in.Query(id); ok {
			return q
		}
	}
	return assay.Query{ID: id}
}
