package stats

import (
	"math"
	"slices"
)

// Quantile returns the q-quantile of xs, 0 ≤ q ≤ 1, by linear interpolation
// between order statistics (type 7 of Hyndman and Fan 1996, the default of NumPy
// and R). It does not change xs; NaN is returned for an empty slice.
func Quantile(xs []float64, q float64) float64 {
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	return sortedQuantile(sorted, q)
}

func sortedQuantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	h := q * float64(len(sorted)-1)
	k := min(max(int(math.Floor(h)), 0), len(sorted)-1)
	if k == len(sorted)-1 {
		return sorted[k]
	}
	f := h - float64(k)
	return sorted[k] + float64(f*(sorted[k+1]-sorted[k]))
}
