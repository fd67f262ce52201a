package report

import (
	"encoding/xml"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/stats"
)

// TestDistributionCountsAll: every score is in one bin, that whose upper end it does not exceed.
func TestDistributionCountsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOf(rapid.OneOf(rapid.Just(math.NaN()), rapid.Float64Range(0, 1))).Draw(t, "scores")
		d := NewDistribution("m", scores, 0, 1)
		sum, n := 0, 0
		for _, v := range scores {
			if !math.IsNaN(v) {
				n++
			}
		}
		for _, b := range d.Bins {
			sum += b.Count
		}
		if sum != n || d.N != n {
			t.Fatalf("%d of %d scores are in bins, N is %d", sum, n, d.N)
		}
	})
	// In floats three tenths are a little more than 0.3.
	v := 0.0
	for i := 1; i < 10; i++ {
		v += 0.1
		if d := NewDistribution("m", []float64{v}, 0, 1); d.Bins[i].Count != 1 {
			t.Errorf("%v is not in the bin that ends with it: %+v", v, d.Bins)
		}
	}
	d := NewDistribution("m", []float64{0, 0.1, 0.10001, 0.5, 0.999, 1, 1}, 0, 1)
	var counts []int
	for _, b := range d.Bins {
		counts = append(counts, b.Count)
	}
	if diff := cmp.Diff([]int{1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 2}, counts); diff != "" {
		t.Error(diff)
	}
}

// TestDifferencesCountAll: signs are counted over all queries, however few bars are drawn.
func TestDifferencesCountAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		diffs := rapid.SliceOfN(rapid.SampledFrom([]float64{-1, -0.5, -1e-12, 0, 0.25, 1, math.NaN()}), 0, 1500).Draw(t, "differences")
		f := NewDifferences("m", "a", "b", "higher", diffs, 0, nil)
		neg, zero, pos := 0, 0, 0
		for _, v := range diffs {
			switch {
			case math.IsNaN(v):
			case v < -1e-9:
				neg++
			case v > 1e-9:
				pos++
			default:
				zero++
			}
		}
		if f.Negative != neg || f.Zero != zero || f.Positive != pos || f.N != neg+zero+pos || len(f.Values) > maxDifferences {
			t.Fatalf("%+v", f)
		}
		for i := 1; i < len(f.Values); i++ {
			if f.Values[i] < f.Values[i-1] {
				t.Fatal("the bars are not sorted")
			}
		}
	})
}

// TestFiguresDrawAnything: whatever the numbers, a figure is well-formed XML without NaN in it.
func TestFiguresDrawAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(-1, 1), rapid.SampledFrom([]float64{0, 1, 0.5, 1e-9, 1e9, -1e9}))
		text := rapid.OneOf(rapid.SampledFrom(hostile), rapid.String())
		bounds := func() *stats.Interval {
			if rapid.Bool().Draw(t, "has interval") {
				v := value.Draw(t, "lo")
				return &stats.Interval{Lo: v, Hi: v + math.Abs(value.Draw(t, "width"))}
			}
			return nil
		}
		n := rapid.IntRange(0, 5).Draw(t, "n")
		curve, forest, stages, trend := &Curve{X: "k", Y: "y"}, &Forest{Value: "v", Signed: rapid.Bool().Draw(t, "signed")}, &Stages{}, NewTrend(text.Draw(t, "system"), "m")
		s := Series{Name: text.Draw(t, "series")}
		var values []float64
		for i := range n {
			v := value.Draw(t, "v")
			values = append(values, v)
			s.Points = append(s.Points, Point{X: float64(i * i), Y: v})
			forest.Rows = append(forest.Rows, Estimate{Group: text.Draw(t, "group"), Name: text.Draw(t, "name"), Value: v, Bounds: bounds(), N: i})
			stages.Rows = append(stages.Rows, Stage{Name: text.Draw(t, "stage"), P50: math.Abs(v), P95: 2 * math.Abs(v), P99: 3 * math.Abs(v), N: i})
			trend.Add(text.Draw(t, "run"), hour(i), v, bounds())
		}
		curve.Series = append(curve.Series, s)
		for _, f := range []Figure{curve, forest, stages, trend.Trend(), NewDistribution(text.Draw(t, "measure"), values, 0, 1),
			NewDifferences("m", text.Draw(t, "a"), "b", "higher", values, 0, bounds())} {
			svg := draw(f).svg(f.alt())
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Fatalf("%T: %s", f, svg)
			}
			if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
				t.Fatalf("%T: %v in %s", f, err, svg)
			}
			f.Table()
		}
	})
}
