package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestDrawnQuantileIsThatOfTheDraw holds the walk from the top against sorting the drawn sample.
func TestDrawnQuantileIsThatOfTheDraw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Float64Range(0, 9), 1, 12).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float64Range(0, 9), len(a), len(a)).Draw(t, "b")
		units := rapid.SliceOfN(rapid.IntRange(0, len(a)-1), len(a), len(a)).Draw(t, "draw")
		q := rapid.Float64Range(0.01, 0.99).Draw(t, "q")
		ra, rb := rankedPairs(a, b)
		times := make([]int32, len(a))
		for _, u := range units {
			times[u]++
		}
		for _, r := range []ranked{ra, rb} {
			var drawn []float64
			for k, u := range r.unit {
				for range times[u] {
					drawn = append(drawn, r.x[k])
				}
			}
			if got, want := r.drawn(times, q), Quantile(drawn, q); math.Abs(got-want) > 1e-12 {
				t.Fatalf("%v-quantile of %v is %v, want %v", q, drawn, got, want)
			}
		}
	})
}

func TestCompareQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	n := 400
	a, b := make([]float64, n), make([]float64, n)
	for i := range a {
		common := math.Exp(rng.NormFloat64()) // what a query costs whoever answers
		b[i], a[i] = 50*common, 60*common+rng.Float64()
	}
	all, err := CompareQuantiles(a, b, []float64{0.5, 0.95}, Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.Diff != c.ValueA-c.ValueB || !c.Contains(c.Diff) || c.Lo <= 0 {
			t.Errorf("p%.0f: diff %v in %v", 100*c.Q, c.Diff, c.Interval)
		}
		// Pairing cancels what the queries cost: the ratio is known to a few percent although the times vary tenfold.
		if c.Ratio == nil || !c.RatioInterval.Contains(*c.Ratio) || c.RatioInterval.Width() > 0.05 || math.Abs(*c.Ratio-1.2) > 0.05 {
			t.Errorf("p%.0f: ratio %v in %v", 100*c.Q, *c.Ratio, c.RatioInterval)
		}
	}
	// The order of the queries cannot show, and swapping the sides mirrors the difference.
	order := rng.Perm(n)
	pa, pb := make([]float64, n), make([]float64, n)
	for i, j := range order {
		pa[i], pb[i] = a[j], b[j]
	}
	again, err := CompareQuantiles(pa, pb, []float64{0.5, 0.95}, Options{Seed: 3})
	if err != nil || again[1].Interval != all[1].Interval {
		t.Errorf("another order of the queries gives %v, want %v (%v)", again[1].Interval, all[1].Interval, err)
	}
	same, err := CompareQuantiles(a, a, []float64{0.9}, Options{})
	if err != nil || same[0].Interval != (Interval{}) || *same[0].RatioInterval != (Interval{1, 1}) {
		t.Errorf("a sample against itself: %+v, %v", same, err)
	}
}

// TestCompareQuantilesCovers: the interval of the difference of two medians holds the truth about as often as it says.
func TestCompareQuantilesCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	samples, covered := 300, 0
	for s := range samples {
		a, b := make([]float64, 120), make([]float64, 120)
		for i := range a {
			x := rng.NormFloat64()
			a[i], b[i] = x+rng.NormFloat64()/2+1, x+rng.NormFloat64()/2
		}
		c, err := CompareQuantiles(a, b, []float64{0.5}, Options{Seed: uint64(s), Draws: 500})
		if err != nil {
			t.Fatal(err)
		}
		if c[0].Contains(1) {
			covered++
		}
	}
	if covered < samples*91/100 {
		t.Errorf("the truth lies in %d of %d intervals", covered, samples)
	}
}

func TestCompareQuantilesRefuses(t *testing.T) {
	for name, err := range map[string]error{
		"length":   second(CompareQuantiles([]float64{1}, []float64{1, 2}, []float64{0.5}, Options{})),
		"quantile": second(CompareQuantiles([]float64{1}, []float64{1}, []float64{1}, Options{})),
		"NaN":      second(CompareQuantiles([]float64{math.NaN()}, []float64{1}, []float64{0.5}, Options{})),
		"empty":    second(CompareQuantiles(nil, nil, []float64{0.5}, Options{})),
		"options":  second(CompareQuantiles([]float64{1}, []float64{1}, []float64{0.5}, Options{Draws: 1})),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	zero, err := CompareQuantiles([]float64{1, 2}, []float64{0, 0}, []float64{0.5}, Options{})
	if err != nil || zero[0].Ratio != nil || !slices.ContainsFunc(zero[0].Warnings, func(w Warning) bool { return w.Kind == WarnFewTail }) {
		t.Errorf("against zeros: %+v, %v", zero, err)
	}
}

func second[T any](_ T, err error) error { return err }
