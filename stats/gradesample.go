package stats

import (
	"fmt"
	"slices"
)

// GradeSample is what two raters said of items that were drawn by the verdict of the second, as people look at more of what a
// judge calls relevant than of the rest.
//
// Weights alone make the coefficient right and its interval wrong. Where six items stand for five thousand and the raters agree on
// all six, every resample of them agrees too, and the interval says that of the five thousand. So the interval of Kappa and Alpha
// is the wider, at each end, of two: BCa over clusters, which sees how items of one query hang together, and that of the first
// rater's grades inside each stratum as drawn from a Dirichlet posterior with a prior of one item spread over all grades
// (Perks 1947; Jeffreys' for two grades), which sees what so few items cannot show. docs/statistics.md has their coverage.
type GradeSample struct {
	// A and B are the grades of the two raters, one per item drawn.
	A, B []int
	// Stratum numbers what each item was drawn from. Items of one stratum have one grade of B.
	Stratum []int
	// Size is the number of items in each stratum, drawn or not.
	Size []int
	// Clusters names what items depend on, their query; nil for independent ones.
	Clusters []string
}

// Weights are how many items each drawn one stands for.
func (s *GradeSample) Weights() []float64 {
	drawn := s.drawn()
	out := make([]float64, len(s.Stratum))
	for i, h := range s.Stratum {
		out[i] = float64(s.Size[h]) / float64(drawn[h])
	}
	return out
}

func (s *GradeSample) drawn() []int {
	out := make([]int, len(s.Size))
	for _, h := range s.Stratum {
		out[h]++
	}
	return out
}

// Kappa is [CohenKappa] of all items. Beside its errors it is one if a stratum that has items was not drawn from, has fewer items
// than were drawn, or mixes grades of B.
func (s *GradeSample) Kappa(w Weighting, o Options) (Agreement, error) {
	d, err := s.design()
	if err != nil {
		return Agreement{}, err
	}
	a, err := CohenKappa(s.A, s.B, w, d, o)
	if err != nil {
		return a, err
	}
	err = s.widen(&a, s.kappaTable(w), o)
	return a, err
}

// Alpha is [KrippendorffAlpha] of all items. Its errors are those of Kappa.
func (s *GradeSample) Alpha(scale Scale, o Options) (Agreement, error) {
	d, err := s.design()
	if err != nil {
		return Agreement{}, err
	}
	items := make([][]float64, len(s.A))
	for i := range items {
		items[i] = []float64{float64(s.A[i]), float64(s.B[i])}
	}
	a, err := KrippendorffAlpha(items, scale, d, o)
	if err != nil {
		return a, err
	}
	err = s.widen(&a, s.alphaTable(scale), o)
	return a, err
}

// design is the sample with its weights, checked.
func (s *GradeSample) design() (Design, error) {
	if len(s.A) != len(s.B) || len(s.A) != len(s.Stratum) {
		return Design{}, fmt.Errorf("stats: %d and %d grades in %d strata: want one of each per item", len(s.A), len(s.B), len(s.Stratum))
	}
	first := make([]int, len(s.Size))
	for i, h := range slices.Backward(s.Stratum) {
		if h < 0 || h >= len(s.Size) {
			return Design{}, fmt.Errorf("stats: item %d is of stratum %d, and there are %d", i, h, len(s.Size))
		}
		first[h] = i
	}
	for i, h := range s.Stratum {
		if s.B[i] != s.B[first[h]] {
			return Design{}, fmt.Errorf("stats: stratum %d holds items of grade %d and of %d: want one grade of the second rater", h, s.B[first[h]], s.B[i])
		}
	}
	for h, n := range s.drawn() {
		switch {
		case n > s.Size[h]:
			return Design{}, fmt.Errorf("stats: %d items were drawn from stratum %d, which has %d", n, h, s.Size[h])
		case n == 0 && s.Size[h] > 0:
			return Design{}, fmt.Errorf("stats: none of the %d items of stratum %d was drawn: nothing can stand for them", s.Size[h], h)
		}
	}
	return Design{Clusters: s.Clusters, Weights: s.Weights()}, nil
}

// grades are all that occur, ascending.
func (s *GradeSample) grades() []int {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(s.A, s.B))))
}
