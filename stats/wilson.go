package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Wilson returns the score interval of a proportion (Wilson 1927), the interval
// recommended for 0/1 scores of any size by Brown, Cai and DasGupta (2001).
// successes and trials may be fractional (effective counts), 0 ≤ successes ≤
// trials. Without trials it is [0, 1].
func Wilson(successes, trials, confidence float64) Interval {
	if trials <= 0 {
		return Interval{0, 1}
	}
	return scoreInterval(successes/trials, trials, distuv.UnitNormal.Quantile(0.5+confidence/2))
}

// scoreInterval solves |p − x| = z·sqrt(x(1−x)/n) for x.
func scoreInterval(p, n, z float64) Interval {
	z2 := float64(z * z)
	centre := p + z2/(2*n)
	half := z * math.Sqrt(float64(p*(1-p))/n+z2/(4*n*n))
	i := Interval{(centre - half) / (1 + z2/n), (centre + half) / (1 + z2/n)}
	if p == 0 {
		i.Lo = 0
	}
	if p == 1 {
		i.Hi = 1
	}
	return i.clip(Interval{0, 1}).around(p)
}

// wilsonEffective is the Wilson interval for 0/1 scores that are clustered or
// weighted: n is replaced by the sample size that a simple random sample would need
// for the same standard error, and z by Student's t with one degree of freedom per
// independent unit (Korn and Graubard 1998; Dean and Pagano 2015). Where the
// scores show no spread, n is the effective number of units.
func (c *column) wilsonEffective(l *layout, confidence float64) Interval {
	p := min(max(c.mean, 0), 1)
	n := l.neff
	if c.se > 0 && p > 0 && p < 1 {
		n = min(float64(p*(1-p))/float64(c.se*c.se), float64(l.queries))
	}
	return scoreInterval(p, n, studentQuantile(0.5+confidence/2, c.df))
}
