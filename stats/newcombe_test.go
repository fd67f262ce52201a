package stats

import "testing"

func TestNewcombe(t *testing.T) {
	for _, c := range []struct {
		table  PairedTable
		lo, hi float64
		tol    float64
	}{
		// Newcombe, Statistics in Medicine 1998, table II, method 10
		{PairedTable{36, 12, 2, 0}, 0.0569, 0.3404, 5e-5},
		// Cavo et al. 2012 in Fagerland, Lydersen and Laake, Statistical Analysis of
		// Contingency Tables, ch. 8; also the expected output in the R package contingencytables
		{PairedTable{59, 6, 16, 80}, -0.1186, -0.0046, 5e-5},
		// The formula over statsmodels proportion_confint(method='wilson')
		{PairedTable{20, 12, 2, 16}, 0.05615642484174821, 0.32920699540014053, 1e-12},
		{PairedTable{1, 1, 7, 12}, -0.506920226686141, -0.025559124164859837, 1e-12},
		{PairedTable{0, 0, 0, 20}, -0.1611251580528194, 0.1611251580528194, 1e-12},
		{PairedTable{80, 0, 0, 20}, -0.02937008323996284, 0.02937008323996284, 1e-12},
		{PairedTable{53, 2, 0, 0}, -0.034032406687448225, 0.12323463974651017, 1e-12},
		{PairedTable{}, -1, 1, 0},
	} {
		nearInterval(t, "Newcombe", Newcombe(c.table, 0.95), c.lo, c.hi, c.tol)
	}
}

func TestPairedTable(t *testing.T) {
	if got, want := pairedTable(hitsA, hitsB), (PairedTable{13, 6, 1, 4}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
