package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// BCa returns the bias-corrected and accelerated bootstrap interval (Efron 1987;
// DiCiccio and Efron 1996, eq. 2.3) from replicates of a statistic, its
// estimate on the sample and the acceleration of [Acceleration]. Limits are the
// quantiles of the replicates at
//
//	Φ(z0 + (z0 + z)/(1 − a(z0 + z)))   for z = ±Φ⁻¹((1+confidence)/2)
//
// where z0 = Φ⁻¹(share of replicates below the estimate), replicates equal to the
// estimate counting half. Replicates are sorted in place. Without spread, or without
// replicates, the interval is the estimate alone.
func BCa(replicates []float64, estimate, acceleration, confidence float64) Interval {
	if len(replicates) == 0 {
		return Interval{estimate, estimate}
	}
	slices.Sort(replicates)
	z0 := distuv.UnitNormal.Quantile(shareBelow(replicates, estimate))
	if math.IsInf(z0, 0) || math.IsNaN(z0) || math.IsNaN(acceleration) {
		return Percentile(replicates, confidence).around(estimate)
	}
	lo, hi := bcaLevels(z0, acceleration, confidence)
	return Interval{sortedQuantile(replicates, lo), sortedQuantile(replicates, hi)}.around(estimate)
}

// bcaLevels are the shares of the bootstrap distribution below the two limits.
func bcaLevels(z0, a, confidence float64) (lo, hi float64) {
	z := distuv.UnitNormal.Quantile(0.5 + confidence/2)
	if math.IsInf(z, 1) { // two units ask for all of the distribution
		return 0, 1
	}
	level := func(z float64) float64 {
		w := z0 + z
		shrink := 1 - float64(a*w)
		if shrink <= 0 { // the correction has left its domain: take the extreme
			if w < 0 {
				return 0
			}
			return 1
		}
		return distuv.UnitNormal.CDF(z0 + w/shrink)
	}
	return level(-z), level(z)
}

// ExpandedConfidence returns the level to ask a percentile-type bootstrap interval of
// n independent units for, so that for normal scores it is as wide as Student's:
// 1 − 2Φ(−√(n/(n−1))·t_{n−1}) (Hesterberg 2015, section 4.2). The plain
// interval is narrower by √((n−1)/n) and by the normal quantile, which costs about
// two points of coverage at n = 20 (docs/statistics.md).
func ExpandedConfidence(confidence, n float64) float64 {
	if n < 2 {
		return confidence
	}
	t := studentQuantile(0.5+confidence/2, n-1)
	return 1 - 2*distuv.UnitNormal.CDF(-math.Sqrt(n/(n-1))*t)
}

// Percentile returns the interval between the (1∓confidence)/2 quantiles of sorted
// replicates (Efron 1979).
func Percentile(sorted []float64, confidence float64) Interval {
	return Interval{sortedQuantile(sorted, 0.5-confidence/2), sortedQuantile(sorted, 0.5+confidence/2)}
}

// shareBelow is the share of sorted replicates below x, those equal to x but for
// rounding counting half.
func shareBelow(sorted []float64, x float64) float64 {
	tol := 1e-12 * max(math.Abs(sorted[0]), math.Abs(sorted[len(sorted)-1]))
	below, _ := slices.BinarySearch(sorted, x-tol)
	upTo, _ := slices.BinarySearch(sorted, math.Nextafter(x+tol, math.Inf(1)))
	return float64(below+upTo) / float64(2*len(sorted))
}

// Acceleration returns the acceleration a of [BCa] from the jackknife values of the
// statistic, one slice per stratum (one slice in all for a simple random
// sample): a = Σ_h ΣU³/n_h³ / (6 (Σ_h ΣU²/n_h²)^1.5) with U = (n_h − 1)(θ̄_h − θ_(hi))
// (Davison and Hinkley 1997, eq. 5.28). It is 0 when the values have no spread.
func Acceleration(jackknife ...[]float64) float64 {
	cubes, squares, scale := 0.0, 0.0, 0.0
	for _, values := range jackknife {
		n := float64(len(values))
		mean := sum(values) / n
		for _, v := range values {
			u := (mean - v) * (n - 1) / n
			squares += float64(u * u)
			cubes += float64(u * u * u)
			scale = max(scale, math.Abs(v))
		}
	}
	if squares <= 1e-26*scale*scale {
		return 0
	}
	return cubes / (6 * math.Pow(squares, 1.5))
}

// acceleration of the mean of a column.
func (c *column) acceleration() float64 {
	leftOut := make([]float64, len(c.num))
	groups := make([][]float64, len(c.strata))
	for g, s := range c.strata {
		for u := s.start; u < s.end; u++ {
			mass := c.mass - c.weight(u)
			leftOut[u] = c.mean
			if mass > 0 {
				leftOut[u] = (c.total - c.num[u]) / mass
			}
		}
		groups[g] = leftOut[s.start:s.end]
	}
	return Acceleration(groups...)
}
