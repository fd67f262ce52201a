package gate

import (
	"math"

	"github.com/assay-eval/assay/stats"
)

// growth is what a rule would find among n queries like those at hand, with the same proportions of everything that was seen.
type growth struct {
	interval func(n int, confidence float64) stats.Interval
	p        func(n int) float64 // of a change for the worse; nil for a rule without a test
}

// narrowing is the growth of an interval whose halves shrink with the root of the number of queries, as those of a bootstrap and
// of a randomization test do, and widen with the confidence as a normal distribution does.
func narrowing(estimate float64, i stats.Interval, n int, confidence float64) growth {
	return growth{interval: func(m int, c float64) stats.Interval {
		return scaled(estimate, i, math.Sqrt(float64(n)/float64(m))*deviate(c)/deviate(confidence))
	}}
}

// vanishing is the growth of the interval of equal scores, which holds the share of the population that neff of them leave unseen
// (docs/statistics.md).
func vanishing(estimate float64, i stats.Interval, n int, neff, confidence float64) growth {
	unseen := func(neff, confidence float64) float64 { return -math.Expm1(math.Log1p(-confidence) / neff) }
	return growth{interval: func(m int, c float64) stats.Interval {
		return scaled(estimate, i, unseen(neff*float64(m)/float64(n), c)/unseen(neff, confidence))
	}}
}

func scaled(estimate float64, i stats.Interval, by float64) stats.Interval {
	return stats.Interval{Lo: estimate - by*(estimate-i.Lo), Hi: estimate + by*(i.Hi-estimate)}
}

// deviate is the half width of a normal interval, in units of √2 standard errors.
func deviate(confidence float64) float64 { return math.Erfinv(confidence) }

// growValue is the growth of a mean.
func growValue(s *stats.Summary) growth {
	switch s.Method {
	case stats.MethodWilson:
		return growth{interval: func(n int, c float64) stats.Interval {
			return stats.Wilson(math.Round(s.Mean*float64(n)), float64(n), c)
		}}
	case stats.MethodWilsonEffective:
		size := wilsonSize(s.Mean, s.Width(), float64(s.N), s.Confidence)
		return growth{interval: func(n int, c float64) stats.Interval {
			grown := size * float64(n) / float64(s.N)
			return stats.Wilson(s.Mean*grown, grown, c)
		}}
	case stats.MethodConstant:
		return vanishing(s.Mean, s.Interval, s.N, s.NEff, s.Confidence)
	}
	return narrowing(s.Mean, s.Interval, s.N, s.Confidence)
}

// wilsonSize is the number of independent queries, most at most, whose Wilson interval is as wide.
func wilsonSize(mean, width, most, confidence float64) float64 {
	least := 0.0
	for range 60 { // halvings, to the last bit of any n
		size := (least + most) / 2
		if i := stats.Wilson(mean*size, size, confidence); i.Width() > width {
			least = size
		} else {
			most = size
		}
	}
	return most
}

// growQuantile is the growth of a percentile of sorted times, bounded by two of them.
func growQuantile(sorted []float64, q, value float64) growth {
	return growth{interval: func(n int, c float64) stats.Interval {
		lo, hi, _ := stats.OrderRanks(n, q, c)
		at := func(rank int) float64 { return sorted[min((2*rank-1)*len(sorted)/(2*n), len(sorted)-1)] }
		return stats.Interval{Lo: min(at(lo), value), Hi: max(at(hi), value)}
	}}
}
