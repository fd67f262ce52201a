package stats

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestHolmAndBenjaminiHochberg(t *testing.T) {
	p := []float64{0.01, 0.04, 0.03, 0.005, 0.2, 0.04, 0.6}
	// statsmodels.stats.multitest.multipletests(p, method='holm')[1]
	if diff := cmp.Diff([]float64{0.06, 0.16, 0.15, 0.035, 0.4, 0.16, 0.6}, Holm(p), approx(1e-12)); diff != "" {
		t.Error(diff)
	}
	// multipletests(p, method='fdr_bh')[1]
	if diff := cmp.Diff([]float64{0.035, 0.056, 0.056, 0.035, 0.7 / 3, 0.056, 0.6}, BenjaminiHochberg(p), approx(1e-12)); diff != "" {
		t.Error(diff)
	}
	if len(Holm(nil)) != 0 || len(BenjaminiHochberg(nil)) != 0 {
		t.Error("an empty family has adjusted values")
	}
}

func TestAdjustedValuesKeepOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 20).Draw(t, "p")
		holm, bh := Holm(p), BenjaminiHochberg(p)
		for i := range p {
			if !(p[i] <= bh[i]+1e-15 && bh[i] <= holm[i]+1e-15 && holm[i] <= 1) {
				t.Fatalf("p %v, Benjamini–Hochberg %v, Holm %v", p[i], bh[i], holm[i])
			}
			for j := range p {
				if p[i] < p[j] && (holm[i] > holm[j] || bh[i] > bh[j]) {
					t.Fatalf("the order of %v and %v was turned round", p[i], p[j])
				}
			}
		}
	})
}
