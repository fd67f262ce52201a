package stats

import (
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestWilson(t *testing.T) {
	// statsmodels.stats.proportion.proportion_confint(k, n, alpha, method='wilson')
	for _, c := range []struct{ k, n, confidence, lo, hi float64 }{
		{0, 20, 0.95, 0, 0.1611251580528194},
		{17, 20, 0.95, 0.639581135259243, 0.9476312541037833},
		{20, 20, 0.95, 0.8388748419471804, 1},
		{45, 50, 0.95, 0.7863976856252034, 0.9565242350681095},
		{970, 1000, 0.95, 0.9574965858524128, 0.9789062611711653},
		{17, 20, 0.99, 0.5644132797389441, 0.9612129394919282},
	} {
		nearInterval(t, "Wilson", Wilson(c.k, c.n, c.confidence), c.lo, c.hi, 1e-12)
	}
}

// Coverage summed over all outcomes, for rates of 0.005 to 0.995 at n = 50.
func TestWilsonExactCoverage(t *testing.T) {
	const n = 50
	total, least := 0.0, 1.0
	for step := 1; step < 200; step++ {
		p := float64(step) / 200
		b := distuv.Binomial{N: n, P: p}
		covered := 0.0
		for k := range n + 1 {
			if Wilson(float64(k), n, 0.95).Contains(p) {
				covered += b.Prob(float64(k))
			}
		}
		total += covered
		least = min(least, covered)
	}
	// scipy.stats.binom.pmf(k, n, p)[(lo <= p) & (p <= hi)].sum() with lo, hi of
	// proportion_confint(k, n, method='wilson')
	near(t, "mean coverage", total/199, 0.9517369637195612, 1e-9)
	near(t, "least coverage", least, 0.9105646869039692, 1e-9)
}

func TestWilsonEffective(t *testing.T) {
	// Every query appears twice in its cluster: the interval must be that of half as
	// many queries, with t instead of z.
	xs, clusters := []float64{}, []string{}
	for i, x := range hitsA {
		xs = append(xs, x, x)
		clusters = append(clusters, string(rune('a'+i)), string(rune('a'+i)))
	}
	s := must(Summarize(xs, Design{Clusters: clusters}, Options{}))(t)
	if s.Method != MethodWilsonEffective || s.Units != 24 || s.NEff != 24 {
		t.Fatalf("method %q, %d units, n_eff %v", s.Method, s.Units, s.NEff)
	}
	p := 19.0 / 24
	// n* = p(1−p)/SE² with SE² = p(1−p)/(24−1); t quantile 2.0687 of 23 degrees
	want := scoreInterval(p, 23, 2.0686576104190406) // scipy.stats.t.ppf(.975, 23)
	nearInterval(t, "clustered", s.Interval, want.Lo, want.Hi, 1e-9)
}
