package measure

import (
	"slices"
	"strings"
)

// Measures of text instead of items: how many bytes of the gold text were put in front of the reader,
// and at what price. They stay comparable when chunks change size.

const noSpans = "the query has no gold text with a known place"

// spanArea is what span measures compare, in bytes. Overlapping ranges count once.
type spanArea struct{ gold, ranked, common int }

func spanMeasure(name, title, formula string, value func(spanArea) float64) Family {
	return Family{
		Definition: Definition{
			Name: name, Title: title,
			Formula: formula + ", in bytes, over the union of the ranges of the top k hits, or of the first hits that fit in a budget: " +
				name + "@2000tok takes hits in rank order until the next one would exceed 2000 tokens (a hit of unknown length counts a token per 4 bytes)",
			Undefined: noSpans, Range: Unit, Cutoff: SpanCutoff,
			Source: "token-level recall, precision and IoU of Smith and Troynikov, Evaluating Chunking Strategies for Retrieval, 2024, on bytes",
		},
		build: func(a Args) evalFunc {
			return func(v *view) (float64, bool) {
				if v.Spans == nil {
					return 0, false
				}
				area := measureSpans(v.Spans.Gold, a.reach(v.Spans.Ranked))
				if area.gold == 0 {
					return 0, false
				}
				return value(area), true
			}
		},
	}
}

func spanRecall() Family {
	return spanMeasure("span_recall", "share of the gold text that was retrieved", "gold text retrieved / gold text",
		func(s spanArea) float64 { return float64(s.common) / float64(s.gold) })
}

func spanPrecision() Family {
	return spanMeasure("span_precision", "share of the retrieved text that is gold", "gold text retrieved / text retrieved, 0 where nothing was",
		func(s spanArea) float64 {
			if s.ranked == 0 {
				return 0
			}
			return float64(s.common) / float64(s.ranked)
		})
}

func spanIoU() Family {
	return spanMeasure("span_iou", "overlap of retrieved and gold text", "gold text retrieved / text that is gold or retrieved",
		func(s spanArea) float64 { return float64(s.common) / float64(s.gold+s.ranked-s.common) })
}

// reach is the part of the ranking a span measure looks at.
func (a *Args) reach(places []Place) []Place {
	switch {
	case a.K > 0:
		return places[:min(a.K, len(places))]
	case a.Tokens > 0:
		left := a.Tokens
		for i, p := range places {
			if left -= p.tokens(); left < 0 {
				return places[:i]
			}
		}
	}
	return places
}

// tokens is the length of a hit in tokens, estimated where it is not known.
func (p *Place) tokens() int {
	if p.Tokens > 0 {
		return p.Tokens
	}
	return (p.Span.Len() + 3) / 4
}

// measureSpans computes the areas from the sorted unions of both sides.
func measureSpans(gold, got []Place) spanArea {
	g, r := union(gold), union(got)
	area := spanArea{gold: length(g), ranked: length(r)}
	for i, j := 0, 0; i < len(g) && j < len(r); {
		if g[i].Document == r[j].Document {
			area.common += g[i].Span.Overlap(r[j].Span)
		}
		if before(g[i], r[j]) {
			i++
		} else {
			j++
		}
	}
	return area
}

// before reports whether a ends first, in the order of document, then offset.
func before(a, b Place) bool {
	if c := strings.Compare(a.Document, b.Document); c != 0 {
		return c < 0
	}
	return a.Span.End < b.Span.End
}

// union merges overlapping and touching ranges; empty ones vanish.
func union(places []Place) []Place {
	sorted := make([]Place, 0, len(places))
	for _, p := range places {
		if !p.Span.Empty() {
			sorted = append(sorted, p)
		}
	}
	slices.SortFunc(sorted, func(a, b Place) int {
		if c := strings.Compare(a.Document, b.Document); c != 0 {
			return c
		}
		return a.Span.Start - b.Span.Start
	})
	var out []Place
	for _, p := range sorted {
		if n := len(out); n > 0 && out[n-1].Document == p.Document && p.Span.Start <= out[n-1].Span.End {
			out[n-1].Span.End = max(out[n-1].Span.End, p.Span.End)
			continue
		}
		out = append(out, Place{Document: p.Document, Span: p.Span})
	}
	return out
}

func length(places []Place) int {
	n := 0
	for _, p := range places {
		n += p.Span.Len()
	}
	return n
}
