package anchor

import (
	"cmp"
	"slices"

	"github.com/assay-eval/assay"
)

// Place is a span of a named document.
type Place struct {
	Document string
	Span     assay.Span
}

// Union is the same bytes as spans, as disjoint spans in order. Spans that overlap or touch are joined;
// empty ones vanish.
func Union(spans []assay.Span) []assay.Span {
	sorted := slices.DeleteFunc(slices.Clone(spans), assay.Span.Empty)
	slices.SortFunc(sorted, func(a, b assay.Span) int { return cmp.Compare(a.Start, b.Start) })
	var out []assay.Span
	for _, s := range sorted {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

// Coverage compares retrieved text with gold text, in bytes. Gold, Retrieved and Common count every byte
// once, however many spans hold it, so no ratio can leave [0,1].
type Coverage struct {
	Gold      int // bytes of the gold spans
	Retrieved int // bytes of the retrieved spans
	Common    int // bytes in both
	Fetched   int // bytes of the retrieved spans with repeats: what a reader's context window pays for
}

// Cover compares two sets of places over any number of documents.
func Cover(gold, retrieved []Place) Coverage {
	var c Coverage
	got := byDocument(retrieved)
	for _, p := range retrieved {
		c.Fetched += p.Span.Len()
	}
	for _, spans := range got {
		c.Retrieved += total(spans)
	}
	for doc, want := range byDocument(gold) {
		c.Gold += total(want)
		c.Common += common(want, got[doc])
	}
	return c
}

// Recall is the share of gold bytes retrieved. It is undefined (false) without gold.
func (c Coverage) Recall() (float64, bool) { return ratio(c.Common, c.Gold) }

// Precision is the share of retrieved bytes that are gold. It is undefined (false) when nothing was
// retrieved.
func (c Coverage) Precision() (float64, bool) { return ratio(c.Common, c.Retrieved) }

// IoU is intersection over union. It is undefined (false) when both sides are empty.
func (c Coverage) IoU() (float64, bool) { return ratio(c.Common, c.Gold+c.Retrieved-c.Common) }

// Redundancy is how many times each retrieved byte was retrieved on average, at least 1. It is undefined
// (false) when nothing was retrieved.
func (c Coverage) Redundancy() (float64, bool) { return ratio(c.Fetched, c.Retrieved) }

func ratio(a, b int) (float64, bool) {
	if b == 0 {
		return 0, false
	}
	return float64(a) / float64(b), true
}

// byDocument groups places and takes the union of each group.
func byDocument(places []Place) map[string][]assay.Span {
	out := map[string][]assay.Span{}
	for _, p := range places {
		out[p.Document] = append(out[p.Document], p.Span)
	}
	for doc, spans := range out {
		out[doc] = Union(spans)
	}
	return out
}

func total(spans []assay.Span) int {
	n := 0
	for _, s := range spans {
		n += s.Len()
	}
	return n
}

// common is the bytes two unions share.
func common(a, b []assay.Span) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		n += a[0].Overlap(b[0])
		if a[0].End < b[0].End {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return n
}
