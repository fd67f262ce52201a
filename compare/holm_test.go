package compare_test

import (
	"testing"

	"github.com/assay-eval/assay/compare"
)

// TestFindingTakesTheCorrectedP: six of twenty queries lost is p = 2/64 for one measure and shows something; among five measures the
// same is 10/64 and shows nothing.
func TestFindingTakesTheCorrectedP(t *testing.T) {
	names := []string{"recall@10", "mrr@10", "recall@5", "recall@3", "recall@1"}
	for family, want := range map[int]compare.Finding{1: compare.Worse, 5: compare.NotShown} {
		a, b := make([][]float64, 20), make([][]float64, 20)
		for i := range a {
			for m := range family {
				was, is := 1.0, 1.0
				if i < 6 && m == 0 {
					is = 0
				}
				a[i], b[i] = append(a[i], was), append(b[i], is)
			}
		}
		res := run(t, compare.Input{Measures: measures(names[:family]...), Sides: []compare.Side{sideOf("a", a), sideOf("b", b)}})
		m := res.Pairs[0].Measures[0]
		if m.Finding != want || m.P > 0.05 || m.Interval.Contains(0) || (m.PHolm > 0.05) != (family == 5) || res.Settings.Family != family {
			t.Errorf("%d measures: %s, p = %v, corrected %v, %v", family, m.Finding, m.P, m.PHolm, m.Interval)
		}
	}
}
