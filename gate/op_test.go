package gate

import "testing"

// TestOpsForgiveRounding, and nothing more than it: 0.3 − 0.1 is not under 0.2, and 0.1 + 0.2 is not over 0.3.
func TestOpsForgiveRounding(t *testing.T) {
	point := func(x float64) float64 { return x } // keeps the compiler from calculating exactly
	for _, c := range []struct {
		op    Op
		x     float64
		limit float64
		want  bool
	}{
		{Less, point(0.3) - point(0.1), 0.2, false}, {Less, 0.1999, 0.2, true}, {LessEqual, point(0.1) + point(0.2), 0.3, true}, {LessEqual, 0.30001, 0.3, false},
		{Greater, point(0.1) + point(0.2), 0.3, false}, {Greater, 0.3001, 0.3, true}, {GreaterEqual, point(0.3) - point(0.1), 0.2, true}, {GreaterEqual, 0.7966, 0.8, false},
		{Less, 400.0000001, 400, false}, {LessEqual, 400.0000001, 400, true},
	} {
		if got := c.op.holds(c.x, c.limit); got != c.want {
			t.Errorf("%v %s %v is %v", c.x, c.op, c.limit, got)
		}
	}
}
