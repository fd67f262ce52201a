package stats

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The data behind the numbers that were computed elsewhere: scipy 1.17.1, numpy
// 2.4.6, statsmodels 0.15.0, scikit-learn 1.9.1, krippendorff 0.9.0 and
// ppi-python 0.2.3 on Python 3.11. In the calls beside the numbers, A, B, C, W,
// HA, HB, d, ra and rb are these values and D is np.round(A - B, 10).
var (
	scoresA  = []float64{0.63, 1, 0, 0.39, 0.85, 0.5, 0.92, 0, 0.77, 0.43, 1, 0.61, 0.25, 0.88, 0.36, 0.71, 0, 0.95, 0.54, 0.69, 0.83, 0.47, 0.31, 0.74}
	scoresB  = []float64{0.5, 1, 0.12, 0.39, 0.61, 0.43, 0.92, 0, 0.63, 0.5, 0.86, 0.43, 0.25, 0.63, 0.36, 0.5, 0.21, 0.88, 0.54, 0.44, 0.71, 0.5, 0.2, 0.74}
	sources  = strings.Split("aaabbcccddddeffgghhhiijj", "")
	layers   = strings.Split("xxxxxxxxyyyyyyyyyyzzzzzz", "")
	weightsW = []float64{1, 2, 1, 3, 1, 1, 2, 5, 1, 1, 1, 2, 1, 1, 4, 1, 1, 1, 2, 1, 3, 1, 1, 1}
	hitsA    = []float64{1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1}
	hitsB    = []float64{1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1}
	smallD   = []float64{0.11, -0.23, 0.34, 0.05, -0.07, 0.41, 0.19, 0.28, -0.02, 0.17}
	raterA   = []int{3, 2, 0, 1, 3, 0, 2, 1, 0, 3, 2, 2, 1, 0, 0, 3, 1, 2, 0, 0, 3, 1, 1, 2, 0, 0, 2, 3, 1, 0}
	raterB   = []int{3, 1, 0, 1, 2, 0, 2, 2, 0, 3, 3, 2, 0, 0, 1, 3, 1, 2, 0, 1, 3, 1, 0, 2, 0, 0, 3, 3, 2, 0}
)

// near compares floats to a relative or absolute tolerance.
func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tol*max(1, math.Abs(want)) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

func nearInterval(t *testing.T, what string, got Interval, lo, hi, tol float64) {
	t.Helper()
	near(t, what+" lo", got.Lo, lo, tol)
	near(t, what+" hi", got.Hi, hi, tol)
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func approx(tol float64) cmp.Option { return cmpopts.EquateApprox(0, tol) }

func kinds(ws []Warning) []WarningKind {
	out := []WarningKind{}
	for _, w := range ws {
		out = append(out, w.Kind)
	}
	return out
}

func has(ws []Warning, k WarningKind) bool {
	for _, w := range ws {
		if w.Kind == k {
			return true
		}
	}
	return false
}
