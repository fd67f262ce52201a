package bm25

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestLn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := 1 + math.Exp2(rapid.Float64Range(-40, 60).Draw(t, "exponent"))
		if got, want := ln(x), math.Log(x); math.Abs(got-want) > 4.5e-16*want {
			t.Fatalf("ln(%v) = %v, want %v", x, got, want)
		}
	})
}
