package stats

import (
	"math"
	"slices"
	"testing"
)

// reliability are the data of Krippendorff, Computing Krippendorff's
// Alpha-Reliability (2011), example C: four observers, twelve units, gaps.
var reliability = [][]float64{
	{1, 1, 1}, {2, 2, 3, 2}, {3, 3, 3, 3}, {3, 3, 3, 3}, {2, 2, 2, 2}, {1, 2, 3, 4},
	{4, 4, 4, 4}, {1, 1, 2, 1}, {2, 2, 2, 2}, {5, 5, 5}, {1, 1}, {3},
}

func TestKrippendorffAlpha(t *testing.T) {
	// Published: .743, .815, .849; krippendorff.alpha(reliability_data=..., level_of_measurement=...)
	for scale, want := range map[Scale]float64{
		NominalScale: 0.743421052631579, OrdinalScale: 0.8153875037548814, IntervalScale: 0.8491071428571428,
	} {
		a := must(KrippendorffAlpha(reliability, scale, Design{}, Options{}))(t)
		near(t, scale.String(), *a.Value, want, 1e-12)
		if a.Items != 11 || !has(a.Warnings, WarnUnpairedItems) || !a.Contains(*a.Value) {
			t.Errorf("%v: %+v", scale, a)
		}
	}
}

func TestKrippendorffAlphaTwoRaters(t *testing.T) {
	items := make([][]float64, len(raterA))
	for i := range items {
		items[i] = []float64{float64(raterA[i]), float64(raterB[i])}
	}
	// krippendorff.alpha([ra, rb], level_of_measurement=...)
	for scale, want := range map[Scale]float64{
		NominalScale: 0.5573893473368342, OrdinalScale: 0.8717851061923112, IntervalScale: 0.8760504201680672,
	} {
		a := must(KrippendorffAlpha(items, scale, Design{}, Options{}))(t)
		near(t, scale.String(), *a.Value, want, 1e-12)
	}
}

// The interval scale must not care about origin and unit, nor any scale about the
// order of raters.
func TestKrippendorffAlphaInvariance(t *testing.T) {
	shifted := make([][]float64, len(reliability))
	turned := make([][]float64, len(reliability))
	for i, ratings := range reliability {
		turned[i] = slices.Clone(ratings)
		slices.Reverse(turned[i])
		for _, x := range ratings {
			shifted[i] = append(shifted[i], 1e4+0.01*x)
		}
	}
	plain := must(KrippendorffAlpha(reliability, IntervalScale, Design{}, Options{}))(t)
	moved := must(KrippendorffAlpha(shifted, IntervalScale, Design{}, Options{}))(t)
	near(t, "shifted", *moved.Value, *plain.Value, 1e-9)
	nearInterval(t, "shifted", moved.Interval, plain.Lo, plain.Hi, 1e-6)
	for _, scale := range []Scale{NominalScale, OrdinalScale, IntervalScale} {
		a := must(KrippendorffAlpha(reliability, scale, Design{}, Options{}))(t)
		b := must(KrippendorffAlpha(turned, scale, Design{}, Options{}))(t)
		if *a.Value != *b.Value || a.Interval != b.Interval {
			t.Errorf("%v: %v with raters turned round %v", scale, a, b)
		}
	}
}

func TestKrippendorffAlphaDegenerate(t *testing.T) {
	for _, scale := range []Scale{NominalScale, OrdinalScale, IntervalScale} {
		same := must(KrippendorffAlpha([][]float64{{2, 2}, {2, 2, 2}}, scale, Design{}, Options{}))(t)
		if same.Value != nil || !has(same.Warnings, WarnUndefined) {
			t.Errorf("%v, one category: %+v", scale, same)
		}
		perfect := must(KrippendorffAlpha([][]float64{{1, 1}, {2, 2}, {3, 3, 3}}, scale, Design{}, Options{}))(t)
		if perfect.Value == nil || *perfect.Value != 1 || perfect.Hi != 1 || perfect.Lo > 0.2 || !has(perfect.Warnings, WarnDegenerate) {
			t.Errorf("%v, perfect: %+v", scale, perfect)
		}
	}
}

func TestKrippendorffAlphaDesign(t *testing.T) {
	d := Design{Weights: make([]float64, 12), Clusters: make([]string, 12), Strata: make([]string, 12)}
	for i := range d.Weights {
		d.Weights[i] = 3
	}
	plain := must(KrippendorffAlpha(reliability, OrdinalScale, Design{}, Options{}))(t)
	equal := must(KrippendorffAlpha(reliability, OrdinalScale, d, Options{}))(t)
	near(t, "equal weights", *equal.Value, *plain.Value, 1e-12)
	// An item of weight 2 counts as two items, but for the small-sample n − 1.
	d.Weights[1] = 6
	heavier := must(KrippendorffAlpha(reliability, NominalScale, d, Options{}))(t)
	twice := must(KrippendorffAlpha(append(slices.Clone(reliability), reliability[1]), NominalScale, Design{}, Options{}))(t)
	if math.Abs(*heavier.Value-*twice.Value) > 0.01 || *heavier.Value == *plain.Value {
		t.Errorf("weight 2: %v, twice: %v", heavier, twice)
	}
}

func TestKrippendorffAlphaMisuse(t *testing.T) {
	many := make([][]float64, 70)
	for i := range many {
		many[i] = []float64{float64(i), float64(i + 1)}
	}
	for name, call := range map[string]func() error{
		"none": func() error { _, err := KrippendorffAlpha(nil, NominalScale, Design{}, Options{}); return err },
		"single": func() error {
			_, err := KrippendorffAlpha([][]float64{{1}, {}}, NominalScale, Design{}, Options{})
			return err
		},
		"NaN": func() error {
			_, err := KrippendorffAlpha([][]float64{{1, math.NaN()}}, NominalScale, Design{}, Options{})
			return err
		},
		"values": func() error { _, err := KrippendorffAlpha(many, OrdinalScale, Design{}, Options{}); return err },
		"scale":  func() error { _, err := KrippendorffAlpha(many, 7, Design{}, Options{}); return err },
		"design": func() error {
			_, err := KrippendorffAlpha(many, IntervalScale, Design{Weights: []float64{1}}, Options{})
			return err
		},
	} {
		if call() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := KrippendorffAlpha(many, IntervalScale, Design{}, Options{}); err != nil {
		t.Errorf("many values on the interval scale: %v", err)
	}
}
