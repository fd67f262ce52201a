package compare_test

import (
	"testing"

	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/stats"
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

// How many queries must differ is said for the whole table: with five tests, six queries that all go one way are corrected to more
// than 0.05, and eight are not.
func TestFewDifferCountsTheFamily(t *testing.T) {
	names := []string{"recall@10", "recall@5", "mrr@10", "ndcg@10", "p@10"}
	for _, c := range []struct {
		measures, differ int
		want             string // "" for no warning
		finding          compare.Finding
	}{
		{1, 5, "the systems differ on 5 independent queries: no p-value below 0.0625 is possible, 0.05 takes 6", compare.NotShown},
		{1, 6, "", compare.Better},
		{5, 5, "the systems differ on 5 independent queries: no p-value below 0.0625 is possible, 0.05 takes 6, and 8 where it is corrected for 5 tests", compare.NotShown},
		{5, 7, "the systems differ on 7 independent queries: no p-value below 0.0156 is possible, 0.05 takes 6, and 8 where it is corrected for 5 tests", compare.NotShown},
		{5, 8, "", compare.Better},
		{1, 1, "the systems differ on 1 independent query: no p-value below 1 is possible, 0.05 takes 6", compare.NotShown},
	} {
		a, b := side("a"), side("b")
		for i := range 60 {
			was, is := make([]float64, c.measures), make([]float64, c.measures)
			for j := range was {
				was[j], is[j] = 0.25, 0.25
				if i < c.differ {
					is[j] += 0.3 + float64(i)/100
				}
			}
			a.Queries = append(a.Queries, compare.Query{ID: id(i), Values: was})
			b.Queries = append(b.Queries, compare.Query{ID: id(i), Values: is})
		}
		res := run(t, compare.Input{Measures: measures(names[:c.measures]...), Sides: []compare.Side{a, b}})
		m := res.Pairs[0].Measures[0]
		got := ""
		for _, w := range m.Warnings {
			if w.Kind == stats.WarnFewDiffer {
				got = w.Message
			}
		}
		if got != c.want || m.Finding != c.finding {
			t.Errorf("%d measures, %d queries differ: %s (p %.3g), %q", c.measures, c.differ, m.Finding, m.PHolm, got)
		}
	}
}
