package stats

import (
	"fmt"
	"math"
	"slices"
)

// Weighting says how far apart two grades are for [CohenKappa].
type Weighting uint8

const (
	// Unweighted counts every disagreement the same (Cohen 1960).
	Unweighted Weighting = iota
	// LinearWeights counts a disagreement by |i − j| (Cohen 1968).
	LinearWeights
	// QuadraticWeights counts a disagreement by (i − j)² (Fleiss and Cohen 1973).
	QuadraticWeights
)

// String returns "unweighted", "linear" or "quadratic".
func (w Weighting) String() string {
	switch w {
	case Unweighted:
		return "unweighted"
	case LinearWeights:
		return "linear"
	case QuadraticWeights:
		return "quadratic"
	}
	return fmt.Sprintf("weighting(%d)", uint8(w))
}

func (w Weighting) distance(i, j int) float64 {
	d := math.Abs(float64(i) - float64(j))
	switch {
	case w == QuadraticWeights:
		return d * d
	case w == LinearWeights:
		return d
	case d > 0:
		return 1
	}
	return 0
}

// maxGrades bounds the table of two raters.
const maxGrades = 64

// CohenKappa returns the agreement of two raters who graded the same items, a[i] and
// b[i] being the grades of item i: κ = 1 − Σ w·O / Σ w·E with O the share of
// items in each cell, E the product of the raters' own shares and w the weighting
// of the distance between the grades themselves. Pairs judged for one query
// hang together: name the query in the design's clusters. When items were sampled by
// the grade of one rater, weights make the result hold for all items.
//
// It is an error if the slices differ in length, are empty or hold more than 64
// different grades, or if design or options are malformed.
func CohenKappa(a, b []int, w Weighting, d Design, o Options) (Agreement, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Agreement{}, err
	}
	if len(a) != len(b) {
		return Agreement{}, fmt.Errorf("stats: %d grades of one rater, %d of the other: want the same items in the same order", len(a), len(b))
	}
	if len(a) == 0 {
		return Agreement{}, ErrNoScores
	}
	grades := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(a), b...))))
	if len(grades) > maxGrades {
		return Agreement{}, fmt.Errorf("stats: %d different grades: kappa takes at most %d", len(grades), maxGrades)
	}
	l, err := d.layoutOf(len(a), "items")
	if err != nil {
		return Agreement{}, err
	}
	g := cohenTable(a, b, grades, w)
	var result Agreement
	g.estimate(&result, l, o)
	counts := map[float64]float64{}
	for i := range a {
		counts[float64(a[i])]++
		counts[float64(b[i])]++
	}
	result.Warnings = append(result.Warnings, prevalence(counts)...)
	return result, nil
}

// cohenTable counts items by cell, keeping only cells that occur.
func cohenTable(a, b, grades []int, w Weighting) *disagreement {
	type cell struct{ row, column int }
	of := func(i int) cell {
		r, _ := slices.BinarySearch(grades, a[i])
		c, _ := slices.BinarySearch(grades, b[i])
		return cell{r, c}
	}
	number, cells := map[cell]int{}, []cell{}
	for i := range a {
		c := of(i)
		if _, seen := number[c]; !seen {
			number[c] = 0
			cells = append(cells, c)
		}
	}
	slices.SortFunc(cells, func(x, y cell) int {
		return (x.row-y.row)*maxGrades + x.column - y.column
	})
	for k, c := range cells {
		number[c] = k
	}
	g := &disagreement{items: make([][]float64, len(a))}
	for i := range a {
		g.items[i] = make([]float64, len(cells))
		g.items[i][number[of(i)]] = 1
	}
	g.of = func(sums []float64) (observed, expected float64) {
		var rows, columns [maxGrades]float64
		n := sum(sums)
		for k, c := range cells {
			rows[c.row] += sums[k]
			columns[c.column] += sums[k]
			observed += float64(sums[k] * w.distance(grades[c.row], grades[c.column]))
		}
		for r := range grades {
			for c := range grades {
				expected += float64(rows[r] * columns[c] * w.distance(grades[r], grades[c]))
			}
		}
		return observed / n, expected / (n * n)
	}
	g.farthest = func([]float64) float64 { return w.distance(grades[0], grades[len(grades)-1]) }
	return g
}
