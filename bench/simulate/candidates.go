package main

import (
	"math"
	"slices"

	"github.com/assay-eval/assay/stats"
	"gonum.org/v1/gonum/stat/distuv"
)

// candidates are the intervals of one mean that the tables compare.
type candidates struct{ percentile, bca, student stats.Interval }

// intervals computes the textbook candidates for the mean of xs.
func intervals(xs []float64, o stats.Options) candidates {
	const confidence = stats.DefaultConfidence
	replicates := must(stats.BootstrapMeans(xs, stats.Design{}, o))
	mean, se := meanSE(xs)
	n := float64(len(xs))
	leftOut := make([]float64, len(xs))
	for i, x := range xs {
		leftOut[i] = (mean*n - x) / (n - 1)
	}
	half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.5+confidence/2) * se
	return candidates{
		percentile: stats.Percentile(replicates, confidence),
		bca:        stats.BCa(replicates, mean, stats.Acceleration(leftOut), confidence),
		student:    stats.Interval{Lo: mean - half, Hi: mean + half},
	}
}

// studentized is the bootstrap-t interval (Efron 1979; Hall 1988), a candidate that
// was tried and not taken: it covers well, but on scores with many ties some draws
// have next to no spread and its limits run away. Limits are cut to the range
// of the scores where they lie in [0, 1].
func studentized(xs []float64, o stats.Options) stats.Interval {
	mean, se := meanSE(xs)
	if se == 0 {
		return stats.Interval{Lo: mean, Hi: mean}
	}
	n := float64(len(xs))
	t := make([]float64, o.Draws)
	state := o.Seed + 1
	for d := range t {
		var first, second float64
		for range xs {
			state = state*6364136223846793005 + 1442695040888963407
			x := xs[(state>>32)*uint64(len(xs))>>32] - mean
			first += x
			second += x * x
		}
		first /= n
		if spread := second/n - first*first; spread > 1e-14 {
			t[d] = first / math.Sqrt(spread/(n-1))
		} else if math.Abs(first) > 1e-12 {
			t[d] = math.Copysign(math.Inf(1), first)
		}
	}
	slices.Sort(t)
	k := int(float64(o.Draws) * (1 - stats.DefaultConfidence) / 2)
	i := stats.Interval{Lo: mean - t[len(t)-1-k]*se, Hi: mean - t[k]*se}
	if slices.Min(xs) >= 0 && slices.Max(xs) <= 1 {
		i.Lo, i.Hi = max(i.Lo, 0), min(i.Hi, 1)
	}
	return i
}

func meanSE(xs []float64) (mean, se float64) {
	n := float64(len(xs))
	for _, x := range xs {
		mean += x / n
	}
	for _, x := range xs {
		se += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(se / (n - 1) / n)
}
