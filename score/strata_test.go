package score_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/score"
)

func eq(field string, v any) *assay.Filter { return &assay.Filter{Field: field, Eq: v} }

func covered(c float64) *assay.Leakage { return &assay.Leakage{ContentCoverage: c} }

var strataQueries = []assay.Query{
	{ID: "a", Text: "backup days", Tags: []string{"ops", "log"}, Leakage: covered(0), Origin: &assay.Origin{Method: "llm", Style: "keywords", Language: "en"}},
	{ID: "b", Text: "How long are the backups of a space kept?", Filter: eq("lang", "de"), Leakage: covered(0.5), Origin: &assay.Origin{Method: "llm", Style: "question", Language: "en"}},
	{ID: "c", Text: "Wie lange werden die Sicherungen eines Bereichs auf dem zweiten Server aufgehoben?", Filter: eq("team", "x"), Leakage: covered(0.5), Origin: &assay.Origin{Method: "llm", Style: "question", Language: "de"}},
	{ID: "d", Text: "restore", Tags: []string{"ops"}, Leakage: covered(1)},
}

// shape is facet, value and queries of strata, one a line.
func shape(strata []score.Stratum) []string {
	var out []string
	for _, s := range strata {
		out = append(out, fmt.Sprintf("%s=%s %v", s.Name, s.Value, s.Queries))
	}
	return out
}

func TestCopiedWordsAreCutAtTheirTerciles(t *testing.T) {
	var queries []assay.Query
	for i, n := range []int{1, 2, 2, 3, 3, 4, 5, 7, 9} {
		queries = append(queries, assay.Query{ID: fmt.Sprint(i), Leakage: &assay.Leakage{LongestSharedNgram: n}})
	}
	queries = append(queries, assay.Query{ID: "unknown"})
	want := []string{"copied=1–2 words in a row [0 1 2]", "copied=3–4 words in a row [3 4 5]", "copied=5–9 words in a row [6 7 8]"}
	if diff := cmp.Diff(want, shape(score.Strata(queries, score.StrataOptions{Facets: []score.Facet{score.ByCopied}}))); diff != "" {
		t.Error(diff)
	}
}

func TestStrata(t *testing.T) {
	selectivity := func(f *assay.Filter) (float64, bool) { return 0.02, f.Field == "lang" }
	for _, tc := range []struct {
		name string
		opts score.StrataOptions
		want []string
	}{
		{"what tells apart", score.StrataOptions{Selectivity: selectivity}, []string{
			"filter=filtered [b c]", "filter=none [a d]",
			"selectivity=no filter [a d]", "selectivity=1–10 % [b]", "selectivity=not counted [c]",
			"style=keywords [a]", "style=question [b c]",
			"language=de [c]", "language=en [a b]",
			"length=short [a d]", "length=medium [b]", "length=long [c]",
			"leakage=coverage 0.00–0.00 [a]", "leakage=coverage 0.50–0.50 [b c]", "leakage=coverage 1.00–1.00 [d]",
			"tag=log [a]", "tag=ops [a d]",
		}},
		{"asked for, though all are one", score.StrataOptions{Facets: []score.Facet{score.ByOrigin}}, []string{"origin=llm [a b c]"}},
		{"nothing counted", score.StrataOptions{Facets: []score.Facet{score.BySelectivity}}, []string{"selectivity=no filter [a d]", "selectivity=not counted [b c]"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, shape(score.Strata(strataQueries, tc.opts))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSelectivityBounds puts shares at the bounds of the classes.
func TestSelectivityBounds(t *testing.T) {
	for share, want := range map[float64]string{1: "over 50 %", 0.5: "10–50 %", 0.1: "10–50 %", 0.09: "1–10 %", 0.01: "1–10 %", 0.001: "0.1–1 %", 0.0009: "under 0.1 %", 0: "under 0.1 %"} {
		got := score.Strata(strataQueries[1:2], score.StrataOptions{Facets: []score.Facet{score.BySelectivity},
			Selectivity: func(*assay.Filter) (float64, bool) { return share, true }})
		if len(got) != 1 || got[0].Value != want {
			t.Errorf("%g is in %v, want %s", share, got, want)
		}
	}
}

// TestStrataPartition: every facet but tags puts a query into one stratum at most, and thirds of the leakage
// hold every query once, in order.
func TestStrataPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var queries []assay.Query
		for i, c := range rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 40).Draw(t, "coverage") {
			queries = append(queries, assay.Query{ID: fmt.Sprint(i), Text: "x", Leakage: covered(math.Round(c*8) / 8)})
		}
		seen, values := map[string]bool{}, map[string]float64{}
		for _, q := range queries {
			values[q.ID] = q.Leakage.ContentCoverage
		}
		low := -1.0
		strata := score.Strata(queries, score.StrataOptions{Facets: []score.Facet{score.ByLeakage}})
		for _, s := range strata {
			high := low
			for _, id := range s.Queries {
				if seen[id] || values[id] <= low {
					t.Fatalf("%s is in two strata, or below the one before: %v", id, shape(strata))
				}
				seen[id] = true
				high = max(high, values[id])
			}
			low = high
		}
		if len(seen) != len(queries) || len(strata) > 3 {
			t.Fatalf("%d of %d queries in %v", len(seen), len(queries), shape(strata))
		}
	})
}

// TestSplit scores strata apart: of two queries one finds its passage, and the mean of each stratum is its
// own query's score.
func TestSplit(t *testing.T) {
	set := newSet(t, []assay.Query{{ID: "a", Text: "a"}, {ID: "b", Text: "b", Filter: eq("lang", "de")}, {ID: "c", Text: "c"}},
		label("a", 3, assay.Target{Chunk: "x"}), label("b", 3, assay.Target{Chunk: "y"}))
	s := mustScore(t, set, texts{}, measures(t, "recall@10", "mrr@10"), score.Options{},
		assay.Result{Query: "a", Hits: hits("z", "x")}, assay.Result{Query: "b", Hits: hits("z")}, assay.Result{Query: "c", Hits: hits("z")})
	splits, err := s.Split(score.Strata(set.Queries(), score.StrataOptions{Facets: []score.Facet{score.ByFilter}}))
	if err != nil {
		t.Fatal(err)
	}
	if len(splits) != 2 || splits[0].Value != "filtered" || splits[1].Value != "none" {
		t.Fatalf("strata %+v", splits)
	}
	if m := splits[0].Means; m[0].Value != 0 || m[0].Scored != 1 || m[0].Summary == nil {
		t.Errorf("filtered: %+v", m)
	}
	if m := splits[1].Means; m[0].Value != 1 || m[1].Value != 0.5 || m[1].Scored != 1 || splits[1].Counts.Unlabelled != 1 {
		t.Errorf("unfiltered: %+v, counts %+v", m, splits[1].Counts)
	}
}

// A curve is made of the pass that makes the means, and changes nothing about them.
func TestMeasuresBesideAreTheSameAlone(t *testing.T) {
	set := newSet(t, []assay.Query{{ID: "q", Text: "q"}, {ID: "r", Text: "r"}, {ID: "s", Text: "s"}},
		label("q", 3, assay.Target{Chunk: "a"}), label("q", 3, assay.Target{Chunk: "b"}), label("r", 3, assay.Target{Chunk: "a"}))
	results := []assay.Result{{Query: "q", Hits: hits("a", "x", "b")}, {Query: "r", Hits: hits("x", "a")}, {Query: "s", Hits: hits("a")}}
	head, curve := measures(t, "mrr@3"), measures(t, "recall@1", "recall@3")
	opts := score.Options{K: 3}
	plain, alone := mustScore(t, set, texts{}, head, opts, results...), mustScore(t, set, texts{}, curve, opts, results...)
	opts.Beside = curve
	both := mustScore(t, set, texts{}, head, opts, results...)
	if diff := cmp.Diff(alone.Means, both.Beside); diff != "" || both.Beside[0].Value != 0.25 || both.Beside[0].Ceiling == nil {
		t.Errorf("%s %+v", diff, both.Beside)
	}
	if diff := cmp.Diff(plain.Means, both.Means) + cmp.Diff(plain.Warnings, both.Warnings); diff != "" {
		t.Error(diff)
	}
}
