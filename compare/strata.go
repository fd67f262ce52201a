package compare

import (
	"fmt"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// leastStratum is the least number of queries that a stratum is shown with; below it an interval says nothing.
const leastStratum = 5

// strata compares the headline measure over each part of the queries.
func (in *Input) strata(m *matched, side int) ([]Stratum, error) {
	if in.Strata == nil {
		return nil, nil
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
	var out []Stratum
	for _, l := range in.Strata(queries) {
		var part columns
		for _, id := range l.Queries {
			if i, ok := place[id]; ok {
				part.a, part.b, part.ids = append(part.a, c.a[i]), append(part.b, c.b[i]), append(part.ids, id)
			}
		}
		if len(part.ids) < leastStratum {
			continue
		}
		found, err := stats.ComparePaired(part.b, part.a, Design(part.ids, in.Query), opts)
		if err != nil {
			return nil, fmt.Errorf("compare %s %s: %w", l.Dimension, l.Level, err)
		}
		var s Measured
		s.take(&found, def)
		out = append(out, Stratum{Dimension: l.Dimension, Level: l.Level, N: len(part.ids), MeanA: *s.MeanA, MeanB: *s.MeanB, Diff: s.Diff,
			Interval: s.Interval, Wins: s.Wins, Ties: s.Ties, Losses: s.Losses})
	}
	return out, nil
}

const stratumFlips = 10_000

// hasValue reports whether the headline has a value on both sides.
func hasValue(a, b *Query) bool { return !math.IsNaN(a.Values[0]) && !math.IsNaN(b.Values[0]) }
