package stats

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLayoutGroupsUnits(t *testing.T) {
	clusters := []string{"b", "a", "", "b", "", "a", "c", "c", "d", "e", "f", "g"}
	l := must(Design{Clusters: clusters}.layout(len(clusters)))(t)
	if l.units() != 9 { // a–g and two that stand alone
		t.Errorf("%d units, want 9", l.units())
	}
	if l.unitOf(0) != l.unitOf(3) || l.unitOf(2) == l.unitOf(4) || l.unitOf(0) == l.unitOf(1) {
		t.Errorf("units %v", l.unit)
	}
}

func TestLayoutPoolsSmallStrata(t *testing.T) {
	count := func(sizes map[string]int) Design {
		var d Design
		for _, s := range []string{"a", "b", "c"} {
			for range sizes[s] {
				d.Strata = append(d.Strata, s)
			}
		}
		return d
	}
	for _, c := range []struct {
		name  string
		sizes map[string]int
		want  []span
		warn  bool
	}{
		{"all large", map[string]int{"a": 5, "b": 6}, []span{{0, 5}, {5, 11}}, false},
		{"small ones together", map[string]int{"a": 3, "b": 6, "c": 2}, []span{{0, 6}, {6, 11}}, true},
		{"still too small: into the largest", map[string]int{"a": 3, "b": 6, "c": 7}, []span{{0, 6}, {6, 16}}, true},
		{"all small", map[string]int{"a": 3, "b": 2, "c": 1}, []span{{0, 6}}, true},
		{"one small stratum", map[string]int{"a": 3}, []span{{0, 3}}, false},
	} {
		d := count(c.sizes)
		l := must(d.layout(len(d.Strata)))(t)
		if diff := cmp.Diff(c.want, l.strata, cmp.AllowUnexported(span{})); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if has(l.warnings, WarnStrata) != c.warn {
			t.Errorf("%s: warnings %v", c.name, l.warnings)
		}
		seen := map[int]bool{}
		for i := range d.Strata {
			seen[l.unitOf(i)] = true
		}
		if len(seen) != len(d.Strata) {
			t.Errorf("%s: units %v are not a numbering", c.name, l.unit)
		}
	}
}

func TestLayoutSetsSplitStrataAside(t *testing.T) {
	d := Design{Clusters: []string{"x", "y", "y", "x"}, Strata: []string{"a", "a", "b", "b"}}
	l := must(d.layout(4))(t)
	if len(l.strata) != 1 || l.units() != 2 {
		t.Errorf("strata %v, %d units", l.strata, l.units())
	}
	if !has(l.warnings, WarnStrata) || l.warnings[0].Message != `strata set aside: cluster "x" lies in more than one, and clusters are resampled whole` {
		t.Errorf("warnings %v", l.warnings)
	}
}

func TestStratumWeights(t *testing.T) {
	w := must(StratumWeights([]string{"head", "tail", "head", "head"}, map[string]float64{"head": 0.6, "tail": 0.4}))(t)
	if diff := cmp.Diff([]float64{0.2, 0.4, 0.2, 0.2}, w, approx(1e-15)); diff != "" {
		t.Error(diff)
	}
	// The weighted mean is the stratified mean 0.6·mean(head) + 0.4·mean(tail).
	s := must(Summarize([]float64{1, 0.25, 0.5, 0.3}, Design{Weights: w}, Options{}))(t)
	near(t, "stratified mean", s.Mean, 0.6*0.6+0.4*0.25, 1e-12)
	for name, bad := range map[string]map[string]float64{
		"no share":  {"head": 1},
		"unsampled": {"head": 0.5, "tail": 0.3, "rare": 0.2},
		"negative":  {"head": 1.5, "tail": -0.5},
	} {
		if _, err := StratumWeights([]string{"head", "tail"}, bad); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// A stratified bootstrap must show the variance inside the strata only.
func TestStrataNarrowTheInterval(t *testing.T) {
	xs, strata := make([]float64, 100), make([]string, 100)
	for i := range xs {
		xs[i], strata[i] = 0.1+0.001*float64(i%10), "low"
		if i%2 == 0 {
			xs[i], strata[i] = 0.9-0.001*float64(i%10), "high"
		}
	}
	with := must(Summarize(xs, Design{Strata: strata}, Options{}))(t)
	without := must(Summarize(xs, Design{}, Options{}))(t)
	if with.Width() > without.Width()/50 {
		t.Errorf("with strata %v, without %v", with, without)
	}
	near(t, "width", with.Width(), 2*1.98*with.SE, 0.1*with.SE)
}
