package project

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/trec"
)

// QrelsOptions say how TREC run files are scored.
type QrelsOptions struct {
	Qrels string
	Level int // lowest relevant grade; 0 means 1
	// Complete scores a query that a run file lacks as 0, like trec_eval's -c; else it is not in that side.
	Complete bool
}

// Qrels are relevance judgments to compare TREC run files by. They need no project.
type Qrels struct {
	opts  QrelsOptions
	qrels *trec.Qrels
	set   *measure.Set
	top   float64
}

// OpenQrels reads judgments.
func OpenQrels(opts QrelsOptions, measures []measure.Measure) (*Qrels, error) {
	if opts.Level < 1 {
		opts.Level = 1
	}
	q, err := trec.ReadQrels(opts.Qrels, trec.Dialect{})
	if err != nil {
		return nil, err
	}
	set, err := measure.NewSet(measures...)
	if err != nil {
		return nil, assay.Classify(err, assay.ErrUsage)
	}
	out := &Qrels{opts: opts, qrels: q, set: set}
	for _, j := range q.Queries {
		out.top = max(out.top, j.Top)
	}
	return out, nil
}

// Side scores one run file.
func (q *Qrels) Side(ctx context.Context, file string) (*compare.Side, error) {
	s := &compare.Side{SideInfo: compare.SideInfo{Ref: file, Kind: compare.KindTREC, System: fileName(file), Finished: true}}
	got := make([]*compare.Query, len(q.qrels.Queries))
	judge := trec.Judge{Collapse: true}
	unknown, repeated := 0, 0
	err := eachBlock(ctx, file, func(b *trec.Block) error {
		j := q.qrels.Lookup(b.Query)
		if j == nil {
			unknown++
			return nil
		}
		if err := q.qrels.Usable(j); err != nil {
			return err
		}
		grades, n, err := judge.Rank(b, j)
		if err != nil {
			return err
		}
		repeated += n
		got[j.Index] = q.query(j, grades, digestOf(b))
		return nil
	}, func() { unknown, repeated = 0, 0 })
	if err != nil {
		return nil, err
	}
	s.Explain = func(queries []string) (map[string]compare.Ranking, error) { return q.explain(ctx, file, queries) }
	q.collect(s, got)
	if unknown > 0 {
		s.Warnings = append(s.Warnings, assay.Warning{Code: "queries_unjudged", Text: fmt.Sprintf("%s: %s no judgments, left out", s.System, plural.Count(unknown, "query has", "queries have"))})
	}
	if repeated > 0 {
		s.Warnings = append(s.Warnings, assay.Warning{Code: "documents_repeated", Text: fmt.Sprintf("%s: %s returned twice, counted once", s.System, plural.Count(repeated, "document was", "documents were"))})
	}
	if s.Counts.Queries == 0 {
		return nil, assay.Usagef("%s holds none of the %d queries of %s", file, len(q.qrels.Queries), q.opts.Qrels)
	}
	return s, nil
}

// query scores one ranking.
func (q *Qrels) query(j *trec.Judgments, grades []float64, digest [16]byte) *compare.Query {
	t := measure.Topic{Ranked: grades, Gold: j.Grades, Level: float64(q.opts.Level), MaxGrade: q.top}
	out := &compare.Query{ID: j.Query, Outcome: measure.Scored, Values: q.set.Score(&t, nil), Digest: digest}
	out.First = 1 + slices.IndexFunc(grades, func(g float64) bool { return g >= t.Level })
	return out
}

// collect gathers the queries that the side has, in the order of the qrels.
func (q *Qrels) collect(s *compare.Side, got []*compare.Query) {
	for i, j := range q.qrels.Queries {
		row := got[i]
		if row == nil && !q.opts.Complete {
			continue
		}
		if row == nil {
			row = q.query(j, nil, [16]byte{})
			row.Outcome, row.Why = measure.Empty, "the run does not hold the query"
		}
		s.Counts.Queries++
		if slices.ContainsFunc(j.Grades, func(g float64) bool { return g >= float64(q.opts.Level) }) {
			s.Counts.Scored++
		} else { // nothing to find
			s.Counts.Unjudged++
			row.Outcome, row.Values = measure.Unjudged, nil
		}
		s.Queries = append(s.Queries, *row)
	}
}

// explain reads the file again for a few rankings.
func (q *Qrels) explain(ctx context.Context, file string, queries []string) (map[string]compare.Ranking, error) {
	out := map[string]compare.Ranking{}
	judge := trec.Judge{Collapse: true, Depth: shownHits}
	err := eachBlock(ctx, file, func(b *trec.Block) error {
		j := q.qrels.Lookup(b.Query)
		if j == nil || !slices.Contains(queries, j.Query) {
			return nil
		}
		grades, _, err := judge.Rank(b, j)
		if err != nil {
			return err
		}
		r := compare.Ranking{Hits: []compare.Hit{}}
		for i, h := range b.Hits {
			r.Hits = append(r.Hits, compare.Hit{ID: string(b.Doc(h)), Judged: grades[i] != trec.NotJudged, Grade: int(max(0, grades[i]))})
		}
		out[j.Query] = r
		return nil
	}, func() {})
	return out, err
}

// Gold names the relevant documents of a query.
func (q *Qrels) Gold(query string) []string {
	var out []string
	j := q.qrels.Lookup([]byte(query))
	for i, d := range j.Docs {
		if j.Grades[i] >= float64(q.opts.Level) {
			out = append(out, d)
		}
	}
	return out
}

// digestOf is equal for equal rankings; the block is sorted.
func digestOf(b *trec.Block) (d [16]byte) {
	h := sha256.New()
	for _, hit := range b.Hits {
		h.Write(b.Doc(hit))
		h.Write([]byte{'\n'}) // no id holds one
	}
	copy(d[:], h.Sum(nil))
	return d
}
