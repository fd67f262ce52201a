package anchor_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"pgregory.net/rapid"
)

func TestCredit(t *testing.T) {
	gold := assay.Span{Start: 100, End: 200}
	for _, tt := range []struct {
		chunk assay.Span
		want  anchor.Credit
		grade assay.Grade // of a label with grade 3
	}{
		{assay.Span{Start: 0, End: 300}, anchor.Full, 3},
		{assay.Span{Start: 0, End: 175}, anchor.Full, 3}, // exactly 0.75
		{assay.Span{Start: 0, End: 174}, anchor.Partial, 1},
		{assay.Span{Start: 0, End: 125}, anchor.Partial, 1}, // exactly 0.25
		{assay.Span{Start: 0, End: 124}, anchor.NoCredit, 0},
		{assay.Span{Start: 0, End: 100}, anchor.NoCredit, 0}, // touching
		{assay.Span{Start: 200, End: 300}, anchor.NoCredit, 0},
	} {
		got := anchor.CreditFor(tt.chunk, gold)
		if got != tt.want || got.Grade(3) != tt.grade || got.Grade(0) != 0 {
			t.Errorf("chunk %s: %s, grade %d; want %s, %d", tt.chunk, got, got.Grade(3), tt.want, tt.grade)
		}
	}
	if got := anchor.CreditFor(gold, assay.Span{}); got != anchor.NoCredit {
		t.Errorf("an empty gold span earns %s", got)
	}
}

func TestCoverage(t *testing.T) {
	p := func(doc string, start, end int) anchor.Place {
		return anchor.Place{Document: doc, Span: assay.Span{Start: start, End: end}}
	}
	tests := map[string]struct {
		gold, got                  []anchor.Place
		recall, precision, iou, rd float64
	}{
		"cut in two, both retrieved": {[]anchor.Place{p("d", 10, 30)}, []anchor.Place{p("d", 0, 20), p("d", 20, 40)}, 1, 0.5, 0.5, 1},
		"overlap counts once":        {[]anchor.Place{p("d", 10, 30)}, []anchor.Place{p("d", 0, 30), p("d", 10, 40)}, 1, 0.5, 0.5, 1.5},
		"touching":                   {[]anchor.Place{p("d", 10, 30)}, []anchor.Place{p("d", 0, 10), p("d", 30, 50)}, 0, 0, 0, 1},
		"another document":           {[]anchor.Place{p("d", 10, 30)}, []anchor.Place{p("e", 10, 30)}, 0, 0, 0, 1},
		"two documents":              {[]anchor.Place{p("d", 0, 10), p("e", 0, 30)}, []anchor.Place{p("e", 0, 30), p("d", 5, 15)}, 35. / 40, 35. / 40, 35. / 45, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := anchor.Cover(tt.gold, tt.got)
			for _, v := range []struct {
				name string
				f    func() (float64, bool)
				want float64
			}{{"recall", c.Recall, tt.recall}, {"precision", c.Precision, tt.precision}, {"IoU", c.IoU, tt.iou}, {"redundancy", c.Redundancy, tt.rd}} {
				if got, ok := v.f(); !ok || got != v.want {
					t.Errorf("%s %v (%v), want %v", v.name, got, ok, v.want)
				}
			}
		})
	}
	none := anchor.Cover(nil, nil)
	for _, f := range []func() (float64, bool){none.Recall, none.Precision, none.IoU, none.Redundancy} {
		if v, ok := f(); ok || v != 0 {
			t.Errorf("of nothing: %v, %v", v, ok)
		}
	}
}

// TestCoverageAgainstBytes counts byte by byte what Union and Cover compute from ends.
func TestCoverageAgainstBytes(t *testing.T) {
	place := rapid.Custom(func(t *rapid.T) anchor.Place {
		start := rapid.IntRange(0, 40).Draw(t, "start")
		return anchor.Place{
			Document: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "doc"),
			Span:     assay.Span{Start: start, End: start + rapid.IntRange(-2, 20).Draw(t, "len")},
		}
	})
	type at struct {
		doc string
		i   int
	}
	set := func(ps []anchor.Place) map[at]bool {
		m := map[at]bool{}
		for _, p := range ps {
			for i := p.Span.Start; i < p.Span.End; i++ {
				m[at{p.Document, i}] = true
			}
		}
		return m
	}
	rapid.Check(t, func(t *rapid.T) {
		gold := rapid.SliceOfN(place, 0, 8).Draw(t, "gold")
		got := rapid.SliceOfN(place, 0, 8).Draw(t, "got")
		c := anchor.Cover(gold, got)
		g, r := set(gold), set(got)
		both := 0
		for k := range g {
			if r[k] {
				both++
			}
		}
		if c.Gold != len(g) || c.Retrieved != len(r) || c.Common != both {
			t.Fatalf("%+v, counted gold %d, retrieved %d, common %d", c, len(g), len(r), both)
		}
	})
}
