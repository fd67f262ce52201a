package compare

import (
	"fmt"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// LeastStratum is the least number of queries that a stratum is shown with; below it an interval says nothing.
const LeastStratum = 5

// strata compares the headline measure over each part of the queries, and counts the parts that are too small for that.
func (in *Input) strata(m *matched, side int) (out []Stratum, small int, err error) {
	if in.Strata == nil {
		return nil, 0, nil
	}
	c := m.columns(side, 0)
	place := make(map[string]int, len(c.ids))
	queries := make([]assay.Query, len(c.ids))
	for i, id := range c.ids {
		place[id], queries[i] = i, in.query(id)
	}
	def := in.Measures[0].Definition()
	opts := in.Stats
	opts.Range = stats.Interval{}
	if def.Bounded() {
		opts.Range = stats.Interval{Lo: def.Range.Min, Hi: def.Range.Max}
	}
	// Strata are many and only looked at: fewer flips than a verdict takes.
	opts.Flips = stratumFlips
	for _, l := range in.Strata(queries) {
		var part columns
		for _, id := range l.Queries {
			if i, ok := place[id]; ok {
				part.a, part.b, part.ids = append(part.a, c.a[i]), append(part.b, c.b[i]), append(part.ids, id)
			}
		}
		if n := len(part.ids); n < LeastStratum {
			small += min(n, 1) // a part of which nothing was compared is none
			continue
		}
		found, err := stats.ComparePaired(part.b, part.a, Design(part.ids, in.Query), opts)
		if err != nil {
			return nil, 0, fmt.Errorf("compare %s %s: %w", l.Facet, l.Value, err)
		}
		var s Measured
		s.take(&found, def)
		out = append(out, Stratum{Facet: l.Facet, Value: l.Value, N: len(part.ids), MeanA: *s.MeanA, MeanB: *s.MeanB, Diff: s.Diff,
			Interval: s.Interval, Wins: s.Wins, Ties: s.Ties, Losses: s.Losses})
	}
	return out, small, nil
}

const stratumFlips = 10_000

// hasValue reports whether the headline has a value on both sides.
func hasValue(a, b *Query) bool { return !math.IsNaN(a.Values[0]) && !math.IsNaN(b.Values[0]) }
