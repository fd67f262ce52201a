package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
	"gonum.org/v1/gonum/stat/distuv"
)

// gradedCoverage measures the intervals of one system's mean on scores that are
// not 0/1.
func (s study) gradedCoverage(c *claims) string {
	t := newTable("scores", "n", "assay", "plain BCa", "percentile", "Student t", "studentized bootstrap")
	for _, sc := range graded {
		for _, n := range sizes {
			assay, bca, perc, student, bootT := newTally(s.replicates), newTally(s.replicates), newTally(s.replicates), newTally(s.replicates), newTally(s.replicates)
			s.each(sc.name, n, func(k int, r *rand.Rand) {
				o := options
				o.Seed = uint64(k)
				xs := sc.sample(r, n)
				i := intervals(xs, o)
				assay.interval(k, must(stats.Summarize(xs, stats.Design{}, o)).Interval, sc.mean)
				bca.interval(k, i.bca, sc.mean)
				perc.interval(k, i.percentile, sc.mean)
				student.interval(k, i.student, sc.mean)
				bootT.interval(k, studentized(xs, o), sc.mean)
			})
			t.row(sc.name, fmt.Sprint(n), covered(assay), covered(bca), covered(perc), covered(student), covered(bootT))
			if n == 20 {
				c.within(0.91, 1, assay.share(), "interval of %s covers at least .91 at n = 20", sc.name)
			} else {
				c.within(0.93, 0.97, assay.share(), "interval of %s covers .93 to .97 at n = %d", sc.name, n)
			}
		}
	}
	return t.String()
}

// binaryCoverage measures them on 0/1 scores, against the coverage that the Wilson
// interval has by exact summation.
func (s study) binaryCoverage(c *claims) string {
	t := newTable("success rate", "n", "assay (Wilson)", "Wilson, exact sum", "Student t", "plain BCa")
	for _, p := range binaryMeans {
		sc := bernoulli(p)
		for _, n := range sizes {
			assay, bca, student := newTally(s.replicates), newTally(s.replicates), newTally(s.replicates)
			s.each(sc.name, n, func(k int, r *rand.Rand) {
				o := options
				o.Seed = uint64(k)
				xs := sc.sample(r, n)
				i := intervals(xs, o)
				assay.interval(k, must(stats.Summarize(xs, stats.Design{}, o)).Interval, p)
				bca.interval(k, i.bca, p)
				student.interval(k, i.student, p)
			})
			exact := wilsonCoverage(p, n)
			t.row(share(p), fmt.Sprint(n), covered(assay), share(exact), covered(student), covered(bca))
			noise := 3 * c.se(exact)
			c.within(exact-noise, exact+noise, assay.share(), "Wilson at rate %v, n = %d has its exact coverage", p, n)
		}
	}
	return t.String()
}

// wilsonCoverage sums the binomial probabilities of the outcomes whose Wilson
// interval, by the textbook formula, holds p.
func wilsonCoverage(p float64, n int) float64 {
	z := distuv.UnitNormal.Quantile(0.975)
	b := distuv.Binomial{N: float64(n), P: p}
	covered := 0.0
	for k := range n + 1 {
		q, m := float64(k)/float64(n), float64(n)
		centre := (q + z*z/(2*m)) / (1 + z*z/m)
		half := z / (1 + z*z/m) * math.Sqrt(q*(1-q)/m+z*z/(4*m*m))
		if centre-half-1e-12 <= p && p <= centre+half+1e-12 {
			covered += b.Prob(float64(k))
		}
	}
	return covered
}
