package doctor

import (
	"math"
	"slices"
)

// unitLength is how far a length may be off 1 for a vector to count as normalised: half precision, and
// quantized models, miss it by less.
const unitLength = 0.01

func isUnit(length float64) bool { return math.Abs(length-1) <= unitLength }

// median of values, which it sorts; 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	mid := len(values) / 2
	if len(values)%2 == 1 {
		return values[mid]
	}
	return (values[mid-1] + values[mid]) / 2
}
