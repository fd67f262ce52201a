package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestWilcoxon(t *testing.T) {
	// scipy.stats.wilcoxon(d, method='exact')
	near(t, "exact", WilcoxonTest(smallD), 0.10546875, 1e-14)
	// scipy.stats.wilcoxon(D[D != 0], method=stats.PermutationMethod(n_resamples=np.inf))
	near(t, "exact with ties", WilcoxonTest(differences(scoresA, scoresB)), 0.017242431640625, 1e-14)
	if p := WilcoxonTest([]float64{0, 0}); p != 1 {
		t.Errorf("no differences: p = %v", p)
	}
}

func TestWilcoxonApproximation(t *testing.T) {
	// d = [((i*37) % 101 - 45)/50 for i in range(150)]; scipy.stats.wilcoxon(d, method='asymptotic').pvalue
	d := make([]float64, 150)
	for i := range d {
		d[i] = float64((i*37)%101-45) / 50
	}
	near(t, "asymptotic", WilcoxonTest(d), 0.0614069822325911, 1e-12)
}

// Close to the limit the exact and the normal p-value must agree.
func TestWilcoxonExactAgainstNormal(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	d := make([]float64, maxExactRanks)
	for i := range d {
		d[i] = r.NormFloat64() + 0.15
	}
	exact := WilcoxonTest(d)
	var plus float64
	ranks, n := signedRanks(d)
	for _, r := range ranks {
		plus += max(float64(r), 0) / 2
	}
	m := float64(n)
	z := (plus - m*(m+1)/4) / math.Sqrt(m*(m+1)*(2*m+1)/24)
	if normal := math.Erfc(math.Abs(z) / math.Sqrt2); math.Abs(normal-exact) > 0.003 {
		t.Errorf("exact %v, normal %v", exact, normal)
	}
}

func TestHodgesLehmann(t *testing.T) {
	// Hamilton depression scale factor IV, Hollander and Wolfe table 3.1; R:
	// wilcox.test(x, y, paired = TRUE, conf.int = TRUE): 0.46, 0.010 to 0.786
	depression := []float64{0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01}
	centre, i := HodgesLehmann(depression, 0.95)
	near(t, "centre", centre, 0.46, 1e-12)
	nearInterval(t, "interval", i, 0.010, 0.786, 1e-12)
	// R, same page: p-value = 0.01953 one-sided
	near(t, "p", WilcoxonTest(depression), 2*0.01953125, 1e-12)
}

// Selection by bisection must find what sorting all pairwise means finds.
func TestHodgesLehmannAgainstSorting(t *testing.T) {
	// w = np.sort([(D[i] + D[j])/2 for i in range(24) for j in range(i, 24)]);
	// np.median(w), w[k-1], w[300-k] with k = 82 from the exact distribution
	centre, i := HodgesLehmann(differences(scoresA, scoresB), 0.95)
	near(t, "centre", centre, 0.065, 1e-12)
	nearInterval(t, "interval", i, 0.0, 0.12, 1e-12)
	if k := signedRankQuantile(24, 0.025); k != 82 {
		t.Errorf("k = %d, want 82", k)
	}
	one, i := HodgesLehmann([]float64{-2.5}, 0.95)
	if one != -2.5 || i != (Interval{-2.5, -2.5}) {
		t.Errorf("one difference: %v %v", one, i)
	}
}
