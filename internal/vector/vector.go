// Package vector holds the little arithmetic on embeddings that examining them needs. Searching has kernels of its own
// (connector/exact): these are for a handful of vectors, and for exactness rather than speed.
package vector

import "math"

// Cosine is the cosine of the angle between two vectors; 0 where their dimensions differ or one is zero.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// Length is the Euclidean norm of a vector.
func Length(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}
