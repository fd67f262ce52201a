package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// quick keeps properties fast; they hold for any number of draws.
var quick = Options{Draws: 200, Flips: 300}

// queries is a random sample with a design: scores of one kind each time.
type queries struct {
	a, b []float64
	d    Design
}

func drawQueries(t *rapid.T) queries {
	n := rapid.IntRange(1, 60).Draw(t, "n")
	score := rapid.SampledFrom([]*rapid.Generator[float64]{
		rapid.Float64Range(0, 1),
		rapid.SampledFrom([]float64{0, 1}),
		rapid.SampledFrom([]float64{0, 1.0 / 3, 2.0 / 3, 1}),
		rapid.SampledFrom([]float64{0.5}),
		rapid.Float64Range(-50, 900),
	}).Draw(t, "kind")
	var q queries
	q.a = rapid.SliceOfN(score, n, n).Draw(t, "a")
	q.b = rapid.SliceOfN(score, n, n).Draw(t, "b")
	name := rapid.SampledFrom([]string{"", "x", "y", "z"})
	if rapid.Bool().Draw(t, "clustered") {
		q.d.Clusters = rapid.SliceOfN(name, n, n).Draw(t, "clusters")
	}
	if rapid.Bool().Draw(t, "stratified") {
		q.d.Strata = rapid.SliceOfN(name, n, n).Draw(t, "strata")
	}
	if rapid.Bool().Draw(t, "weighted") {
		q.d.Weights = rapid.SliceOfN(rapid.Float64Range(0, 3), n, n).Draw(t, "weights")
		q.d.Weights[0] = 1
	}
	return q
}

// shuffled lists the same queries in another order.
func (q queries) shuffled(seed uint64) queries {
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(q.a))
	out := queries{a: pick(q.a, order), b: pick(q.b, order)}
	out.d = Design{pick(q.d.Clusters, order), pick(q.d.Weights, order), pick(q.d.Strata, order)}
	return out
}

func pick[T any](xs []T, order []int) []T {
	if xs == nil {
		return nil
	}
	out := make([]T, len(order))
	for k, i := range order {
		out[k] = xs[i]
	}
	return out
}

func draw[T any](v T, err error) func(t *rapid.T) T {
	return func(t *rapid.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func sameJSON(t *rapid.T, what string, a, b any) {
	t.Helper()
	x, y := draw(json.Marshal(a))(t), draw(json.Marshal(b))(t)
	if string(x) != string(y) {
		t.Fatalf("%s:\n%s\n%s", what, x, y)
	}
}

func TestSummaryProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQueries(t)
		o := quick
		o.Assume = rapid.SampledFrom([]Assumption{AssumeNothing, AssumeNormal, AssumeSymmetric}).Draw(t, "assume")
		s := draw(Summarize(q.a, q.d, o))(t)
		if !s.finite() || !s.Contains(s.Mean) {
			t.Fatalf("interval %v of mean %v", s.Interval, s.Mean)
		}
		low, high := slices.Min(q.a), slices.Max(q.a)
		if tol := 1e-9 * max(1, math.Abs(low), math.Abs(high)); s.Mean < low-tol || s.Mean > high+tol {
			t.Fatalf("mean %v outside its scores [%v, %v]", s.Mean, low, high)
		}
		if bound := scoreRange(Interval{}, q.a); bound != (Interval{}) && (s.Lo < -1e-12 || s.Hi > 1+1e-12) {
			t.Fatalf("interval %v leaves [0, 1]", s.Interval)
		}
		if s.NEff > float64(s.N)+1e-9 || s.NEff <= 0 || s.Units > s.N {
			t.Fatalf("n %d, units %d, n_eff %v", s.N, s.Units, s.NEff)
		}
		sameJSON(t, "order of queries", s, draw(Summarize(q.shuffled(7).a, q.shuffled(7).d, o))(t))
	})
}

func TestComparisonProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQueries(t)
		o := quick
		o.Assume = rapid.SampledFrom([]Assumption{AssumeNothing, AssumeNormal, AssumeSymmetric}).Draw(t, "assume")
		c := draw(ComparePaired(q.a, q.b, q.d, o))(t)
		if !(c.P > 0 && c.P <= 1) || !c.finite() || !c.Contains(c.Diff) {
			t.Fatalf("%v by %q and %q", c, c.Test, c.Method)
		}
		if c.Wins+c.Ties+c.Losses != c.N {
			t.Fatalf("%d + %d + %d of %d queries", c.Wins, c.Ties, c.Losses, c.N)
		}
		if c.Method == MethodInversion && c.P > 0.05 && !c.Contains(0) {
			t.Fatalf("p = %v, yet 0 lies outside %v", c.P, c.Interval)
		}
		sameJSON(t, "order of queries", c, draw(ComparePaired(q.shuffled(3).a, q.shuffled(3).b, q.shuffled(3).d, o))(t))
		swapped := draw(ComparePaired(q.b, q.a, q.d, o))(t)
		mirrored := swapped
		mirrored.MeanA, mirrored.MeanB = swapped.MeanB, swapped.MeanA
		mirrored.Wins, mirrored.Losses = swapped.Losses, swapped.Wins
		mirrored.Interval, mirrored.Diff = swapped.mirror(), 0-swapped.Diff
		if c.Dz != nil {
			dz := 0 - *swapped.Dz
			mirrored.Dz = &dz
		}
		if has(c.Warnings, WarnDegenerate) { // its message names the difference
			return
		}
		sameJSON(t, "A and B swapped", c, mirrored)
	})
}

// A measure must get the same result beside others as alone.
func TestMeasuresDoNotDisturbEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQueries(t)
		half := make([]float64, len(q.a))
		for i := range half {
			half[i] = q.a[i] / 2
		}
		summaries := draw(SummarizeAll([][]float64{half, q.a, q.b}, q.d, quick))(t)
		sameJSON(t, "summary", summaries[1], draw(Summarize(q.a, q.d, quick))(t))
		comparisons := draw(ComparePairedAll([][]float64{half, q.a}, [][]float64{q.b, q.b}, q.d, quick))(t)
		sameJSON(t, "comparison", comparisons[1], draw(ComparePaired(q.a, q.b, q.d, quick))(t))
	})
}

func TestQuantileProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQueries(t)
		q.d.Weights = nil
		share := rapid.Float64Range(0.01, 0.99).Draw(t, "share")
		s := draw(SummarizeQuantile(q.a, share, q.d, quick))(t)
		if !s.finite() || !s.Contains(s.Value) || s.Lo < slices.Min(q.a) || s.Hi > slices.Max(q.a) {
			t.Fatalf("%v of %v", s, q.a)
		}
		sameJSON(t, "order", s, draw(SummarizeQuantile(q.shuffled(5).a, share, q.shuffled(5).d, quick))(t))
	})
}

func TestAgreementProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		grade := rapid.IntRange(0, 3)
		a, b := rapid.SliceOfN(grade, n, n).Draw(t, "a"), rapid.SliceOfN(grade, n, n).Draw(t, "b")
		w := rapid.SampledFrom([]Weighting{Unweighted, LinearWeights, QuadraticWeights}).Draw(t, "weighting")
		k := draw(CohenKappa(a, b, w, Design{}, quick))(t)
		if k.Value != nil && (*k.Value > 1 || *k.Value < -1 || !k.Contains(*k.Value) || k.Lo < -1 || k.Hi > 1) {
			t.Fatalf("%v", k)
		}
		back := draw(CohenKappa(b, a, w, Design{}, quick))(t)
		if (k.Value == nil) != (back.Value == nil) || (k.Value != nil && math.Abs(*k.Value-*back.Value) > 1e-12) {
			t.Fatalf("kappa is not symmetric: %v, %v", k, back)
		}
		items := make([][]float64, n)
		for i := range items {
			items[i] = []float64{float64(a[i]), float64(b[i])}
		}
		scale := rapid.SampledFrom([]Scale{NominalScale, OrdinalScale, IntervalScale}).Draw(t, "scale")
		alpha := draw(KrippendorffAlpha(items, scale, Design{}, quick))(t)
		order := rand.New(rand.NewPCG(1, 1)).Perm(n)
		sameJSON(t, "order of items", alpha, draw(KrippendorffAlpha(pick(items, order), scale, Design{}, quick))(t))
		sameJSON(t, "order of items", k, draw(CohenKappa(pick(a, order), pick(b, order), w, Design{}, quick))(t))
	})
}
