package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCohenKappa(t *testing.T) {
	thirds := make([]float64, len(raterA))
	for i := range thirds {
		thirds[i] = float64(1 + i%3)
	}
	for _, c := range []struct {
		w    Weighting
		d    Design
		want float64
	}{
		// sklearn.metrics.cohen_kappa_score(ra, rb, weights=None | 'linear' | 'quadratic')
		{Unweighted, Design{}, 0.5502248875562219},
		{LinearWeights, Design{}, 0.7395833333333333},
		{QuadraticWeights, Design{}, 0.8740554156171285},
		// the same with sample_weight=[1 + i % 3 for i in range(30)]
		{QuadraticWeights, Design{Weights: thirds}, 0.8631029986962191},
	} {
		a := must(CohenKappa(raterA, raterB, c.w, c.d, Options{}))(t)
		near(t, c.w.String(), *a.Value, c.want, 1e-12)
		near(t, "1 − observed/expected", 1-a.Observed/a.Expected, c.want, 1e-12)
		if !a.Contains(*a.Value) || a.Items != 30 || a.Method != MethodBCa {
			t.Errorf("%v: %+v", c.w, a)
		}
	}
}

func TestCohenKappaInterval(t *testing.T) {
	// scipy.stats.bootstrap over items of the quadratic coefficient, method='BCa',
	// n_resamples=200_000, confidence_level=0.9624921994435589 (expanded for n = 30)
	a := must(CohenKappa(raterA, raterB, QuadraticWeights, Design{}, Options{Draws: 200_000}))(t)
	nearInterval(t, "quadratic", a.Interval, 0.7708894878706198, 0.946159368269921, 0.006)
}

func TestCohenKappaLeavesUnusedGradesOut(t *testing.T) {
	// Grades 0 and 3 only: the weights are distances between grades, not ranks.
	a := []int{0, 3, 0, 3, 0, 3, 3, 0}
	b := []int{0, 3, 0, 0, 0, 3, 3, 3}
	plain := must(CohenKappa(a, b, Unweighted, Design{}, Options{}))(t)
	quadratic := must(CohenKappa(a, b, QuadraticWeights, Design{}, Options{}))(t)
	near(t, "two grades", *quadratic.Value, *plain.Value, 1e-12)
}

func TestCohenKappaUndefined(t *testing.T) {
	same := []int{2, 2, 2, 2}
	a := must(CohenKappa(same, same, Unweighted, Design{}, Options{}))(t)
	if a.Value != nil || a.Interval != (Interval{-1, 1}) || !has(a.Warnings, WarnUndefined) || a.String() != "undefined" {
		t.Errorf("%+v", a)
	}
}

func TestCohenKappaPerfect(t *testing.T) {
	grades := make([]int, 60)
	for i := range grades {
		grades[i] = i % 2
	}
	a := must(CohenKappa(grades, grades, Unweighted, Design{}, Options{}))(t)
	u := 1 - math.Pow(0.05, 1.0/60)
	if *a.Value != 1 || !has(a.Warnings, WarnDegenerate) {
		t.Errorf("%+v", a)
	}
	nearInterval(t, "perfect", a.Interval, 1-2*u, 1, 1e-12)
}

func TestCohenKappaClusters(t *testing.T) {
	// Ten copies of each item under its own query must not sharpen the interval.
	var a, b []int
	var d Design
	for i := range raterA {
		for range 10 {
			a, b = append(a, raterA[i]), append(b, raterB[i])
			d.Clusters = append(d.Clusters, string(rune('A'+i)))
		}
	}
	copies := must(CohenKappa(a, b, QuadraticWeights, d, Options{}))(t)
	once := must(CohenKappa(raterA, raterB, QuadraticWeights, Design{}, Options{}))(t)
	near(t, "value", *copies.Value, *once.Value, 1e-12)
	nearInterval(t, "interval", copies.Interval, once.Lo, once.Hi, 1e-9)
	if !has(copies.Warnings, WarnClusters) || copies.Warnings[0].Message != "300 items come from 30 sources, which are resampled whole: 30 is the number that counts" {
		t.Errorf("warnings %v", copies.Warnings)
	}
}

// Items of one query are one draw: resampling it gives one value, which is no interval, and neither is that of perfect raters.
func TestCohenKappaFewUnits(t *testing.T) {
	for _, units := range []int{1, 2, 4, 5} {
		d := Design{Clusters: make([]string, len(raterA))}
		for i := range d.Clusters {
			d.Clusters[i] = string(rune('A' + i%units))
		}
		for _, other := range [][]int{raterB, raterA} {
			k := must(CohenKappa(raterA, other, Unweighted, d, Options{}))(t)
			if whole := k.Interval == (Interval{-1, 1}); k.Value == nil || k.Units != units || whole != (units < 5) {
				t.Errorf("%d units: %+v", units, k)
			}
		}
	}
}

func TestCohenKappaPrevalence(t *testing.T) {
	a, b := make([]int, 200), make([]int, 200)
	a[3], b[3], b[5] = 1, 1, 1 // a resample has neither item with probability .13
	k := must(CohenKappa(a, b, Unweighted, Design{}, Options{}))(t)
	if diff := cmp.Diff([]WarningKind{WarnUndefined, WarnPrevalence}, kinds(k.Warnings)); diff != "" {
		t.Error(diff)
	}
}

func TestCohenKappaMisuse(t *testing.T) {
	many := rand.New(rand.NewPCG(1, 1)).Perm(100)
	for name, call := range map[string]func() error{
		"length": func() error { _, err := CohenKappa([]int{1}, nil, Unweighted, Design{}, Options{}); return err },
		"empty":  func() error { _, err := CohenKappa(nil, nil, Unweighted, Design{}, Options{}); return err },
		"grades": func() error { _, err := CohenKappa(many, many, Unweighted, Design{}, Options{}); return err },
		"design": func() error {
			_, err := CohenKappa([]int{1}, []int{1}, Unweighted, Design{Clusters: []string{}}, Options{})
			return err
		},
		"options": func() error {
			_, err := CohenKappa([]int{1}, []int{1}, Unweighted, Design{}, Options{Draws: 1})
			return err
		},
	} {
		if call() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestAgreementShort(t *testing.T) {
	value := -0.001
	a := Agreement{Value: &value, Interval: Interval{-0.004, 0.126}}
	if got := a.Short(); got != "0.00 [0.00, 0.13]" {
		t.Errorf("%q", got)
	}
	if got := (Agreement{}).Short(); got != "no value" {
		t.Errorf("%q", got)
	}
}
