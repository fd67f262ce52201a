package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// From manyUnits on the bootstrap distribution of a mean is so close to its
// Edgeworth expansion that drawing from it only adds noise: the remainder is
// O(n^-3/2), while 10,000 draws leave the limits uncertain by about 2 % of a
// standard error.
const manyUnits = 2000

// edgeworthBCa is the [BCa] interval with the bootstrap distribution taken from
// its cumulants instead of from draws (Hall 1992, ch. 3). ok is false where the
// expansion cannot be trusted: few units, or a sum that is still visibly skewed or
// heavy-tailed.
func (c *column) edgeworthBCa(confidence float64) (i Interval, ok bool) {
	if len(c.num) < manyUnits {
		return Interval{}, false
	}
	at := c.resampledSum(c.mean)
	if !(at.variance > 0) || math.Abs(at.skew) > 0.15 || math.Abs(at.kurtosis) > 0.05 {
		return Interval{}, false
	}
	z0 := distuv.UnitNormal.Quantile(at.below())
	lo, hi := bcaLevels(z0, c.acceleration(), confidence)
	return Interval{c.solve(lo), c.solve(hi)}.around(c.mean), true
}

// solve finds the value below which a share of the bootstrap distribution of the
// mean lies, by secant steps from the normal approximation.
func (c *column) solve(share float64) float64 {
	miss := func(t float64) float64 {
		s := c.resampledSum(t)
		return distuv.UnitNormal.Quantile(min(max(s.below(), 1e-12), 1-1e-12))
	}
	want := distuv.UnitNormal.Quantile(share)
	t1 := c.mean + float64(want*c.se)
	t0 := t1 - c.se/2
	m0, m1 := miss(t0)-want, miss(t1)-want
	for range 20 {
		if m1 == m0 || math.Abs(m1) < 1e-10 {
			break
		}
		t0, t1, m0 = t1, t1-m1*(t1-t0)/(m1-m0), m1
		m1 = miss(t1) - want
	}
	return t1
}

// cumulants describe Σ(num − t·den) over a resample: the mean of the resample is
// below t exactly when that sum is below 0.
type cumulants struct{ mean, variance, skew, kurtosis float64 }

func (c *column) resampledSum(t float64) cumulants {
	var k cumulants
	var third, fourth float64
	for _, s := range c.strata {
		n := float64(s.size())
		total := 0.0
		for u := s.start; u < s.end; u++ {
			total += c.residual(u, t)
		}
		mean := total / n
		var m2, m3, m4 float64
		for u := s.start; u < s.end; u++ {
			d := c.residual(u, t) - mean
			d2 := float64(d * d)
			m2 += d2
			m3 += float64(d2 * d)
			m4 += float64(d2 * d2)
		}
		k.mean += total
		k.variance += m2
		third += m3
		fourth += m4 - 3*m2*m2/n
	}
	if k.variance > 0 {
		k.skew = third / math.Pow(k.variance, 1.5)
		k.kurtosis = fourth / (k.variance * k.variance)
	}
	return k
}

// below is the probability that the sum is under 0, by the two-term Edgeworth
// expansion.
func (k cumulants) below() float64 {
	x := -k.mean / math.Sqrt(k.variance)
	x2 := float64(x * x)
	first := float64(k.skew / 6 * (x2 - 1))
	second := float64(k.kurtosis/24*x*(x2-3)) + float64(k.skew*k.skew/72*x*(float64(x2*x2)-float64(10*x2)+15))
	return distuv.UnitNormal.CDF(x) - float64(distuv.UnitNormal.Prob(x)*(first+second))
}
