package score

import (
	"cmp"
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
	rows := make([]*row, 0, len(s.sums.rows))
	for _, r := range s.sums.rows {
		if r.status.Scored() {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, byID)
	var err error
	by := averager{s.measures, s.opts.Stats}
	out.by = by
	if out.Means, err = by.means(rows, func(r *row) []float64 { return r.values }); err != nil {
		return err
	}
	for i := range out.Means {
		out.Means[i].Ceiling = ceiling(s.measures, rows, i, func(r *row) []float64 { return r.ceilings })
	}
	if s.beside != nil {
		if out.Beside, err = (averager{s.beside, s.opts.Stats}).means(rows, func(r *row) []float64 { return r.beside }); err != nil {
			return err
		}
		for i := range out.Beside {
			out.Beside[i].Ceiling = ceiling(s.beside, rows, i, func(r *row) []float64 { return r.besideCeilings })
		}
	}
	if len(rows) > 0 && !slices.ContainsFunc(rows, func(r *row) bool { return r.raw == nil }) {
		out.Raw, err = by.means(rows, func(r *row) []float64 { return r.raw })
	}
	return err
}

func byID(a, b *row) int { return cmp.Compare(a.id, b.id) }

// averager makes means and intervals of per-query values.
type averager struct {
	measures *measure.Set
	stats    stats.Options
}

// means sums up one kind of values.
func (a averager) means(queries []*row, values func(*row) []float64) ([]Mean, error) {
	rows := make([]measure.Row, len(queries))
	for i, q := range queries {
		rows[i] = measure.Row{Query: q.id, Values: values(q), Outcome: q.status.Outcome()}
	}
	out := make([]Mean, len(a.measures.Names()))
	for i, plain := range a.measures.Means(rows) {
		out[i] = Mean{Measure: plain.Measure, Value: plain.Value, Scored: plain.Scored, Undefined: plain.Undefined}
	}
	// Most sets have no weights, and then nothing has to be looked through for them.
	some := slices.ContainsFunc(queries, func(q *row) bool { return q.weight != queries[0].weight })
	weighted := func(index []int) bool {
		return some && slices.ContainsFunc(index, func(row int) bool { return queries[row].weight != queries[index[0]].weight })
	}
	summaries, err := Intervals(a.measures, rows, func(index []int) stats.Design {
		d := stats.Design{Clusters: make([]string, len(index))}
		if weighted(index) {
			d.Weights = make([]float64, len(index))
		}
		for j, row := range index {
			d.Clusters[j] = queries[row].cluster
			if d.Weights != nil {
				d.Weights[j] = queries[row].weight
			}
		}
		return d
	}, a.stats)
	if err != nil {
		return nil, err
	}
	for i, sum := range summaries {
		if out[i].Summary = sum; sum == nil {
			continue
		}
		if !some {
			continue
		}
		if _, index := measure.Column(rows, i); weighted(index) {
			plain := out[i].Value
			out[i].Value, out[i].Unweighted = sum.Mean, &plain
		}
	}
	return out, nil
}

// ceiling is the mean of what the labels allow at best, nil where that is all the range allows.
func ceiling(measures *measure.Set, queries []*row, i int, of func(*row) []float64) *float64 {
	d := measures.Measures()[i].Definition()
	if !d.Bounded() || d.Average != measure.ArithmeticMean || d.Direction != measure.HigherIsBetter {
		return nil
	}
	sum, weights := 0.0, 0.0
	for _, q := range queries {
		if c := of(q)[i]; !math.IsNaN(c) {
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
