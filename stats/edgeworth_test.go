package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// From 2,000 units on no draws are made; the result must be the one that very many
// draws approach, for means and for ratios alike.
func TestEdgeworthAgainstDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	n := 2500
	xs, weights, clusters, strata := make([]float64, n), make([]float64, n), make([]string, n), make([]string, n)
	for i := range xs {
		xs[i] = math.Pow(r.Float64(), 6) // skewed
		weights[i] = 0.2 + r.ExpFloat64()
		strata[i] = string(rune('a' + i%3))
		clusters[i] = strata[i] + string(rune(1000+i/2/3*3))
	}
	for _, c := range []struct {
		name string
		d    Design
		draw bool
	}{
		{"simple", Design{}, false},
		{"weighted", Design{Weights: weights}, false},
		{"stratified", Design{Strata: strata, Weights: weights}, false},
		{"clusters below the limit", Design{Clusters: clusters}, true},
	} {
		l := must(c.d.layout(n))(t)
		col := l.column(xs)
		got, ok := col.edgeworthBCa(0.95)
		if ok == c.draw {
			t.Errorf("%s: expansion used = %v", c.name, ok)
			continue
		}
		if !ok {
			continue
		}
		replicates := bootstrapMeans([]column{col}, 100_000, 4)[0]
		want := BCa(replicates, col.mean, col.acceleration(), 0.95)
		// 100,000 draws leave about 0.008 standard errors of noise in each limit
		if math.Abs(got.Lo-want.Lo) > 0.03*col.se || math.Abs(got.Hi-want.Hi) > 0.03*col.se {
			t.Errorf("%s: expansion %v, draws %v, standard error %.2g", c.name, got, want, col.se)
		}
	}
}

func TestEdgeworthDeclinesHeavyTails(t *testing.T) {
	xs := make([]float64, 3000)
	xs[7], xs[8], xs[9] = 1, 1, 0.5
	l := must(Design{}.layout(len(xs)))(t)
	c := l.column(xs)
	if _, ok := c.edgeworthBCa(0.95); ok {
		t.Error("three non-zero scores were taken for nearly normal")
	}
}

func TestSolveInvertsBelow(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	xs := make([]float64, manyUnits)
	for i := range xs {
		xs[i] = r.Float64() * r.Float64()
	}
	l := must(Design{}.layout(len(xs)))(t)
	c := l.column(xs)
	for _, share := range []float64{0.005, 0.025, 0.5, 0.9, 0.975} {
		at := c.resampledSum(c.solve(share))
		near(t, "share", at.below(), share, 1e-8)
	}
}

// The cumulants of a resampled sum, against all 5^5 resamples.
func TestResampledSumAgainstEnumeration(t *testing.T) {
	xs := []float64{0.1, 0.2, 0.45, 0.8, 1}
	const at = 0.4
	var m1, m2, m3, m4 float64
	sums := make([]float64, 3125)
	for k := range sums {
		for rest, i := k, 0; i < 5; i++ {
			sums[k] += xs[rest%5] - at
			rest /= 5
		}
		m1 += sums[k] / 3125
	}
	for _, s := range sums {
		d := s - m1
		m2 += d * d / 3125
		m3 += d * d * d / 3125
		m4 += d * d * d * d / 3125
	}
	l := must(Design{}.layout(len(xs)))(t)
	c := l.column(xs)
	got := c.resampledSum(at)
	near(t, "mean", got.mean, m1, 1e-12)
	near(t, "variance", got.variance, m2, 1e-12)
	near(t, "skewness", got.skew, m3/math.Pow(m2, 1.5), 1e-10)
	near(t, "excess kurtosis", got.kurtosis, m4/(m2*m2)-3, 1e-10)
}
