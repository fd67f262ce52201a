package wire

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

func TestSeed(t *testing.T) {
	for seed, want := range map[uint64]int64{0: 0, 1: 1, 1<<31 - 1: 1<<31 - 1} {
		if got := Seed(seed); got != want {
			t.Errorf("%d became %d", seed, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if got := Seed(rapid.Uint64().Draw(t, "seed")); got < 0 || got >= 1<<31 {
			t.Fatalf("%d does not fit into 31 bits", got)
		}
	})
}

func TestMaxTokens(t *testing.T) {
	for _, c := range [][3]int{{5, 7, 5}, {0, 7, 7}, {0, 0, DefaultMaxTokens}, {-1, -1, DefaultMaxTokens}} {
		if got := MaxTokens(c[0], c[1]); got != c[2] {
			t.Errorf("MaxTokens(%d, %d) = %d", c[0], c[1], got)
		}
	}
}

func TestDimension(t *testing.T) {
	var d Dimension
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, bad := range [][]float32{nil, {}, {0, 0}, {1, nan}, {inf, 1}} {
		if d.Check(bad) == nil {
			t.Errorf("%v accepted", bad)
		}
	}
	if err := errors.Join(d.Check([]float32{1, 2}), d.Check([]float32{0, 3})); err != nil {
		t.Error(err)
	}
	if d.Check([]float32{1}) == nil {
		t.Error("another dimension accepted")
	}
}

func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		order := rapid.Permutation(seq(n)).Draw(t, "order")
		indices := make([]*int, n)
		for i := range indices {
			indices[i] = &order[i]
		}
		place, err := Order(indices, n, rapid.Bool().Draw(t, "positional"))
		if err != nil || !slices.Equal(place, order) {
			t.Fatalf("%v, %v; want %v", place, err, order)
		}
		// Any single change makes it no permutation.
		i, to := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(-2, n+1).Draw(t, "to")
		if to != order[i] {
			indices[i] = &to
			if place, err := Order(indices, n, true); err == nil {
				t.Fatalf("accepted as %v", place)
			}
		}
	})
	if _, err := Order(make([]*int, 2), 2, false); err == nil {
		t.Error("no indices accepted where positions do not count")
	}
}

func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func TestWithKind(t *testing.T) {
	e := assay.Errorf(assay.KindInternal, "embed", "host", "boom")
	e.Raw = "raw"
	got := WithKind(fmt.Errorf("outer: %w", e), assay.KindTruncated)
	var a *assay.Error
	if !errors.As(got, &a) || a.Kind != assay.KindTruncated || a.Raw != "raw" || e.Kind != assay.KindInternal {
		t.Errorf("%+v, and the first one %+v", a, e)
	}
	plain := errors.New("x")
	if WithKind(plain, assay.KindTruncated) != plain || Says(nil, "x") || !Says(e, "raw") || TooLong(e) {
		t.Error("an error that is none of ours was changed, or its words were not seen")
	}
}
