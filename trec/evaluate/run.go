package evaluate

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/trec"
)

// Result is a scored run.
type Result struct {
	File     string
	Tag      string // run tag of the last line
	Rows     []measure.Row
	Means    []measure.Mean
	Warnings []assay.Warning
}

// Run scores a run on every query of the qrels, in byte order of the query id. Duplicates are always
// collapsed. A run that shares no query with the qrels is an error with examples from both.
func Run(ctx context.Context, q *trec.Qrels, run *trec.Run, set *measure.Set, o Options) (*Result, error) {
	o.Collapse = true
	top := 0.0
	for _, j := range q.Queries {
		top = max(top, j.Top)
	}
	rows := make([]measure.Row, len(q.Queries))
	k := len(set.Measures())
	values := make([]float64, 0, k*len(rows)) // one block for all rows
	values = values[:cap(values)]
	tally, err := Each(ctx, q, run, o, func(_ int, j *trec.Judgments, t *measure.Topic) error {
		t.MaxGrade = top
		at := j.Index * k
		r := &rows[j.Index]
		*r = measure.Row{Query: j.Query, Outcome: measure.Scored, Values: set.Score(t, values[at:at:at+k])}
		if len(t.Ranked) == 0 {
			r.Outcome, r.Why = measure.Empty, "nothing was left of the ranking"
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	missing := 0
	for i, j := range q.Queries {
		if rows[i].Outcome != "" {
			continue
		}
		missing++
		t := measure.Topic{Gold: j.Grades, Level: o.Level, MaxGrade: top}
		at := i * k
		rows[i] = measure.Row{Query: j.Query, Outcome: measure.Empty, Why: "the run does not hold the query",
			Values: set.Score(&t, values[at:at:at+k])}
	}
	if missing == len(rows) {
		return nil, Disjoint(q, run.Name(), tally)
	}
	return &Result{
		File: run.Name(), Tag: run.Tag(), Rows: rows, Means: set.Means(rows), Warnings: tally.warnings(missing, len(rows)),
	}, nil
}

// Ceilings is the mean that the best possible rankings would reach, for each measure: 0.25 for recall@1
// where every query has four relevant documents.
func Ceilings(q *trec.Qrels, set *measure.Set, level float64) []float64 {
	rows := make([]measure.Row, len(q.Queries))
	for i, j := range q.Queries {
		t := measure.Topic{Gold: j.Grades, Level: level}
		rows[i] = measure.Row{Query: j.Query, Outcome: measure.Scored, Values: set.Score(t.Ideal(), nil)}
	}
	out := make([]float64, len(set.Measures()))
	for i, m := range set.Means(rows) {
		out[i] = m.Value
	}
	return out
}

// Disjoint is the error for qrels and a run without a common query.
func Disjoint(q *trec.Qrels, run string, t Tally) error {
	var have []string
	for _, j := range q.Queries[:min(3, len(q.Queries))] {
		have = append(have, j.Query)
	}
	return assay.WithHint(
		assay.Usagef("%s and %s have no query in common: the qrels have %s, the run has %s",
			q.Name, run, examples(have, len(q.Queries)), examples(t.Examples, t.Unknown)),
		"query ids are compared byte by byte: 1 and 01 differ, so do q1 and Q1")
}

// examples shows ids, quoted where they could be misread.
func examples(ids []string, of int) string {
	shown := make([]string, len(ids))
	for i, id := range ids {
		shown[i] = fmt.Sprintf("%.60q", id)
	}
	s := strings.Join(shown, ", ")
	if of > len(ids) {
		s += fmt.Sprintf(" … (%d)", of)
	}
	return s
}

// warnings turns counts into warnings, in a fixed order.
func (t *Tally) warnings(missing, queries int) []assay.Warning {
	var out []assay.Warning
	add := func(n int, code, one, many string, args ...any) {
		switch {
		case n == 1:
			out = append(out, assay.Warning{Code: code, Text: fmt.Sprintf(one, args...)})
		case n > 1:
			out = append(out, assay.Warning{Code: code, Text: fmt.Sprint(n) + fmt.Sprintf(many, args...)})
		}
	}
	add(missing, "queries_missing", "1 of %d judged queries is not in the run and scores 0",
		" of %d judged queries are not in the run and score 0", queries)
	ids := examples(t.Examples, t.Unknown)
	add(t.Unknown, "queries_unjudged", "1 query of the run has no judgments and is not scored: %s",
		" queries of the run have no judgments and are not scored: %s", ids)
	add(t.Repeated, "documents_repeated", "1 document was returned twice for a query; it counts once, at its better rank",
		" documents were returned twice for a query; each counts once, at its better rank")
	add(t.Contradictions, "ranks_contradict", "once the rank column contradicts the scores; scores decide",
		" times the rank column contradicts the scores; scores decide")
	return out
}
