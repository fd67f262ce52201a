package assay

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSpanIn(t *testing.T) {
	const text = "größe"
	for s, want := range map[Span]string{{0, 0}: "", {0, len(text)}: text, {2, 4}: "ö", {len(text), len(text)}: ""} {
		if got, err := s.In(text); err != nil || got != want {
			t.Errorf("%s: %q, %v", s, got, err)
		}
	}
	for _, s := range []Span{{-1, 2}, {3, 2}, {0, len(text) + 1}, {100, 101}, {-2, -1}} {
		if got, err := s.In(text); err == nil {
			t.Errorf("%s fits: %q", s, got)
		}
	}
	if (Span{3, 9}).String() != "3-9" {
		t.Error(Span{3, 9})
	}
}

// The arithmetic agrees with counting bytes, inverted spans included.
func TestSpanArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(-3, 20)
		a := Span{n.Draw(t, "a"), n.Draw(t, "b")}
		b := Span{n.Draw(t, "c"), n.Draw(t, "d")}
		length, overlap, inside := 0, 0, 0
		for i := -5; i < 25; i++ {
			inA, inB := a.Start <= i && i < a.End, b.Start <= i && i < b.End
			if inA {
				length++
			}
			if inB {
				inside++
			}
			if inA && inB {
				overlap++
			}
		}
		if a.Len() != length || a.Empty() != (length == 0) {
			t.Fatalf("%s: length %d, want %d", a, a.Len(), length)
		}
		if a.Overlap(b) != overlap || b.Overlap(a) != overlap {
			t.Fatalf("%s and %s: overlap %d, want %d", a, b, a.Overlap(b), overlap)
		}
		if want := inside > 0 && overlap == inside; a.Contains(b) != want {
			t.Fatalf("%s contains %s: %v, want %v", a, b, a.Contains(b), want)
		}
	})
}
