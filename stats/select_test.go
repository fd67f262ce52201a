package stats

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestNthSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1, 1), rapid.SampledFrom([]float64{0, 0.5, 1})), 1, 300).Draw(t, "values")
		n := rapid.IntRange(0, len(values)-1).Draw(t, "n")
		sorted := slices.Sorted(slices.Values(values))
		if got := nthSmallest(slices.Clone(values), n); got != sorted[n] {
			t.Fatalf("%d-th smallest is %v, want %v", n, got, sorted[n])
		}
	})
}
