package stats

import (
	"math"
	"testing"
)

// The building blocks are called by people with their own data: nothing may panic.
func TestEmptyAndTinyInput(t *testing.T) {
	if i := Wilson(0, 0, 0.95); i != (Interval{0, 1}) {
		t.Errorf("Wilson without trials: %v", i)
	}
	if centre, i := HodgesLehmann(nil, 0.95); !math.IsNaN(centre) || !math.IsInf(i.Width(), 1) {
		t.Errorf("Hodges-Lehmann of nothing: %v %v", centre, i)
	}
	if _, covered := OrderStatistics(nil, 0.5, 0.95); covered != 0 {
		t.Errorf("order statistics of nothing cover %v", covered)
	}
	if i, covered := OrderStatistics([]float64{7}, 0.5, 0.95); i != (Interval{7, 7}) || covered != 0 {
		t.Errorf("one value: %v covers %v", i, covered)
	}
	if i := BCa(nil, 0.5, 0, 0.95); i != (Interval{0.5, 0.5}) {
		t.Errorf("BCa of nothing: %v", i)
	}
	if i := Percentile(nil, 0.95); !math.IsNaN(i.Lo) {
		t.Errorf("percentiles of nothing: %v", i)
	}
	if a := Acceleration(); a != 0 {
		t.Errorf("acceleration of nothing: %v", a)
	}
	if p := Power(0.1, 0.2, 1, 0.05); p != 0 {
		t.Errorf("one query finds with power %v", p)
	}
	if p := Power(0.1, 0, 10, 0.05); math.Abs(p-1) > 1e-9 {
		t.Errorf("without spread: power %v", p)
	}
	if p := Power(0, 0, 10, 0.05); p != 0.05 {
		t.Errorf("without difference: power %v", p)
	}
	if m := MinimumDetectable(0.2, 1, 0.05, 0.8); !math.IsInf(m, 1) {
		t.Errorf("one query finds %v", m)
	}
	if n, ok := QueriesNeeded(0.1, 0, 0.05, 0.8); !ok || n != 2 {
		t.Errorf("without spread: %d queries (%v)", n, ok)
	}
	if w, err := StratumWeights(nil, nil); err != nil || len(w) != 0 {
		t.Errorf("no strata: %v, %v", w, err)
	}
}
