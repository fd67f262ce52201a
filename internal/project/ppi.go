package project

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/testset"
)

// Powered is one measure of one run as people see it, as a judge sees it, and as both together do.
type Powered struct {
	System  string `json:"system"`
	Run     string `json:"run"`
	Judge   string `json:"judge"`
	Measure string `json:"measure"`
	// Humans counts the queries that people scored, HumanNone those whose top hits people judged without finding anything
	// relevant, JudgeOnly those whose top hits only the judge has judged.
	Humans    int `json:"humans"`
	HumanNone int `json:"human_none,omitempty"`
	JudgeOnly int `json:"judge_only"`
	// Judged is the judge's mean over all queries that it judged and found something relevant to, ByJudge their number.
	ByJudge int            `json:"by_judge"`
	Judged  *stats.Summary `json:"judged,omitempty"`
	// PPI has the combined mean and, in human_only, that of people alone; nil with fewer than three queries by people.
	PPI *stats.PPI `json:"ppi,omitempty"`
}

// Powered scores runs by people's labels alone, by each judge's alone, and by prediction-powered inference over both. A
// query counts for a rater when at least assay.EnoughJudged of its top hits are judged by that rater: with less, a missing
// query counts for a rater when at least assay.EnoughJudged of its top hits are judged by that rater: with less, a missing
// label would be taken for a verdict. A query that a rater found nothing relevant to has no score by that rater, as everywhere;
// the inference knows it all the same, since people and judge do not leave out the same queries.
func (p *Project) Powered(ctx context.Context, refs []string) ([]Powered, error) {
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	judges := p.judgeNames(set)
	runs, err := p.poolRuns(refs)
	if err != nil || len(judges) == 0 {
		return nil, err
	}
	var out []Powered
	for _, run := range runs {
		human, err := p.scoredBy(ctx, run, set.Only(assay.ByHuman))
		if err != nil {
			return nil, err
		}
		for _, judge := range judges {
			by, err := p.scoredBy(ctx, run, set.Where(func(l *assay.Label) bool { return l.By == assay.ByJudge && l.Who == judge }))
			if err != nil {
				return nil, err
			}
			for m, name := range p.Config.Measures {
				row := Powered{System: run.Info.System, Run: run.Info.ID, Judge: judge, Measure: name}
				if err := row.fill(set, human, by, m, p.Config.Judge.Seed); err != nil {
					return nil, err
				}
				out = append(out, row)
			}
		}
	}
	return out, nil
}

// scoredBy scores a run by the labels of some raters and keeps the queries that they judged deep enough; nil values are those
// of a query without anything relevant.
func (p *Project) scoredBy(ctx context.Context, run *ledger.Run, set *testset.Set) (map[string][]float64, error) {
	scored, err := p.Score(ctx, run, set)
	if err != nil {
		return nil, err
	}
	out := map[string][]float64{}
	for i := range scored.Queries {
		q := &scored.Queries[i]
		if share, ok := q.Judged(); ok && share >= assay.EnoughJudged {
			out[q.ID] = q.Values
		}
	}
	return out, nil
}

func (row *Powered) fill(set *testset.Set, human, judge map[string][]float64, m int, seed uint64) error {
	var s stats.PPISample
	var all []float64
	design := stats.Design{}
	for _, id := range slices.Sorted(maps.Keys(judge)) {
		q, _ := set.Query(id)
		cluster := q.SourceDocument()
		f, judged := valueOf(judge[id], m)
		if judged {
			all, design.Clusters = append(all, f), append(design.Clusters, cluster)
		}
		if values, ok := human[id]; ok {
			y, scored := valueOf(values, m)
			s.Human, s.HumanNone = append(s.Human, y), append(s.HumanNone, !scored)
			s.Judge, s.JudgeNone = append(s.Judge, f), append(s.JudgeNone, !judged)
			s.Clusters = append(s.Clusters, cluster)
			if scored {
				row.Humans++
			} else {
				row.HumanNone++
			}
			continue
		}
		s.JudgeOnly, s.JudgeOnlyNone = append(s.JudgeOnly, f), append(s.JudgeOnlyNone, !judged)
		s.JudgeOnlyClusters = append(s.JudgeOnlyClusters, cluster)
	}
	row.JudgeOnly, row.ByJudge = len(s.JudgeOnly), len(all)
	o := stats.Options{Seed: seed}
	if len(all) > 0 {
		sum, err := stats.Summarize(all, design, o)
		if err != nil {
			return err
		}
		row.Judged = &sum
	}
	if row.Humans < 3 {
		return nil
	}
	ppi, err := stats.PredictionPowered(s, o)
	row.PPI = &ppi
	return err
}

// valueOf is a query's value of a measure; ok is false where there is none.
func valueOf(values []float64, m int) (value float64, ok bool) {
	if values == nil || math.IsNaN(values[m]) {
		return 0, false
	}
	return values[m], true
}
