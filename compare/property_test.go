package compare_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/stats"
)

// TestSwappingSidesMirrors: A against B says the opposite of B against A, in every number.
func TestSwappingSidesMirrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]float64{0, 0.25, 1.0 / 3, 0.5, 1})
		a := rapid.SliceOfN(value, 1, 40).Draw(t, "a")
		b := rapid.SliceOfN(value, len(a), len(a)).Draw(t, "b")
		opts := compare.Options{Stats: stats.Options{Flips: 500}}
		there, err := compare.Run(compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{side("a", a...), side("b", b...)}, Options: opts})
		if err != nil {
			t.Fatal(err)
		}
		back, err := compare.Run(compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{side("b", b...), side("a", a...)}, Options: opts})
		if err != nil {
			t.Fatal(err)
		}
		x, y := there.Pairs[0].Measures[0], back.Pairs[0].Measures[0]
		if x.Diff != 0-y.Diff || x.P != y.P || x.Wins != y.Losses || x.Ties != y.Ties || *x.MeanA != *y.MeanB || x.Interval.Lo != 0-y.Interval.Hi {
			t.Fatalf("%+v\n%+v", x.Test, y.Test)
		}
	})
}

// TestOrderOfQueriesCannotShow: the order in which a run answered is no part of the result.
func TestOrderOfQueriesCannotShow(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	a, b := make([]float64, 80), make([]float64, 80)
	for i := range a {
		a[i], b[i] = rng.Float64(), rng.Float64()
	}
	in := compare.Input{Measures: measures("ndcg@10"), Sides: []compare.Side{side("a", a...), side("b", b...)}, Options: compare.Options{Stats: stats.Options{Flips: 1000, Draws: 500}}}
	want, err := json.Marshal(run(t, in))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range in.Sides {
		rng.Shuffle(len(s.Queries), func(i, j int) { s.Queries[i], s.Queries[j] = s.Queries[j], s.Queries[i] })
	}
	if got, err := json.Marshal(run(t, in)); err != nil || string(got) != string(want) {
		t.Errorf("shuffled: %s\nwant: %s (%v)", got, want, err)
	}
}

// TestEveryResultIsJSON: whatever the scores, no number of a result is one that JSON does not have.
func TestEveryResultIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]float64{0, 0.5, 1, 7.25, math.NaN()})
		rows := func(label string) [][]float64 {
			return rapid.SliceOfN(rapid.OneOf(rapid.Just([]float64(nil)), rapid.SliceOfN(value, 3, 3)), 3, 3).Draw(t, label)
		}
		in := compare.Input{Measures: measures("dcg@10", "gm_map", "num_ret"), Sides: []compare.Side{sideOf("a", rows("a")), sideOf("b", rows("b")), sideOf("c", rows("c"))},
			Options: compare.Options{Stats: stats.Options{Flips: 100, Draws: 100}}}
		res, err := compare.Run(in)
		if err != nil {
			t.Fatal(err)
		}
		res.Queries = slices.Collect(res.Rows())
		if _, err := json.Marshal(res); err != nil {
			t.Fatal(err)
		}
	})
}
