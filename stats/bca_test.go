package stats

import (
	"math"
	"slices"
	"testing"
)

func TestBCaFromReplicates(t *testing.T) {
	// z0 = norm.ppf(((rep < est).sum() + (rep <= est).sum()) / (2*len(rep))), levels
	// norm.cdf(z0 + (z0 ± z)/(1 − a(z0 ± z))), limits np.quantile(rep, levels)
	replicates := make([]float64, 200)
	for k := range replicates {
		i := float64(k + 1)
		replicates[k] = math.Sin(i)*0.1 + 0.5 + 0.002*float64((k+1)%7)
	}
	nearInterval(t, "95 %", BCa(slices.Clone(replicates), 0.505, 0.03, 0.95), 0.405246438703385, 0.6078023454406599, 1e-12)
	nearInterval(t, "80 %", BCa(slices.Clone(replicates), 0.505, 0.03, 0.80), 0.41301422559172346, 0.6005225323415913, 1e-12)
}

func TestBCaOneSided(t *testing.T) {
	// All replicates on one side of the estimate leave no bias correction: percentile.
	i := BCa([]float64{2, 3, 1, 4}, 0, 0, 0.95)
	nearInterval(t, "fallback", i, 0, 3.925, 1e-12)
}

func TestAcceleration(t *testing.T) {
	// jk = (A.sum() − A)/(len(A) − 1); U = (len(A) − 1)*(jk.mean() − jk);
	// (U**3).sum()/(U**2).sum()**1.5/6
	l := must(Design{}.layout(len(scoresA)))(t)
	c := l.column(scoresA)
	near(t, "acceleration", c.acceleration(), -0.016051816112776715, 1e-12)
	if a := Acceleration([]float64{1, 1, 1}); a != 0 {
		t.Errorf("acceleration without spread = %v", a)
	}
}

func TestExpandedConfidence(t *testing.T) {
	// 1 − 2*norm.cdf(−sqrt(24/23)*t.ppf(.975, 23))
	near(t, "expanded", ExpandedConfidence(0.95, 24), 0.9654120653821718, 1e-10)
	if got := ExpandedConfidence(0.95, 1); got != 0.95 {
		t.Errorf("one unit: %v", got)
	}
	if got := ExpandedConfidence(0.95, 1e6); math.Abs(got-0.95) > 1e-6 {
		t.Errorf("many units: %v", got)
	}
}

// The seeded bootstrap must agree with scipy.stats.bootstrap(method='BCa') of two
// million draws to within the noise of ten thousand.
func TestBootstrapAgainstSciPy(t *testing.T) {
	// scipy.stats.bootstrap((A,), np.mean, n_resamples=2_000_000, method='BCa',
	// confidence_level=0.9654120653821718, random_state=1)
	s := must(Summarize(scoresA, Design{}, Options{}))(t)
	nearInterval(t, "mean of A", s.Interval, 0.4345833333333333, 0.69875, 0.004)
	many := must(Summarize(scoresA, Design{}, Options{Draws: 1_000_000}))(t)
	nearInterval(t, "mean of A, many draws", many.Interval, 0.4345833333333333, 0.69875, 0.001)
	// The same with D
	i := must(PairedBootstrap(scoresA, scoresB, Design{}, Options{Draws: 1_000_000}))(t)
	nearInterval(t, "mean of D", i, 0.01041666666666666, 0.11041666666666666, 0.001)
	// scipy.stats.bootstrap((A,), np.mean, ..., confidence_level=.95)
	replicates := must(BootstrapMeans(scoresA, Design{}, Options{Draws: 1_000_000}))(t)
	l := must(Design{}.layout(len(scoresA)))(t)
	c := l.column(scoresA)
	nearInterval(t, "plain", BCa(replicates, c.mean, c.acceleration(), 0.95), 0.4454166666666666, 0.6904166666666667, 0.001)
}

// The bootstrap distribution of five scores has 5^5 points and can be counted.
func TestBootstrapAgainstEnumeration(t *testing.T) {
	xs := []float64{0.1, 0.2, 0.45, 0.8, 1}
	below := func(limit float64) float64 {
		n, hit := 3125, 0
		for k := range n {
			total := 0.0
			for range 5 {
				total += xs[k%5]
				k /= 5
			}
			if total/5 <= limit {
				hit++
			}
		}
		return float64(hit) / float64(n)
	}
	replicates := must(BootstrapMeans(xs, Design{}, Options{}))(t)
	for _, limit := range []float64{0.25, 0.35, 0.5, 0.633, 0.8} {
		at, _ := slices.BinarySearch(replicates, limit+1e-9)
		share := float64(at) / float64(len(replicates))
		if math.Abs(share-below(limit)) > 3.5*0.005 {
			t.Errorf("share of means up to %v: %.4f drawn, %.4f counted", limit, share, below(limit))
		}
	}
}
