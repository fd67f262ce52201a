package project

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// Measures are the configured measures.
func (p *Project) Measures() ([]measure.Measure, error) {
	out := make([]measure.Measure, len(p.Config.Measures))
	for i, name := range p.Config.Measures {
		m, err := measure.Parse(name)
		if err != nil {
			return nil, assay.Classify(err, assay.ErrUsage)
		}
		out[i] = m
	}
	return out, nil
}

// Score applies the labels as they are now to the rankings of a run.
func (p *Project) Score(ctx context.Context, run *ledger.Run, set *testset.Set) (*score.Scored, error) {
	measures, err := p.Measures()
	if err != nil {
		return nil, err
	}
	return p.ScoreBy(ctx, run, set, measures)
}

// ScoreBy is Score for measures of the caller's.
func (p *Project) ScoreBy(ctx context.Context, run *ledger.Run, set *testset.Set, measures []measure.Measure) (*score.Scored, error) {
	return p.score(ctx, run, set, measures, nil, nil)
}

// scoreAndSave is Score for a run whose Lock the caller holds: the scores of each query are written to the
// run's folder and not kept.
func (p *Project) scoreAndSave(ctx context.Context, run *ledger.Run, set *testset.Set) (out *score.Scored, err error) {
	measures, err := p.Measures()
	if err != nil {
		return nil, err
	}
	defer sparing()()
	var scoring, saving error
	err = run.SaveScores(func(save func(any) error) error {
		out, scoring = p.score(ctx, run, set, measures, nil, func(q score.Query) error {
			saving = save(q)
			return saving
		})
		return scoring
	})
	if saving == nil && scoring != nil {
		err = scoring // it is no failure to write
	}
	return out, err
}

// score scores a run, by further measures beside. With each, nothing but the sums is kept and each is given every query.
func (p *Project) score(ctx context.Context, run *ledger.Run, set *testset.Set, measures, beside []measure.Measure, each func(score.Query) error) (*score.Scored, error) {
	return p.scoreWith(ctx, run, set, measures, score.Options{Beside: beside, Sums: each != nil, Each: each}, newRetrieved(set, run, nil))
}

// scoreWith is score with what is known of the labelled chunks; how says what is kept.
func (p *Project) scoreWith(ctx context.Context, run *ledger.Run, set *testset.Set, measures []measure.Measure, how score.Options, known *retrieved) (*score.Scored, error) {
	opts, err := p.scoreOptions(ctx, run.Info.K)
	if err != nil {
		return nil, err
	}
	opts.Beside, opts.Sums, opts.Each, opts.Judged = how.Beside, how.Sums, how.Each, known
	if c, ok := opts.Index.(*Corpus); ok && p.searched(run, c) {
		opts.Chunking = c
	}
	texts := known.own()
	out, err := score.Score(set, run.Results(), texts, measures, opts)
	if err == nil {
		err = texts.Err()
	}
	return out, err
}

// searched reports whether the chunks of the corpus, as it is cut now, are all that the system of a run
// searched.
func (p *Project) searched(run *ledger.Run, c *Corpus) bool {
	fp := run.Info.Fingerprint
	return fp["corpus.version"] == c.Version() && fp["corpus.chunks"] == strconv.Itoa(len(c.Chunks())) && p.overCorpus(run.Info.System)
}

// overCorpus reports whether a system, and every one that it is fused of, is built over the corpus.
func (p *Project) overCorpus(system string) bool {
	s, ok := p.Config.System(system)
	parts := s.Retriever.Of()
	if len(parts) == 0 {
		return ok && slices.Contains(config.Embedded, s.Retriever.Kind)
	}
	return !slices.ContainsFunc(parts, func(name string) bool { return !p.overCorpus(name) })
}

// scoreOptions is what the project knows beside rankings and labels.
func (p *Project) scoreOptions(ctx context.Context, k int) (score.Options, error) {
	judges, err := p.judgeDoubt()
	if err != nil {
		return score.Options{}, err
	}
	opts := score.Options{K: k, Judges: judges, Twins: newTwins}
	if p.Config.Corpus != nil {
		c, err := p.Corpus(ctx)
		if err != nil {
			return opts, err
		}
		opts.Index, opts.Places = c, c
	}
	return opts, nil
}

// record is the history line of a finished run.
func record(info *ledger.RunInfo, s *score.Scored) ledger.Record {
	r := ledger.Record{
		Timestamp: *info.Finished, Config: info.Config, Metrics: s.Metrics(), Run: info.ID, Name: info.Name, System: info.System,
		Testset: s.Version.Queries, Counts: info.Counts, MetricsRaw: s.MetricsRaw(), Fingerprint: info.Fingerprint, Warnings: s.Warnings,
		Intervals: map[string][2]float64{}, Timings: map[string]ledger.Quantiles{},
	}
	for name, i := range s.Intervals() {
		r.Intervals[name] = [2]float64{i.Lo, i.Hi}
	}
	for _, l := range s.Timings {
		if l.N > 0 {
			r.Timings[l.Stage] = ledger.Quantiles{P50: l.P50, P95: l.P95, P99: l.P99, N: l.N}
		}
	}
	return r
}

// counts are the counts by the names they have in files.
func counts(c score.Counts) map[string]int {
	data, err := json.Marshal(c)
	out := map[string]int{}
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		panic(err) // a struct of ints
	}
	return out
}
