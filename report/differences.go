package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/stats"
)

// Differences are the paired differences of one measure, B − A, query by query.
type Differences struct {
	Measure string
	A, B    string
	// Better is "higher", "lower" or "neutral": which sign is a win of B.
	Better string
	// Values are sorted, the smallest first. Beyond a few hundred queries they are quantiles at even steps.
	Values []float64
	N      int // queries behind them
	Mean   float64
	Bounds *stats.Interval // of the mean
	// Negative, Zero and Positive count the queries by the sign of their difference.
	Negative, Zero, Positive int

	rows []Cell
}

// maxDifferences is how many bars the figure has at most: more are thinner than a line.
const maxDifferences = 360

// NewDifferences sorts the paired differences B − A of a measure. NaN is left out. mean and bounds are those of the
// comparison.
func NewDifferences(measure, a, b, better string, diffs []float64, mean float64, bounds *stats.Interval) *Differences {
	d := &Differences{Measure: measure, A: a, B: b, Better: better, Mean: mean, Bounds: bounds}
	sorted := slices.DeleteFunc(slices.Clone(diffs), math.IsNaN)
	slices.Sort(sorted)
	d.N = len(sorted)
	for _, v := range sorted {
		switch {
		case v < -1e-9:
			d.Negative++
		case v > 1e-9:
			d.Positive++
		default:
			d.Zero++
		}
	}
	for _, q := range differenceQuantiles {
		d.rows = append(d.rows, Delta(at(sorted, q), nil))
	}
	if d.N <= maxDifferences {
		d.Values = sorted
		return d
	}
	for i := range maxDifferences {
		d.Values = append(d.Values, at(sorted, (float64(i)+0.5)/maxDifferences))
	}
	return d
}

var differenceQuantiles = []float64{0, 0.05, 0.25, 0.5, 0.75, 0.95, 1}

// at is the value at a share of the sorted values: one that was measured. NaN without any.
func at(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// Table has the count of each sign and the differences at a few shares of the queries.
func (f *Differences) Table() *Table {
	t := &Table{Caption: fmt.Sprintf("Difference in %s on one query, %s − %s", f.Measure, f.B, f.A), Columns: Columns("", "value")}
	t.Add(String("queries"), Count(f.N))
	t.Add(String(f.B+" lower"), Count(f.Negative))
	t.Add(String("same"), Count(f.Zero))
	t.Add(String(f.B+" higher"), Count(f.Positive))
	t.Add(String("mean difference"), Delta(f.Mean, f.Bounds))
	for i, q := range differenceQuantiles {
		name := "smallest difference"
		switch {
		case q == 1:
			name = "largest difference"
		case q == 0.5:
			name = "median"
		case q > 0:
			name = fmt.Sprintf("difference at %.0f %% of the queries", 100*q)
		}
		t.Add(String(name), f.rows[i])
	}
	return t
}

func (f *Differences) alt() string {
	return fmt.Sprintf("On %s %s is higher than %s, on %d the same, on %d lower; the mean difference is %s.",
		plural.Count(f.Positive, "query"), f.B, f.A, f.Zero, f.Negative, Delta(f.Mean, f.Bounds))
}
