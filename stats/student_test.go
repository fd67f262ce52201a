package stats

import "testing"

func TestPairedTTest(t *testing.T) {
	// scipy.stats.ttest_rel(A, B): pvalue, confidence_interval()
	near(t, "p", PairedTTest(differences(scoresA, scoresB)), 0.018168883321510593, 1e-12)
	c := must(ComparePaired(scoresA, scoresB, Design{}, Options{Assume: AssumeNormal}))(t)
	near(t, "p of the comparison", c.P, 0.018168883321510593, 1e-12)
	nearInterval(t, "interval", c.Interval, 0.011507682593995948, 0.11182565073933737, 1e-12)
	if c.Test != PairedT || c.Method != MethodT {
		t.Errorf("%q, %q", c.Test, c.Method)
	}
}

// Where t has no distribution the randomization test answers, never p = 0.
func TestPairedTTestWithoutSpread(t *testing.T) {
	for _, c := range []struct {
		d    []float64
		want float64
	}{
		{nil, 1}, {[]float64{0.5}, 1}, {[]float64{0, 0, 0}, 1},
		{[]float64{0.25, 0.25, 0.25, 0.25}, 0.125},
	} {
		near(t, "p", PairedTTest(c.d), c.want, 1e-12)
	}
}
