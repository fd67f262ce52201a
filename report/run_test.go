package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/score"
)

// largeRun is a run of n queries with long texts, cut into as many parts.
func largeRun(n int) *Explanation {
	s := &score.Scored{Means: []score.Mean{{Measure: "recall@10", Value: 0.5, Scored: n}}, Counts: score.Counts{Queries: n, Scored: n}}
	r := &Explanation{Info: &ledger.RunInfo{ID: "r", System: "s", K: 10}, Scored: s,
		Texts: func(id string) (assay.Query, bool) {
			return assay.Query{ID: id, Text: id + strings.Repeat(" long", 500)}, true
		}}
	for i := range n {
		id := fmt.Sprintf("q%05d", i)
		s.Queries = append(s.Queries, score.Query{ID: id, Status: score.StatusScored, Values: []float64{float64(i%11) / 10}, First: i % 7})
		r.Splits = append(r.Splits, score.Split{Stratum: score.Stratum{Name: score.ByTag, Value: id}, Means: []score.Mean{{Measure: "recall@10", Value: 0.5, Scored: 1}}})
	}
	return r
}

// TestLargeReports: a page of many queries stays readable and says what it leaves out; the spreadsheet has them all.
func TestLargeReports(t *testing.T) {
	const n = 5000
	m := largeRun(n).Model(RunOptions{Document: 1})
	for ending, most := range map[string]int{".html": 1 << 20, ".md": 1 << 20} {
		f, err := ForFile("x" + ending)
		if err != nil {
			t.Fatal(err)
		}
		page := render(t, f, m)
		if len(page) > most {
			t.Errorf("%s has %d bytes", f.Name, len(page))
		}
		for _, want := range []string{"200 of 5000 rows are shown", "4988 further values of tag are not shown"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s does not say that %s", f.Name, want)
			}
		}
	}
	f, err := ForFile("x.csv")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(render(t, f, m), "\n"); lines != n+1 {
		t.Errorf("%d lines as CSV", lines)
	}
}

func TestWorstFirst(t *testing.T) {
	s := &score.Scored{Queries: []score.Query{
		{ID: "good", Status: score.StatusScored, Values: []float64{1}, First: 1},
		{ID: "late", Status: score.StatusScored, Values: []float64{0.5}, First: 9},
		{ID: "failed", Status: score.StatusFailed},
		{ID: "early", Status: score.StatusScored, Values: []float64{0.5}, First: 2},
		{ID: "undefined", Status: score.StatusScored, Values: []float64{math.NaN()}},
		{ID: "none", Status: score.StatusEmpty, Values: []float64{0.5}},
		{ID: "b", Status: score.StatusScored, Values: []float64{0}},
		{ID: "a", Status: score.StatusScored, Values: []float64{0}},
	}}
	var got []string
	for _, q := range WorstFirst(s, 10) {
		got = append(got, q.ID)
	}
	if diff := cmp.Diff([]string{"a", "b", "none", "late", "early", "good"}, got); diff != "" {
		t.Error(diff)
	}
	if n := len(WorstFirst(s, 2)); n != 2 || s.Queries[0].ID != "good" {
		t.Errorf("%d queries, and the run begins with %s", n, s.Queries[0].ID)
	}
}

func TestCutoffs(t *testing.T) {
	for k, want := range map[int][]int{0: nil, 1: {1}, 3: {1, 2, 3}, 10: {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 22: {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 22}} {
		if got := Cutoffs(k); !slices.Equal(got, want) {
			t.Errorf("Cutoffs(%d) = %v", k, got)
		}
	}
}
