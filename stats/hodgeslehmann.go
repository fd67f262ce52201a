package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// HodgesLehmann returns the median of all pairwise means (d_i + d_j)/2, i ≤ j, and
// the interval that inverts the signed-rank test (Hodges and Lehmann 1963;
// Hollander, Wolfe and Chicken 2014, ch. 3). Under symmetry that median is
// the mean. The interval uses the exact signed-rank distribution without ties for
// up to 100 differences, the normal one beyond. Without differences the centre is NaN.
func HodgesLehmann(differences []float64, confidence float64) (centre float64, i Interval) {
	if len(differences) == 0 {
		return math.NaN(), Interval{math.Inf(-1), math.Inf(1)}
	}
	d := slices.Clone(differences)
	slices.Sort(d)
	pairs := int64(len(d)) * int64(len(d)+1) / 2
	centre = (walsh(d, (pairs-1)/2) + walsh(d, pairs/2)) / 2
	k := signedRankQuantile(len(d), (1-confidence)/2)
	return centre, Interval{walsh(d, k-1), walsh(d, pairs-k)}.around(centre)
}

// walsh is the k-th smallest pairwise mean of sorted values, counted from 0: the
// smallest number that at least k+1 pairwise means do not exceed, found by
// bisection over the floats themselves.
func walsh(sorted []float64, k int64) float64 {
	lo, hi := floatOrder(sorted[0]), floatOrder(sorted[len(sorted)-1])
	for lo < hi {
		mid := lo + int64(uint64(hi-lo)/2)
		if pairMeansUpTo(sorted, orderFloat(mid)) > k {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return orderFloat(lo)
}

// pairMeansUpTo counts the pairs i ≤ j with (x_i + x_j)/2 ≤ limit.
func pairMeansUpTo(sorted []float64, limit float64) int64 {
	count, j := int64(0), len(sorted)-1
	for i := range sorted {
		for j >= i && sorted[i]/2+sorted[j]/2 > limit {
			j--
		}
		if j < i {
			break
		}
		count += int64(j - i + 1)
	}
	return count
}

// floatOrder numbers the floats in ascending order, 0 in the middle.
func floatOrder(x float64) int64 {
	b := int64(math.Float64bits(x + 0))
	if b < 0 {
		return math.MinInt64 - b
	}
	return b
}

func orderFloat(n int64) float64 {
	if n < 0 {
		return math.Float64frombits(uint64(math.MinInt64 - n))
	}
	return math.Float64frombits(uint64(n))
}

// signedRankQuantile is the smallest k ≥ 1 with P(W ≤ k) > tail, W the signed-rank
// statistic of n values: the k-th pairwise mean from either end is a limit.
func signedRankQuantile(n int, tail float64) int64 {
	if n > maxExactRanks {
		m := float64(n)
		z := distuv.UnitNormal.Quantile(tail)
		return max(1, int64(math.Floor(m*(m+1)/4+float64(z*math.Sqrt(m*(m+1)*(float64(2*m)+1)/24)))))
	}
	total := n * (n + 1) / 2
	share := make([]float64, total+1)
	share[0] = 1
	for r := 1; r <= n; r++ {
		for s := total; s >= 0; s-- {
			share[s] /= 2
			if s >= r {
				share[s] += share[s-r] / 2
			}
		}
	}
	below := 0.0
	for k := range share {
		below += share[k]
		if below > tail {
			return max(1, int64(k))
		}
	}
	return max(1, int64(total))
}
