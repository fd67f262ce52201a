package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
)

// latency measures the interval of the 95th percentile of log-normal times of
// which 5 % are outliers.
func (s study) latency(c *claims) string {
	t := newTable("times", "n", "assay (order statistics)", "percentile bootstrap")
	for _, sigma := range []float64{0.3, 0.8} {
		draw := func(r *rand.Rand) float64 { return 100 * math.Exp(sigma*r.NormFloat64()) }
		truth := 100 * math.Exp(sigma*1.6448536269514722) // Φ⁻¹(0.95)
		for _, n := range []int{50, 100, 200, 500} {
			name := fmt.Sprintf("log-normal, σ = %.1f", sigma)
			assay, boot := newTally(s.replicates), newTally(s.replicates)
			s.each("latency "+name, n, func(k int, r *rand.Rand) {
				o := options
				o.Seed = uint64(k)
				xs, alone := make([]float64, n), stats.Design{Clusters: make([]string, n)}
				for i := range xs {
					xs[i] = draw(r)
				}
				assay.interval(k, must(stats.SummarizeQuantile(xs, 0.95, stats.Design{}, o)).Interval, truth)
				boot.interval(k, must(stats.SummarizeQuantile(xs, 0.95, alone, o)).Interval, truth)
			})
			width := func(t *tally) string { return fmt.Sprintf("%s (%.0f)", share(t.share()), t.meanWidth()) }
			t.row(name, fmt.Sprint(n), width(assay), width(boot))
			if n >= 100 {
				c.within(0.93, 1, assay.share(), "interval of the 95th percentile (%s) covers at least .93 at n = %d", name, n)
			}
		}
	}
	return t.String()
}

// multiplicity measures a family of 10 comparisons: with no true difference, and
// with 5 true ones.
func (s study) multiplicity(c *claims) string {
	const alpha, family, n = 0.05, 10, 100
	t := newTable("family of 10 at n = 100", "any false alarm, unadjusted", "any false alarm, Holm", "false share of alarms, Benjamini–Hochberg", "true ones found, Holm", "true ones found, Benjamini–Hochberg")
	for _, real := range []int{0, 5} {
		raw, holm := newTally(s.replicates), newTally(s.replicates)
		falseShare, foundHolm, foundBH := make([]float64, s.replicates), make([]float64, s.replicates), make([]float64, s.replicates)
		s.each("family", n+real, func(k int, r *rand.Rand) {
			p := make([]float64, family)
			for m := range p {
				d := make([]float64, n)
				for i := range d {
					d[i] = 0.2 * r.NormFloat64()
					if m < real {
						d[i] += 0.07
					}
				}
				p[m] = stats.PairedTTest(d)
			}
			h, b := stats.Holm(p), stats.BenjaminiHochberg(p)
			wrong, right := alarms(b, real, alpha)
			if wrong > 0 {
				falseShare[k] = float64(wrong) / float64(wrong+right)
			}
			foundBH[k] = float64(right)
			wrong, right = alarms(h, real, alpha)
			holm.event(k, wrong > 0)
			foundHolm[k] = float64(right)
			wrong, _ = alarms(p, real, alpha)
			raw.event(k, wrong > 0)
		})
		fdr, _ := meanSE(falseShare)
		h, _ := meanSE(foundHolm)
		b, _ := meanSE(foundBH)
		t.row(fmt.Sprintf("%d true differences", real), share(raw.share()), share(holm.share()), share(fdr), fmt.Sprintf("%.2f", h), fmt.Sprintf("%.2f", b))
		c.level(alpha, holm.share(), "Holm keeps the family-wise level with %d true differences", real)
		c.level(alpha, fdr, "Benjamini–Hochberg keeps the false discovery rate with %d true differences", real)
	}
	return t.String()
}

// alarms counts rejections, the first of the family being true differences.
func alarms(p []float64, real int, alpha float64) (wrong, right int) {
	for m, x := range p {
		switch {
		case x > alpha:
		case m < real:
			right++
		default:
			wrong++
		}
	}
	return wrong, right
}
