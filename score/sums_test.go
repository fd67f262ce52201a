package score_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/score"
)

// TestSums scores with and without keeping the queries: the numbers, the warnings and the strata are equal,
// and Each is given what Queries would hold.
func TestSums(t *testing.T) {
	const n = 40
	qs := queries(n)
	var labels []assay.Label
	var results []assay.Result
	for i := range qs {
		q := &qs[i]
		q.Tags = []string{[]string{"even", "odd"}[i%2]}
		q.Origin = &assay.Origin{Method: "llm", Document: fmt.Sprint("doc", i/3)}
		if q.Weight = 1; i%5 == 0 {
			q.Weight = 3
		}
		if i == 7 {
			q.Tags = append(q.Tags, assay.TagUnanswerable)
		} else if i != 8 {
			labels = append(labels, bare(q.ID, fmt.Sprint("c", i%4), 3), bare(q.ID, "other", i%4))
		}
		r := assay.Result{Query: q.ID, Hits: hits("c0", "x", "c1", "y", "c2")}
		switch i {
		case 3:
			r.Hits = nil
		case 4, 5:
			r = assay.Result{Query: q.ID, Error: &assay.Failure{Kind: assay.KindTimeout, Message: "late"}}
		case 6:
			r.Notes = []assay.Note{{Code: "unsorted", Count: 2}}
		}
		results = append(results, r)
	}
	results = append(results, assay.Result{Query: "gone", Hits: hits("c0")})
	set := newSet(t, qs, labels...)
	ms := measures(t, "recall@3", "ndcg@10", "p@1")
	full := mustScore(t, set, nil, ms, score.Options{K: 10}, results...)
	var each []score.Query
	lean := mustScore(t, set, nil, ms, score.Options{K: 10, Sums: true, Each: func(q score.Query) error {
		each = append(each, q)
		return nil
	}}, results...)
	if lean.Queries != nil {
		t.Errorf("%d queries were kept", len(lean.Queries))
	}
	unexported := cmpopts.IgnoreUnexported(score.Scored{}, score.Query{})
	if diff := cmp.Diff(full, lean, unexported, cmpopts.IgnoreFields(score.Scored{}, "Queries"), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("(-full +sums):\n%s", diff)
	}
	if diff := cmp.Diff(full.Queries, each, unexported, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("each (-full +sums):\n%s", diff)
	}
	strata := score.Strata(qs, score.StrataOptions{Facets: []score.Facet{score.ByTag}})
	a, errA := full.Split(strata)
	b, errB := lean.Split(strata)
	if diff := cmp.Diff(a, b); diff != "" || errA != nil || errB != nil || len(a) != 3 {
		t.Errorf("strata: %v, %v\n%s", errA, errB, diff)
	}
	if !lean.Has("gone") || !lean.Has(qs[4].ID) || lean.Has("never") {
		t.Error("the queries of the run are not known")
	}
	_, err := score.Score(set, stream(append(results, results[0])...), nil, ms, score.Options{Sums: true})
	if err == nil || !strings.Contains(err.Error(), "query "+qs[0].ID+" comes twice") {
		t.Errorf("a repeated query: %v", err)
	}
}
