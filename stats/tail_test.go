package stats

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

var times = []float64{12.1, 15.3, 11.8, 90.2, 13.4, 14.4, 12.9, 17.7, 13.3, 12.2, 16.5, 13.9, 14.1, 12.7, 25.6, 13.0, 12.4, 18.9, 14.8, 13.6, 15.9, 12.5, 13.8, 33.1, 14.0, 12.0, 16.1, 13.1, 14.6, 15.0}

func upTo(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = float64(n - i)
	}
	return xs
}

func TestQuantile(t *testing.T) {
	// np.quantile(A, q)
	for q, want := range map[float64]float64{0: 0, 0.05: 0, 0.25: 0.3825, 0.5: 0.62, 0.9: 0.941, 0.95: 0.9924999999999999, 1: 1} {
		near(t, "quantile", Quantile(scoresA, q), want, 1e-14)
	}
	if !math.IsNaN(Quantile(nil, 0.5)) || Quantile([]float64{7}, 0.95) != 7 {
		t.Error("quantile of none or one value")
	}
}

func TestOrderStatistics(t *testing.T) {
	// scipy.stats.quantile_test(x, q=0, p=q).confidence_interval(.95)
	for _, c := range []struct {
		xs        []float64
		q, lo, hi float64
	}{
		{times, 0.5, 13.1, 15.0}, {times, 0.8, 14.6, 33.1}, {upTo(200), 0.95, 184, 197},
	} {
		i, covered := OrderStatistics(c.xs, c.q, 0.95)
		if i != (Interval{c.lo, c.hi}) || covered < 0.95 {
			t.Errorf("q = %v: %v covering %.3f, want [%v, %v]", c.q, i, covered, c.lo, c.hi)
		}
	}
}

func TestOrderStatisticsTooFew(t *testing.T) {
	// Sure to hold the 95th percentile only if one of 30 values lies above it.
	i, covered := OrderStatistics(times, 0.95, 0.95)
	if i.Hi != 90.2 {
		t.Errorf("upper limit %v, want the largest value", i.Hi)
	}
	near(t, "covered", covered, 1-math.Pow(0.95, 30)-0.0156, 5e-4) // binom.cdf(25, 30, .95) = .0156
	s := must(SummarizeQuantile(times, 0.95, Design{}, Options{}))(t)
	if !has(s.Warnings, WarnFewTail) || !strings.Contains(s.Warnings[len(s.Warnings)-1].Message, "72 values are enough") {
		t.Errorf("warnings %v", s.Warnings)
	}
	for n, few := range map[int]bool{70: true, 72: false, 200: false} {
		if s := must(SummarizeQuantile(upTo(n), 0.95, Design{}, Options{}))(t); has(s.Warnings, WarnFewTail) != few {
			t.Errorf("%d values: warnings %v", n, s.Warnings)
		}
	}
}

func TestSummarizeQuantileClusters(t *testing.T) {
	// Repeats of a query are no new evidence: the interval is that of the queries.
	single := must(SummarizeQuantile(times, 0.5, Design{Clusters: make([]string, 30)}, Options{}))(t)
	var repeated []float64
	var clusters []string
	for i, x := range times {
		for range 10 {
			repeated, clusters = append(repeated, x), append(clusters, string(rune('A'+i)))
		}
	}
	s := must(SummarizeQuantile(repeated, 0.5, Design{Clusters: clusters}, Options{}))(t)
	if s.Method != MethodPercentile || s.Units != 30 || !has(s.Warnings, WarnClusters) {
		t.Errorf("%+v", s)
	}
	if math.Abs(s.Lo-single.Lo) > 0.15 || math.Abs(s.Hi-single.Hi) > 0.3 {
		t.Errorf("repeated %v, single %v", s, single)
	}
	naive, _ := OrderStatistics(repeated, 0.5, 0.95)
	if naive.Width() > s.Width()/2 {
		t.Errorf("naive %v is not much narrower than %v", naive, s)
	}
}

// The bootstrap distribution of an order statistic is known: P(x*_(k) ≤ x_(j)) =
// P(Binomial(n, j/n) ≥ k).
func TestBootstrapQuantilesDistribution(t *testing.T) {
	xs := upTo(21) // the median of 21 is an order statistic
	l := must(Design{Clusters: make([]string, 21)}.layout(21))(t)
	o, _ := Options{}.withDefaults()
	medians := l.bootstrapQuantiles(xs, 0.5, o)
	below := 0
	for _, m := range medians {
		if m <= 9 {
			below++
		}
	}
	// scipy.stats.binom.sf(10, 21, 9/21)
	near(t, "share of medians up to 9", float64(below)/float64(len(medians)), 0.2527304797751216, 0.017)
}

func TestSummarizeQuantileMisuse(t *testing.T) {
	for name, call := range map[string]func() error{
		"share":   func() error { _, err := SummarizeQuantile(times, 95, Design{}, Options{}); return err },
		"weights": func() error { _, err := SummarizeQuantile(times, 0.5, Design{Weights: times}, Options{}); return err },
		"NaN":     func() error { _, err := SummarizeQuantile([]float64{math.NaN()}, 0.5, Design{}, Options{}); return err },
		"empty":   func() error { _, err := SummarizeQuantile(nil, 0.5, Design{}, Options{}); return err },
	} {
		if call() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// The ranks found by bisection must be the outermost ones that the definition allows.
func TestOrderRanksAgainstDefinition(t *testing.T) {
	for _, n := range []int{1, 2, 5, 30, 71, 72, 200, 1000} {
		for _, q := range []float64{0.01, 0.25, 0.5, 0.9, 0.95, 0.99} {
			b := distuv.Binomial{N: float64(n), P: q}
			lo, hi := 1, n
			for r := 1; r <= n; r++ {
				if b.CDF(float64(r-1)) <= 0.025 {
					lo = max(lo, r)
				}
				if 1-b.CDF(float64(r-1)) <= 0.025 {
					hi = min(hi, r)
				}
			}
			if gotLo, gotHi, _ := OrderRanks(n, q, 0.95); gotLo != lo || gotHi != hi {
				t.Errorf("n = %d, q = %v: ranks %d and %d, want %d and %d", n, q, gotLo, gotHi, lo, hi)
			}
		}
	}
}
