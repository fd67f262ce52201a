package project

import (
	"context"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// runSide scores a run with today's labels for a comparison.
func (p *Project) runSide(ctx context.Context, run *ledger.Run, ref string, kind compare.Kind, measures []measure.Measure) (*compare.Side, error) {
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	scored, err := p.ScoreBy(ctx, run, set, measures)
	if err != nil {
		return nil, err
	}
	i := &run.Info
	s := &compare.Side{Selection: i.Selection, Selectivity: i.Selectivity, SideInfo: compare.SideInfo{
		Ref: ref, Kind: kind, Run: i.ID, Label: i.Name, System: i.System, Finished: i.Status == ledger.Finished, K: i.K, Workers: i.Workers,
		Started: &i.Started, Environment: i.Environment, Fingerprint: i.Fingerprint,
	}}
	if s.Drift, err = p.drift(run, kind, scored); err != nil {
		return nil, err
	}
	fill(s, scored)
	s.Explain = func(queries []string) (map[string]compare.Ranking, error) {
		opts, err := p.scoreOptions(ctx, i.K)
		if err != nil {
			return nil, err
		}
		texts := run.Texts()
		out, err := explain(set, run.Results(), texts, opts, queries)
		if err == nil {
			err = texts.Err()
		}
		return out, err
	}
	return s, nil
}

// fill takes over what was scored.
func fill(s *compare.Side, scored *score.Scored) {
	c := scored.Counts
	s.Counts = compare.Counts{Queries: c.Queries, Scored: c.Scored, Failed: c.Failed, Unjudged: c.Queries - c.Scored - c.Failed}
	s.Warnings = scored.Warnings
	s.Queries = make([]compare.Query, len(scored.Queries))
	for i := range scored.Queries {
		q := &scored.Queries[i]
		s.Queries[i] = compare.Query{ID: q.ID, Outcome: q.Status.Outcome(), Values: q.Values, First: q.First, Timings: q.Timings(), Digest: q.Digest()}
		if q.Error != nil {
			s.Queries[i].Why = q.Error.Message
		}
	}
}

// drift lists the recorded means of a run that today's labels no longer give.
func (p *Project) drift(run *ledger.Run, kind compare.Kind, scored *score.Scored) ([]compare.Drift, error) {
	last, err := p.record(run, kind)
	if err != nil || last == nil {
		return nil, err
	}
	var out []compare.Drift
	for _, m := range scored.Means {
		if was, ok := last.Metrics[m.Measure]; ok && m.Scored > 0 && math.Abs(was-m.Value) > 1e-9 {
			out = append(out, compare.Drift{Measure: m.Measure, Recorded: was, Now: m.Value})
		}
	}
	return out, nil
}

// record is the newest line of the history about a run, or the one that a baseline was set with; nil when there is none.
func (p *Project) record(run *ledger.Run, kind compare.Kind) (*ledger.Record, error) {
	if kind == compare.KindBaseline {
		if r, err := run.Record(); r != nil || err != nil {
			return r, err
		}
	}
	return p.History().Newest(run.Info.ID), nil
}

// source gives compare what it asks of the test set.
func source(set *testset.Set) (query func(string) (assay.Query, bool), gold func(string) []string) {
	return set.Query, func(id string) []string { return GoldNames(set, id) }
}

// layers cuts queries into the strata that comparisons look at.
func layers(counted map[string]float64, queries []assay.Query, facets []score.Facet) []compare.Layer {
	var out []compare.Layer
	for _, s := range Strata(counted, queries, facets) {
		out = append(out, compare.Layer{Facet: string(s.Name), Value: s.Value, Queries: s.Queries})
	}
	return out
}
