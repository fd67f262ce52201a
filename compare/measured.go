package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// Design says how the given queries were drawn: those written from one document hang together and are resampled together,
// and each has its weight. query may be nil, or not know a query, which then stands alone and weighs 1.
func Design(ids []string, query func(id string) (assay.Query, bool)) stats.Design {
	if query == nil {
		return stats.Design{}
	}
	d := stats.Design{Clusters: make([]string, len(ids)), Weights: make([]float64, len(ids))}
	clustered, weighted := false, false
	for i, id := range ids {
		q, _ := query(id)
		d.Clusters[i], d.Weights[i] = q.SourceDocument(), 1
		if q.Weight > 0 {
			d.Weights[i] = q.Weight
		}
		clustered = clustered || d.Clusters[i] != ""
		weighted = weighted || d.Weights[i] != d.Weights[0]
	}
	if !clustered {
		d.Clusters = nil
	}
	if !weighted {
		d.Weights = nil
	}
	return d
}

// columns are the paired values of one measure over the queries for which both sides have one.
type columns struct {
	a, b []float64
	ids  []string
}

func (m *matched) columns(side, measure int) columns {
	var c columns
	for i, id := range m.ids {
		a, b := m.rows[0][i].Values[measure], m.rows[side][i].Values[measure]
		if !math.IsNaN(a) && !math.IsNaN(b) {
			c.a, c.b, c.ids = append(c.a, a), append(c.b, b), append(c.ids, id)
		}
	}
	return c
}

// measured compares every measure of one side with the first, p-values not yet corrected.
func (in *Input) measured(m *matched, side int) ([]Measured, error) {
	out := make([]Measured, len(in.Measures))
	all := make([]columns, len(in.Measures))
	groups := map[string][]int{} // measures over the same queries and the same range share sign flips
	var order []string
	for i, meas := range in.Measures {
		all[i] = m.columns(side, i)
		out[i] = in.untested(meas, &all[i])
		if out[i].Why != "" {
			continue
		}
		key := fmt.Sprint(meas.Definition().Range, len(all[i].ids), m.missing(side, i))
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	for _, key := range order {
		if err := in.testGroup(out, all, groups[key]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// missing lists the matched queries for which a side has no value of a measure.
func (m *matched) missing(side, measure int) []int {
	var out []int
	for i := range m.ids {
		if math.IsNaN(m.rows[0][i].Values[measure]) || math.IsNaN(m.rows[side][i].Values[measure]) {
			out = append(out, i)
		}
	}
	return out
}

// untested is what is known of a measure without statistics.
func (in *Input) untested(meas measure.Measure, c *columns) Measured {
	d := meas.Definition()
	out := Measured{Measure: meas.Name(), Better: d.Direction.String(), N: len(c.ids), Finding: Untested}
	if len(c.ids) == 0 {
		out.Why = "no query has a value on both sides"
		return out
	}
	a, b := d.Average.Of(c.a, len(c.a)), d.Average.Of(c.b, len(c.b))
	out.MeanA, out.MeanB = &a, &b
	if d.Average != measure.ArithmeticMean {
		out.Why = fmt.Sprintf("its summary is a %s, which the tests here are not made for", d.Average)
	}
	return out
}

// testGroup fills in the statistics of measures that share queries and range.
func (in *Input) testGroup(out []Measured, all []columns, group []int) error {
	def := in.Measures[group[0]].Definition()
	opts := in.Stats
	opts.Range = stats.Interval{}
	if def.Bounded() {
		opts.Range = stats.Interval{Lo: def.Range.Min, Hi: def.Range.Max}
	}
	as, bs := make([][]float64, len(group)), make([][]float64, len(group))
	for g, i := range group {
		as[g], bs[g] = all[i].a, all[i].b
	}
	found, err := stats.ComparePairedAll(bs, as, Design(all[group[0]].ids, in.Query), opts)
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	for g, i := range group {
		out[i].take(&found[g], in.Measures[i].Definition())
	}
	return nil
}

// take copies the statistics of B − A.
func (m *Measured) take(c *stats.Comparison, d *measure.Definition) {
	m.Units, m.NEff = c.Units, c.NEff
	m.MeanA, m.MeanB = &c.MeanB, &c.MeanA
	m.Test = &Test{
		Diff: c.Diff, Interval: c.Interval, Method: c.Method, P: c.P, PHolm: c.P, Name: c.Test, SD: c.SD, Dz: c.Dz,
		Wins: c.Wins, Ties: c.Ties, Losses: c.Losses, MDD: c.MDD, Warnings: c.Warnings, differ: c.Differ,
	}
	if d.Direction == measure.LowerIsBetter {
		m.Wins, m.Losses = c.Losses, c.Wins
	}
	if m.MDD != nil && *m.MDD > d.Range.Max-d.Range.Min {
		m.MDD = nil // no two systems are that far apart
	}
}

// correct adjusts the p-values of all tables as one family (Holm) and says what may be said. It returns the size of the family.
func correct(pairs []Pair, alpha float64) int {
	var tests []*Measured
	var p []float64
	for i := range pairs {
		for j := range pairs[i].Measures {
			if m := &pairs[i].Measures[j]; m.Test != nil {
				tests, p = append(tests, m), append(p, m.P)
			}
		}
	}
	for i, adjusted := range stats.Holm(p) {
		tests[i].PHolm = adjusted
		tests[i].Finding = tests[i].finding(alpha)
	}
	for _, m := range tests {
		m.fewDiffer(p, alpha)
	}
	return len(p)
}

// fewDiffer puts the doubt that too few queries differ for a finding in terms of the whole family: with Holm's method the smallest
// p-value that is possible has to stand all tests of the family that have no smaller one.
func (m *Measured) fewDiffer(family []float64, alpha float64) {
	for _, w := range m.Warnings {
		if w.Kind == stats.WarnAllTies || w.Kind == stats.WarnDegenerate {
			return
		}
	}
	if m.Name == stats.PairedT {
		return
	}
	m.Warnings = slices.DeleteFunc(slices.Clone(m.Warnings), func(w stats.Warning) bool { return w.Kind == stats.WarnFewDiffer })
	least, against := stats.LeastP(m.differ), 0
	for _, p := range family {
		if p >= least*(1-1e-9) {
			against++
		}
	}
	if least*float64(against) <= alpha {
		return
	}
	alone, corrected := stats.LeastDiffering(alpha), stats.LeastDiffering(alpha/float64(against))
	takes := fmt.Sprintf("%.2g takes %d", alpha, alone)
	if corrected > alone {
		takes = fmt.Sprintf("%.2g takes %d, and %d where it is corrected for %d tests", alpha, alone, corrected, against)
	}
	m.Warnings = append(m.Warnings, stats.Warning{Kind: stats.WarnFewDiffer, Message: fmt.Sprintf("the systems differ on %s: no p-value below %.3g is possible, %s",
		plural.Count(m.differ, "independent query", "independent queries"), least, takes)})
}

// finding takes the corrected p-value and the interval together: the two are made differently for 0/1 scores, and
// where they disagree nothing was shown.
func (m *Measured) finding(alpha float64) Finding {
	if m.PHolm > alpha || m.Interval.Contains(0) {
		return NotShown
	}
	switch {
	case m.Better == measure.Neutral.String():
		return Changed
	case (m.Diff > 0) == (m.Better == measure.HigherIsBetter.String()):
		return Better
	}
	return Worse
}
