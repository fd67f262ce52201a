package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// Mean is one measure over the scored queries.
type Mean struct {
	Measure string
	// Value is the mean (for a few measures the geometric mean or the sum) over Scored queries, weighted
	// by Query.Weight where the weights differ. It means nothing when Scored is 0.
	Value float64
	// Unweighted is the plain mean beside a weighted one; else nil.
	Unweighted *float64
	// Summary is the interval and how it was made: Wilson's where all scores are 0 or 1, else BCa, queries
	// of one source document together. It is nil for a sum, a geometric mean and for no queries.
	Summary   *stats.Summary
	Scored    int // queries in it
	Undefined int // scored queries that the measure is not defined for
	// Ceiling is the highest mean that the labels allow, where it is below the top of the range: a
	// recall@1 cannot be 1 when four passages are relevant. Else nil.
	Ceiling *float64
}

// summarize computes the means by gold item and, where every scored query has them, by plain ids.
func (s *scorer) summarize(out *Scored) error {
	// In byte order of the ids, as trec_eval adds up: sums of floats depend on their order.
	rows := make([]*Query, 0, len(s.queries))
	for i := range s.queries {
		if s.queries[i].Status.Scored() {
			rows = append(rows, &s.queries[i])
		}
	}
	slices.SortFunc(rows, func(a, b *Query) int { return cmp.Compare(a.ID, b.ID) })
	var err error
	if out.Means, err = s.means(rows, func(q *Query) []float64 { return q.Values }); err != nil {
		return err
	}
	for i := range out.Means {
		out.Means[i].Ceiling = s.ceiling(rows, i)
	}
	if len(rows) > 0 && !slices.ContainsFunc(rows, func(q *Query) bool { return q.Raw == nil }) {
		out.Raw, err = s.means(rows, func(q *Query) []float64 { return q.Raw })
	}
	return err
}

// means sums up one kind of values.
func (s *scorer) means(queries []*Query, values func(*Query) []float64) ([]Mean, error) {
	rows := make([]measure.Row, len(queries))
	for i, q := range queries {
		rows[i] = q.row(values(q))
	}
	out := make([]Mean, len(s.names))
	for i, plain := range s.measures.Means(rows) {
		out[i] = Mean{Measure: plain.Measure, Value: plain.Value, Scored: plain.Scored, Undefined: plain.Undefined}
	}
	// Measures defined for the same queries share bootstrap draws.
	groups := map[string][]int{}
	var order []string
	for i, m := range s.measures.Measures() {
		d := m.Definition()
		if d.Average != measure.ArithmeticMean || out[i].Scored == 0 {
			continue
		}
		key := fmt.Sprintf("%v %v", d.Range, undefined(rows, i))
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	for _, key := range order {
		if err := s.intervals(queries, rows, groups[key], out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// undefined lists the rows without a value of measure i.
func undefined(rows []measure.Row, i int) []int {
	var out []int
	for j := range rows {
		if _, ok := rows[j].Value(i); !ok {
			out = append(out, j)
		}
	}
	return out
}

// intervals adds the intervals of measures that are defined for the same queries and share a range.
func (s *scorer) intervals(queries []*Query, rows []measure.Row, group []int, out []Mean) error {
	columns := make([][]float64, len(group))
	var index []int
	for c, i := range group {
		columns[c], index = measure.Column(rows, i)
	}
	design := stats.Design{Clusters: make([]string, len(index)), Weights: make([]float64, len(index))}
	weighted := false
	for j, row := range index {
		design.Clusters[j], design.Weights[j] = queries[row].cluster, queries[row].weight
		weighted = weighted || design.Weights[j] != design.Weights[0]
	}
	if !weighted {
		design.Weights = nil
	}
	opts := s.opts.Stats
	opts.Range = stats.Interval{}
	if d := s.measures.Measures()[group[0]].Definition(); d.Bounded() {
		opts.Range = stats.Interval{Lo: d.Range.Min, Hi: d.Range.Max}
	}
	summaries, err := stats.SummarizeAll(columns, design, opts)
	if err != nil {
		return fmt.Errorf("intervals: %w", err)
	}
	for c, i := range group {
		out[i].Summary = &summaries[c]
		if weighted {
			plain := out[i].Value
			out[i].Value, out[i].Unweighted = summaries[c].Mean, &plain
		}
	}
	return nil
}

// ceiling is the mean of what the labels allow at best, nil where that is all the range allows.
func (s *scorer) ceiling(queries []*Query, i int) *float64 {
	d := s.measures.Measures()[i].Definition()
	if !d.Bounded() || d.Average != measure.ArithmeticMean || d.Direction != measure.HigherIsBetter {
		return nil
	}
	sum, weights := 0.0, 0.0
	for _, q := range queries {
		if c := q.facts.ceilings[i]; !math.IsNaN(c) {
			sum += q.weight * c
			weights += q.weight
		}
	}
	if weights == 0 || sum/weights > d.Range.Max-1e-9 {
		return nil
	}
	mean := sum / weights
	return &mean
}
