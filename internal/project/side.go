package project

import (
	"context"
	"fmt"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// named is what a person calls one side of a comparison.
type named struct {
	ref  string
	kind compare.Kind
	run  *ledger.Run // nil for a file of rankings
}

// scoreSide scores a side with today's labels; beside are all sides.
func (p *Project) scoreSide(ctx context.Context, side named, measures []measure.Measure, beside ...named) (*compare.Side, error) {
	if side.run == nil {
		return p.fileSide(ctx, side.ref, measures)
	}
	var runs []*ledger.Run
	for _, s := range beside {
		if s.run != nil {
			runs = append(runs, s.run)
		}
	}
	return p.runSide(ctx, side, measures, runs)
}

func (p *Project) runSide(ctx context.Context, side named, measures []measure.Measure, beside []*ledger.Run) (*compare.Side, error) {
	run := side.run
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	known := newRetrieved(set, run, beside)
	scored, err := p.scoreWith(ctx, run, set, measures, score.Options{}, known)
	if err != nil {
		return nil, err
	}
	alone := scored // what the run's own report says
	if n := len(known.borrowed); n > 0 {
		if alone, err = p.ScoreBy(ctx, run, set, measures); err != nil {
			return nil, err
		}
		scored.Warnings = append(scored.Warnings, assay.Warning{Code: "text_from_other_side", Text: fmt.Sprintf("the text of %s that labels name by key alone is "+
			"known from another side only, and near-duplicates of it count here, though not in a report on this run", plural.Count(n, "passage"))})
	}
	i := &run.Info
	s := &compare.Side{Selection: i.Selection, Selectivity: i.Selectivity, SideInfo: compare.SideInfo{
		Ref: side.ref, Kind: side.kind, Run: i.ID, Label: i.Name, System: i.System, Finished: i.Status == ledger.Finished, K: i.K, Workers: i.Workers,
		Started: &i.Started, Environment: i.Environment, Fingerprint: i.Fingerprint,
	}}
	if s.Drift, err = p.drift(run, side.kind, alone); err != nil {
		return nil, err
	}
	fill(s, scored)
	s.Explain = func(queries []string) (map[string]compare.Ranking, error) {
		opts, err := p.scoreOptions(ctx, i.K)
		if err != nil {
			return nil, err
		}
		known := newRetrieved(set, run, beside)
		opts.Judged = known
		texts := known.own()
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
