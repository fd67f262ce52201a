package vector

import (
	"math"
	"testing"
)

func TestCosine(t *testing.T) {
	for _, c := range []struct {
		a, b []float32
		want float64
	}{
		{[]float32{1, 0}, []float32{2, 0}, 1},
		{[]float32{1, 0}, []float32{0, 3}, 0},
		{[]float32{3, 4}, []float32{4, 3}, 0.96}, // 24/25
		{[]float32{1, 2}, []float32{-1, -2}, -1},
		{[]float32{0, 0}, []float32{1, 0}, 0},
		{[]float32{1}, []float32{1, 0}, 0},
	} {
		if got := Cosine(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("cosine(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestLength(t *testing.T) {
	if got := Length([]float32{3, -4}); got != 5 {
		t.Errorf("the length of (3, -4) is %v", got)
	}
}
