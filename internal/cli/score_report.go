package cli

import (
	"context"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/trec"
	"github.com/assay-eval/assay/trec/evaluate"
)

// scoreReport is what score found out, and its JSON document.
type scoreReport struct {
	Schema  string      `json:"schema"`
	Qrels   string      `json:"qrels"`
	Queries int         `json:"queries"` // in the qrels
	Level   int         `json:"level"`
	Seed    uint64      `json:"seed"`
	Runs    []scoredRun `json:"runs"`
}

type scoredRun struct {
	Run      string          `json:"run"`
	Tag      string          `json:"tag"`
	Measures []scoredMeasure `json:"measures"`
	Queries  []scoredQuery   `json:"per_query,omitempty"`
	Warnings []assay.Warning `json:"warnings"`
}

// scoredMeasure is a mean with what it is a mean of. Value is absent when no query has one, the interval
// when the measure's summary is not a mean.
type scoredMeasure struct {
	Measure    string          `json:"measure"`
	Value      *float64        `json:"value,omitempty"`
	Interval   *stats.Interval `json:"interval,omitempty"`
	Confidence float64         `json:"confidence,omitempty"`
	Method     string          `json:"method,omitempty"`
	Scored     int             `json:"scored"`
	Empty      int             `json:"empty"` // of the scored: nothing was retrieved
	Failed     int             `json:"failed"`
	Unjudged   int             `json:"unjudged"`
	Undefined  int             `json:"undefined"`
	Ceiling    *float64        `json:"ceiling,omitempty"` // the best any ranking could reach, where that is below 1
}

type scoredQuery struct {
	Query   string             `json:"query"`
	Outcome measure.Outcome    `json:"outcome"`
	Why     string             `json:"why,omitempty"`
	Values  map[string]float64 `json:"values"`
}

// score reads the files and summarises every run.
func (o *scoreOptions) score(ctx context.Context, list []measure.Measure, runs []string) (*scoreReport, error) {
	dialect := trec.Dialect{Release: o.Release}
	q, err := trec.ReadQrels(o.Qrels, dialect)
	if err != nil {
		return nil, err
	}
	set, err := measure.NewSet(list...)
	if err != nil {
		return nil, err
	}
	level := float64(o.Level)
	if o.Level == 0 {
		level = -0.5 // grade 0 is relevant, a negative one is not
	}
	report := &scoreReport{Schema: "assay/score/v1", Qrels: o.Qrels, Queries: len(q.Queries), Level: o.Level, Seed: o.seed}
	ceilings := evaluate.Ceilings(q, set, level)
	for _, name := range runs {
		r, err := o.scoreRun(ctx, q, name, set, evaluate.Options{Level: level, Depth: o.Depth, JudgedOnly: o.JudgedOnly, Workers: o.Workers}, ceilings)
		if err != nil {
			return nil, err
		}
		report.Runs = append(report.Runs, *r)
	}
	return report, nil
}

func (o *scoreOptions) scoreRun(ctx context.Context, q *trec.Qrels, name string, set *measure.Set, opts evaluate.Options, ceilings []float64) (*scoredRun, error) {
	run, err := trec.OpenRun(name, trec.Dialect{Release: o.Release})
	if err != nil {
		return nil, err
	}
	defer run.Close()
	res, err := evaluate.Run(ctx, q, run, set, opts)
	if err != nil {
		return nil, err
	}
	out := &scoredRun{Run: name, Tag: res.Tag, Warnings: slices.Concat([]assay.Warning{}, res.Warnings)}
	intervals, doubts, err := intervals(set, res.Rows, o.seed)
	if err != nil {
		return nil, err
	}
	out.Warnings = append(out.Warnings, doubts...)
	for i, m := range res.Means {
		def := set.Measures()[i].Definition()
		s := scoredMeasure{Measure: m.Measure, Scored: m.Scored, Empty: m.Empty, Failed: m.Failed, Unjudged: m.Unjudged, Undefined: m.Undefined}
		if m.Scored > 0 {
			s.Value = &m.Value
			if def.Range == measure.Unit && ceilings[i] < 1-1e-9 && def.Direction == measure.HigherIsBetter {
				s.Ceiling = &ceilings[i]
			}
		}
		if sum := intervals[i]; sum != nil && !math.IsNaN(sum.Lo) {
			s.Interval, s.Confidence, s.Method = &sum.Interval, sum.Confidence, string(sum.Method)
		}
		out.Measures = append(out.Measures, s)
	}
	if o.PerQuery {
		out.Queries = perQuery(set, res.Rows)
	}
	return out, nil
}

// intervals summarises every measure whose summary is a mean, with the doubts about it.
func intervals(set *measure.Set, rows []measure.Row, seed uint64) ([]*stats.Summary, []assay.Warning, error) {
	out, err := score.Intervals(set, rows, nil, stats.Options{Seed: seed})
	if err != nil {
		return nil, nil, err
	}
	var doubts []assay.Warning
	said := map[string]bool{}
	for _, sum := range out {
		if sum == nil {
			continue
		}
		for _, w := range sum.Warnings {
			if !said[string(w.Kind)] { // the first measure it holds for speaks for the others
				said[string(w.Kind)] = true
				doubts = append(doubts, assay.Warning{Code: string(w.Kind), Text: w.Message})
			}
		}
	}
	return out, doubts, nil
}

// perQuery lists the values of every query; an undefined one is absent.
func perQuery(set *measure.Set, rows []measure.Row) []scoredQuery {
	names := set.Names()
	out := make([]scoredQuery, len(rows))
	for j, r := range rows {
		values := map[string]float64{}
		for i, name := range names {
			if v, ok := r.Value(i); ok {
				values[name] = v
			}
		}
		out[j] = scoredQuery{Query: r.Query, Outcome: r.Outcome, Why: r.Why, Values: values}
	}
	return out
}
