package trec

import (
	"bytes"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

func results(list ...assay.Result) iter.Seq2[assay.Result, error] {
	return func(yield func(assay.Result, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// TestWrittenRankingComesBack: whatever the scores, a reader of either release sees the order that was
// written.
func TestWrittenRankingComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9]{1,3}`), 1, 8, rapid.ID).Draw(t, "ids")
		r := assay.Result{Query: "q"}
		score := rapid.SampledFrom([]float64{0, 1, 1 + 1e-12, 2, -1, 1e300, math.NaN(), math.Inf(1)})
		for _, id := range ids {
			r.Hits = append(r.Hits, assay.RankedHit{ID: id, Score: score.Draw(t, "score")})
		}
		var b bytes.Buffer
		if _, err := WriteRun(&b, "t", results(r)); err != nil {
			t.Fatal(err)
		}
		for _, release := range []Release{Release9, Release10} {
			got, err := parseBy(Dialect{Release: release}, b.String(), true)
			if err != nil {
				t.Fatalf("%v\n%s", err, b.String())
			}
			if len(got) != 1 || !slices.Equal(got[0].Docs, ids) {
				t.Fatalf("%v comes back as %v\n%s", ids, got, b.String())
			}
		}
	})
}

func TestWriteRun(t *testing.T) {
	var b bytes.Buffer
	replaced, err := WriteRun(&b, "t", results(
		assay.Result{Query: "1", Hits: []assay.RankedHit{{ID: "a", Score: 0.5}, {ID: "b", Score: 0.25}}},
		assay.Result{Query: "2", Hits: []assay.RankedHit{{ID: "a", Score: 1}, {ID: "b", Score: 1}}},
		assay.Result{Query: "3", Error: &assay.Failure{Kind: assay.KindTimeout}},
	))
	want := "1 Q0 a 1 0.5 t\n1 Q0 b 2 0.25 t\n2 Q0 a 1 2 t\n2 Q0 b 2 1 t\n"
	if err != nil || replaced != 1 || b.String() != want {
		t.Errorf("%v, %d replaced:\n%s", err, replaced, b.String())
	}
	for _, bad := range []assay.Result{{Query: "a b", Hits: []assay.RankedHit{{ID: "a"}}}, {Query: "1", Hits: []assay.RankedHit{{ID: "a\tb"}}}, {Query: "1", Hits: []assay.RankedHit{{}}}} {
		if _, err := WriteRun(&b, "t", results(bad)); !errors.Is(err, assay.ErrUsage) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestWriteQrels(t *testing.T) {
	var b bytes.Buffer
	if err := WriteQrels(&b, slices.Values([]Judgment{{"1", "a", 2}, {"1", "b", 0}})); err != nil || b.String() != "1 0 a 2\n1 0 b 0\n" {
		t.Errorf("%v %q", err, b.String())
	}
	if err := WriteQrels(&b, slices.Values([]Judgment{{"1", "", 2}})); err == nil || !strings.Contains(err.Error(), "document id") {
		t.Errorf("%v", err)
	}
}
