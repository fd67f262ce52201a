package stats

import (
	"fmt"
	"slices"
)

// Scale says what distances between ratings mean for [KrippendorffAlpha].
type Scale uint8

const (
	// NominalScale takes ratings as names, equal or not.
	NominalScale Scale = iota
	// OrdinalScale takes ratings as ranks; the distance is how many ratings lie between.
	OrdinalScale
	// IntervalScale takes ratings as numbers; the distance is the squared difference.
	IntervalScale
)

// String returns "nominal", "ordinal" or "interval".
func (s Scale) String() string {
	switch s {
	case NominalScale:
		return "nominal"
	case OrdinalScale:
		return "ordinal"
	case IntervalScale:
		return "interval"
	}
	return fmt.Sprintf("scale(%d)", uint8(s))
}

// KrippendorffAlpha returns the agreement of any number of raters, items[i] being
// the ratings that item i received, in any order; what a rater did not rate is simply
// not there. With o the coincidence matrix (each pair of ratings of an item with m
// ratings counts 1/(m−1)), n_c its margins and n their sum,
//
//	α = 1 − (n−1) Σ o_ck δ²_ck / Σ n_c n_k δ²_ck
//
// (Krippendorff, Content Analysis, 2013, ch. 11), and δ² the distance of the scale.
// Items with fewer than two ratings say nothing and are counted in a warning.
// The interval resamples items (or the design's clusters) with all their ratings.
//
// It is an error if no item has two ratings, a rating is NaN or infinite, a nominal or
// ordinal scale has more than 64 different ratings, or design or options are
// malformed.
func KrippendorffAlpha(items [][]float64, s Scale, d Design, o Options) (Agreement, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Agreement{}, err
	}
	if s > IntervalScale {
		return Agreement{}, fmt.Errorf("stats: unknown scale %d", uint8(s))
	}
	if err := d.check(len(items)); err != nil {
		return Agreement{}, err
	}
	kept, d, counts, err := pairable(items, d)
	if err != nil {
		return Agreement{}, err
	}
	if s != IntervalScale && len(counts) > maxGrades {
		return Agreement{}, fmt.Errorf("stats: %d different ratings: the %v scale takes at most %d", len(counts), s, maxGrades)
	}
	l, err := d.layoutOf(len(kept), "items")
	if err != nil {
		return Agreement{}, err
	}
	var g *disagreement
	if s == IntervalScale {
		g = intervalSums(kept)
	} else {
		g = coincidences(kept, s)
	}
	var result Agreement
	if left := len(items) - len(kept); left > 0 {
		result.Warnings = append(result.Warnings, warnf(WarnUnpairedItems, "%d of %d items have fewer than two ratings and say nothing about agreement", left, len(items)))
	}
	g.estimate(&result, l, o)
	result.Warnings = append(result.Warnings, prevalence(counts)...)
	return result, nil
}

// pairable keeps the items with at least two ratings, and their part of the design.
func pairable(items [][]float64, d Design) (kept [][]float64, part Design, counts map[float64]float64, err error) {
	counts = map[float64]float64{}
	for i, ratings := range items {
		if len(ratings) < 2 {
			continue
		}
		if err := checkScores(fmt.Sprintf("item %d: rating", i), ratings); err != nil {
			return nil, Design{}, nil, err
		}
		sorted := slices.Sorted(slices.Values(ratings))
		kept = append(kept, sorted)
		for _, x := range sorted {
			counts[x]++
		}
		if d.Clusters != nil {
			part.Clusters = append(part.Clusters, d.Clusters[i])
		}
		if d.Weights != nil {
			part.Weights = append(part.Weights, d.Weights[i])
		}
		if d.Strata != nil {
			part.Strata = append(part.Strata, d.Strata[i])
		}
	}
	if len(kept) == 0 {
		return nil, Design{}, nil, fmt.Errorf("stats: none of %d items has two ratings: agreement needs items that two raters rated", len(items))
	}
	return kept, part, counts, nil
}

// intervalSums needs four sums per item, whatever the number of different ratings:
// Σ o·(x−y)² and the moments n, Σx, Σx² of the ratings.
func intervalSums(items [][]float64) *disagreement {
	n, centre, low, high := 0.0, 0.0, items[0][0], items[0][0]
	for _, ratings := range items {
		n += float64(len(ratings))
		low, high = min(low, ratings[0]), max(high, ratings[len(ratings)-1])
	}
	centre = low + (high-low)/2 // keeps the moments small; any constant would do
	g := &disagreement{items: make([][]float64, len(items))}
	for i, ratings := range items {
		var pairs, first, second float64
		for a, x := range ratings {
			x -= centre
			first += x
			second += float64(x * x)
			for _, y := range ratings[a+1:] {
				d := y - centre - x
				pairs += 2 * float64(d*d)
			}
		}
		m := float64(len(ratings))
		g.items[i] = []float64{pairs / (m - 1), m, first, second}
	}
	g.of = func(s []float64) (observed, expected float64) {
		spread := float64(s[1]*s[3]) - float64(s[2]*s[2])
		if spread <= 1e-13*float64(s[1]*s[3]) { // equal ratings but for rounding
			return 0, 0
		}
		return s[0] / s[1], 2 * spread / (s[1] * (s[1] - 1))
	}
	g.farthest = func([]float64) float64 { return (high - low) * (high - low) }
	return g
}
