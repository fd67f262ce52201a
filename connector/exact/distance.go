package exact

import (
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/nearest"
)

const op = "exact"

// ZeroVectorScore is the score of a stored zero vector under cosine, below every cosine.
const ZeroVectorScore = -2

var distances = []string{connector.Cosine, connector.Dot, connector.Euclid, connector.Manhattan}

// checkDistance returns the distance to use, connector.Cosine for "".
func checkDistance(name string) (string, error) {
	if name == "" {
		return connector.Cosine, nil
	}
	if !slices.Contains(distances, name) {
		return "", assay.Errorf(assay.KindInvalid, op, "", "there is no distance %q%s", name, nearest.Suggest(name, distances))
	}
	return name, nil
}

// lanes is the number of partial sums of a double-precision sum. It is part of the definition of a score:
// partial sum i takes the elements i, i+lanes, …, and the partial sums are added up pairwise.
const lanes = 8

func total(s *[lanes]float64) float64 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// dot64 is the inner product. Fusing a multiplication with an addition does not change a bit, because the
// product of two float32 is exact in float64; so vector instructions may be used for it.
func dot64(a, b []float32) float64 {
	var s [lanes]float64
	b = b[:len(a)]
	whole := len(a) - len(a)%lanes
	lanes64(&s, a[:whole], b[:whole])
	for i := range a[whole:] {
		s[i] += float64(a[whole+i]) * float64(b[whole+i])
	}
	return total(&s)
}

// squares64 is the squared Euclidean distance. The conversion keeps the square from being fused with the
// addition, which would give another last digit on another processor.
func squares64(a, b []float32) float64 {
	var s [lanes]float64
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		s[i%lanes] += float64(d * d)
	}
	return total(&s)
}

// absolutes64 is the sum of absolute differences.
func absolutes64(a, b []float32) float64 {
	var s [lanes]float64
	for i := range a {
		s[i%lanes] += math.Abs(float64(a[i]) - float64(b[i]))
	}
	return total(&s)
}
