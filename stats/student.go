package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// studentQuantile is the p-quantile of Student's t with df degrees of freedom; with
// none left it takes one, the widest there is.
func studentQuantile(p, df float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: max(df, 1)}.Quantile(p)
}

// tInterval is mean ± t·se with one degree of freedom per independent unit beyond
// the strata (Student 1908).
func (c *column) tInterval(confidence float64) Interval {
	half := studentQuantile(0.5+confidence/2, c.df) * c.se
	return Interval{c.mean - half, c.mean + half}
}

// tTest is the two-sided p-value of mean = 0; ok is false without spread or with
// a single unit, where t has no distribution.
func (c *column) tTest() (p float64, ok bool) {
	if c.df < 1 || c.se == 0 {
		return 1, false
	}
	t := math.Abs(c.mean) / c.se
	p = 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: c.df}.CDF(-t)
	return min(max(p, math.SmallestNonzeroFloat64), 1), true
}

// PairedTTest returns the two-sided p-value of Student's paired t-test: t =
// mean(d)/(sd(d)/√n) with n − 1 degrees of freedom (Student 1908). Where t has no
// distribution, with one difference or none spread, it is that of
// [RandomizationTest], which needs neither.
func PairedTTest(differences []float64) float64 {
	l, err := Design{}.layout(len(differences))
	if err != nil || len(differences) == 0 {
		return 1
	}
	c := l.column(differences)
	if p, ok := c.tTest(); ok {
		return p
	}
	p, _ := RandomizationTest(differences, DefaultFlips, 0)
	return p
}
