package gate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/stats"
)

// TestEqualRankingsPassEveryDropRule, whatever the margin, from 30 queries on.
func TestEqualRankingsPassEveryDropRule(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.25, 0.5, 1}), 30, 90).Draw(rt, "values")
		margins := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"0.0001", "0.001", "0.01", "0.1", "0.9"}), 1, 5, func(s string) string { return s }).Draw(rt, "margins")
		var texts []string
		for _, m := range margins {
			texts = append(texts, "recall@10 drop < "+m, "mrr@10 drop <= "+m)
		}
		v := judge(t, side("same", values...), side("same", values...), texts...)
		for _, r := range v.Rules {
			if r.Outcome != gate.Pass {
				rt.Fatalf("%s: %s, %s", r.Rule, r.Outcome, r.Reason)
			}
		}
	})
}

// TestRemovingEveryRelevantResultIsARegression: a run that lost all its answers never gets through, on any rule about them,
// as long as ten queries had one to lose.
func TestRemovingEveryRelevantResultIsARegression(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(30, 120).Draw(rt, "n")
		found := rapid.SliceOfN(rapid.SampledFrom([]float64{0.25, 0.5, 1}), 10, n).Draw(rt, "found")
		values := append(make([]float64, n-len(found)), found...)
		mean := 0.0
		for _, v := range values {
			mean += v / float64(n)
		}
		margin := rapid.SampledFrom([]string{"0.001", "0.01", "0.02"}).Draw(rt, "margin")
		v := judge(t, side("new", make([]float64, n)...), side("old", values...), "recall@10 drop < "+margin, "mrr@10 drop < "+margin, "ndcg@10 drop < "+margin)
		if v.Outcome != gate.Regression || v.ExitCode != 3 {
			rt.Fatalf("mean %v lost: %s, %s", mean, v.Outcome, v.Reason)
		}
		for _, r := range v.Rules {
			if r.Outcome != gate.Regression {
				rt.Fatalf("%s: %s, %s", r.Rule, r.Outcome, r.Reason)
			}
		}
	})
}

// TestWiderMarginNeverHurts: what passes a margin passes every wider one.
func TestWiderMarginNeverHurts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		n := rapid.IntRange(30, 60).Draw(rt, "n")
		a, b := noisy(rng, n), noisy(rng, n)
		v := judge(t, side("new", b...), side("old", a...), "recall@10 drop < 0.05", "recall@10 drop < 0.1", "recall@10 drop < 0.2", "recall@10 drop < 0.4")
		passed := false
		for _, r := range v.Rules {
			if passed && r.Outcome != gate.Pass {
				rt.Fatalf("%s: %s after a narrower one passed", r.Rule, r.Reason)
			}
			passed = r.Outcome == gate.Pass
		}
	})
}

// noise makes two runs of one system that varies: per query a common difficulty, and what each run makes of it by chance.
func noise(rng *rand.Rand, n int) (a, b []float64) {
	a, b = make([]float64, n), make([]float64, n)
	for i := range a {
		hard := rng.Float64()
		draw := func() float64 {
			hits := 0
			for range 3 {
				if rng.Float64() > hard {
					hits++
				}
			}
			return float64(hits) / 3
		}
		a[i] = draw()
		if b[i] = a[i]; rng.Float64() < 0.4 {
			b[i] = draw()
		}
	}
	return a, b
}

// TestNoiseIsRarelyARegression: of 1,000 pairs of runs that differ by chance alone at most 5 % are called a regression, by one
// rule and by five.
func TestNoiseIsRarelyARegression(t *testing.T) {
	for _, texts := range [][]string{
		{"recall@10 drop < 0.02"},
		{"recall@10 drop < 0.02", "recall@9 drop < 0.02", "recall@8 drop < 0.02", "recall@7 drop < 0.02", "recall@6 drop < 0.02"},
	} {
		rng := rand.New(rand.NewPCG(11, uint64(len(texts))))
		called, passed := 0, 0
		for range 1000 {
			a, b := noise(rng, 100)
			base, candidate := side("old", a...), side("new", b...)
			for range len(texts) - 1 { // measures of their own, as unlike as they can be
				c, d := noise(rng, 100)
				for i := range c {
					base.Queries[i].Values = append(base.Queries[i].Values, c[i])
					candidate.Queries[i].Values = append(candidate.Queries[i].Values, d[i])
				}
			}
			switch judge(t, candidate, base, texts...).Outcome {
			case gate.Regression:
				called++
			case gate.Pass:
				passed++
			}
		}
		t.Logf("%d rules: %d of 1000 called a regression, %d passed", len(texts), called, passed)
		if called > 50 {
			t.Errorf("%d rules: %d of 1000 pairs that differ by noise were called a regression", len(texts), called)
		}
	}
}

// TestTrueDropIsFound: a drop of twice the minimum detectable difference is called a regression in at least 95 % of the runs.
func TestTrueDropIsFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	const n, runs = 200, 400
	// The detectable difference of this noise at n queries, from a large sample of it.
	a, b := noise(rng, 20_000)
	sum, squares := 0.0, 0.0
	for i := range a {
		d := a[i] - b[i]
		sum, squares = sum+d, squares+d*d
	}
	mean := sum / float64(len(a))
	mdd := stats.MinimumDetectable(math.Sqrt(squares/float64(len(a))-mean*mean), n, 0.05, 0.8)
	found := 0
	for range runs {
		a, b := noise(rng, n)
		drop(rng, b, 2*mdd)
		if judge(t, side("new", b...), side("old", a...), "recall@10 drop < 0.02", "mrr@10 drop < 0.02", "ndcg@10 drop < 0.02").Outcome == gate.Regression {
			found++
		}
	}
	t.Logf("a drop of %.4f (twice %.4f) was found in %d of %d", 2*mdd, mdd, found, runs)
	if found < runs*95/100 {
		t.Errorf("a drop of %.4f, twice the detectable difference, was found in %d of %d runs", 2*mdd, found, runs)
	}
}

// drop lowers the expected score of every query alike, by losing answers at random.
func drop(rng *rand.Rand, scores []float64, by float64) {
	mean := 0.0
	for _, s := range scores {
		mean += s / float64(len(scores))
	}
	lose := by / mean
	for i := range scores {
		for range int(math.Round(3 * scores[i])) {
			if rng.Float64() < lose {
				scores[i] = max(0, scores[i]-1.0/3)
			}
		}
	}
}

// TestSameInputSameVerdict: seeds are stored, and the order of the queries cannot show.
func TestSameInputSameVerdict(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	a, b := noise(rng, 80)
	base, candidate := side("old", a...), side("new", b...)
	texts := []string{"recall@10 drop < 0.02", "recall@10 >= 0.4", "latency_p50_ms < 9"}
	want := judge(t, candidate, base, texts...)
	for _, s := range []*compare.Side{base, candidate} {
		rng.Shuffle(len(s.Queries), func(i, j int) { s.Queries[i], s.Queries[j] = s.Queries[j], s.Queries[i] })
	}
	got := judge(t, candidate, base, texts...)
	if !slices.EqualFunc(want.Rules, got.Rules, func(x, y gate.RuleResult) bool { return x.Reason == y.Reason && *x.Interval == *y.Interval }) {
		t.Errorf("%+v\nwant %+v", got.Rules, want.Rules)
	}
}
