package project

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/testset"
)

// IDOf finds the chunk (or document) of this corpus that holds what a label judges: under the key it was judged by, where
// that still is the same text; else the chunk that covers most of its place, or of the place its words moved to. It
// implements testset.Namer.
func (c *Corpus) IDOf(t *assay.Target) (id string, part bool) {
	if testset.WholeDocument(t) {
		return t.Document, false
	}
	if chunk, ok := c.Chunk(t.Chunk); ok && holds(chunk, t) {
		return chunk.ID, false
	}
	for _, at := range c.whereabouts(t) {
		if id, part := c.covering(at.Document, at.Span, t.Quote); id != "" {
			return id, part
		}
	}
	return "", false
}

// holds reports whether a chunk is what a target with its key was judged on.
func holds(chunk *assay.Chunk, t *assay.Target) bool {
	if t.TextHash != "" {
		return t.TextHash == chunk.Hash()
	}
	return t.Quote == "" || strings.Contains(chunk.Text, t.Quote)
}

// whereabouts are the places where a target may stand now, the likeliest first.
func (c *Corpus) whereabouts(t *assay.Target) []anchor.Place {
	var out []anchor.Place
	if t.Anchored() {
		doc, known := c.LookupDocument(t.Document)
		switch {
		case !known || t.Version == "" || t.Version == doc.Version():
			out = append(out, anchor.Place{Document: t.Document, Span: t.Span()})
		case t.Quote != "":
			if moved, err := relocate(t, doc.Text); err == nil && (moved.Status == anchor.Kept || moved.Status == anchor.Moved) {
				out = append(out, anchor.Place{Document: t.Document, Span: moved.Anchor.Span()})
			}
			return out // the document is here and says that the words are gone, or where they are
		}
	}
	if t.Quote != "" {
		if document, span, ok := c.Place(t.Quote); ok {
			out = append(out, anchor.Place{Document: document, Span: span})
		}
	}
	return out
}

// covering is the chunk that covers most of a span, the first of equals. One at the right place that does not hold the
// words that should stand there is of another version and no answer.
func (c *Corpus) covering(document string, span assay.Span, quote string) (id string, part bool) {
	best := c.widest(document, span)
	if best == nil {
		return "", false
	}
	_, known := c.Document(document)
	if whole := best.Span.Contains(span); whole && !known && quote != "" && !strings.Contains(best.Text, quote) {
		return "", false
	}
	return best.ID, anchor.CreditFor(*best.Span, span) != anchor.Full
}

// relocate finds the words of a target in a newer text of its document.
func relocate(t *assay.Target, text string) (anchor.Relocation, error) {
	return anchor.Relocate(assay.Anchor{Document: t.Document, Version: t.Version, Start: t.Start, End: t.End,
		Quote: t.Quote, Before: t.Before, After: t.After}, text)
}
