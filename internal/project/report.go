package project

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// Report explains a run with the labels as they are now. worst is how many of the worst queries to show; facets that tell no
// queries apart are cut by when they are asked for, nil stands for all that do.
func (p *Project) Report(ctx context.Context, run *ledger.Run, set *testset.Set, worst int, facets []score.Facet) (*report.Explanation, error) {
	measures, err := p.Measures()
	if err != nil {
		return nil, err
	}
	cutoffs := report.Cutoffs(run.Info.K)
	curve, err := recalls(cutoffs)
	if err != nil {
		return nil, err
	}
	scored, err := p.score(ctx, run, set, measures, curve, nil)
	if err != nil {
		return nil, err
	}
	r := &report.Explanation{Info: &run.Info, Scored: scored, Texts: set.Query, Fingerprint: run.Info.Fingerprint, Latency: report.Latencies(scored)}
	if r.Drift, err = p.drift(run, compare.KindRun, scored); err != nil {
		return nil, err
	}
	r.Distributions = report.Histograms(scored, bounds)
	r.Curve = recallCurve(cutoffs, scored.Beside)
	if r.Splits, err = Splits(&run.Info, set, scored, facets); err != nil {
		return nil, err
	}
	r.Worst, err = p.worst(ctx, run, set, scored, worst)
	return r, err
}

// bounds are the ends of a measure's values, as far as its scale has two.
func bounds(name string) (lo, hi float64, ok bool) {
	m, err := measure.Parse(name)
	if err != nil {
		return 0, 0, false
	}
	d := m.Definition()
	return d.Range.Min, d.Range.Max, d.Bounded() && !math.IsInf(d.Range.Min, 0) && d.Range.Max > d.Range.Min
}

// recalls are the recall at each cutoff.
func recalls(cutoffs []int) (out []measure.Measure, err error) {
	out = make([]measure.Measure, len(cutoffs))
	for i, k := range cutoffs {
		if out[i], err = measure.Parse(fmt.Sprintf("recall@%d", k)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// recallCurve is the recall at cutoffs up to the number of hits that were asked for; nil where nothing was scored.
func recallCurve(cutoffs []int, means []score.Mean) []report.CurvePoint {
	var out []report.CurvePoint
	for i, m := range means {
		if m.Scored == 0 {
			return nil
		}
		c := report.CurvePoint{K: cutoffs[i], Recall: m.Value, Ceiling: m.Ceiling}
		if m.Summary != nil {
			c.Lo, c.Hi = &m.Summary.Interval.Lo, &m.Summary.Interval.Hi
		}
		out = append(out, c)
	}
	return out
}

// Splits are the means of parts of the run's queries; no facets means all that tell queries apart.
func Splits(info *ledger.RunInfo, set *testset.Set, scored *score.Scored, facets []score.Facet) ([]score.Split, error) {
	queries := slices.DeleteFunc(set.Queries(), func(q assay.Query) bool { return !scored.Has(q.ID) })
	return scored.Split(Strata(info.Selectivity, queries, facets))
}

// worst shows the queries that scored lowest, with what came back.
func (p *Project) worst(ctx context.Context, run *ledger.Run, set *testset.Set, scored *score.Scored, n int) ([]report.WorstQuery, error) {
	queries := report.WorstFirst(scored, n)
	ids := make([]string, len(queries))
	for i := range queries {
		ids[i] = queries[i].ID
	}
	opts, err := p.scoreOptions(ctx, run.Info.K)
	if err != nil {
		return nil, err
	}
	known := newRetrieved(set, run, nil)
	opts.Judged = known
	texts := known.own()
	rankings, err := explain(set, run.Results(), texts, opts, ids)
	if err == nil {
		err = texts.Err()
	}
	if err != nil {
		return nil, err
	}
	out := make([]report.WorstQuery, len(queries))
	for i := range queries {
		q := &queries[i]
		query, _ := set.Query(q.ID)
		out[i] = report.WorstQuery{Query: q.ID, Text: query.Text, Tags: query.Tags, Filter: query.Filter, Value: q.Values[0], First: q.First,
			Gold: GoldNames(set, q.ID), Ranking: rankings[q.ID]}
	}
	return out, nil
}
