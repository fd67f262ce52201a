package anchor

import (
	"fmt"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// ContextBytes is the most context an anchor keeps on each side of its quote.
const ContextBytes = 32

// New anchors a span of a document: its quote, the document's version, and up to ContextBytes of context
// each side, cut at rune boundaries. It refuses a span that is empty, does not fit in the text, or cuts
// a UTF-8 sequence.
func New(doc *assay.Document, span assay.Span) (assay.Anchor, error) {
	a, err := At(doc.Text, span)
	if err != nil {
		return assay.Anchor{}, fmt.Errorf("anchor in document %q: %w", doc.ID, err)
	}
	a.Document, a.Version = doc.ID, doc.Version()
	return a, nil
}

// At is New for a text alone: Document and Version stay empty for the caller to fill, who often hashes
// a document once and anchors many spans in it.
func At(text string, span assay.Span) (assay.Anchor, error) {
	quote, err := span.In(text)
	switch {
	case err != nil:
		return assay.Anchor{}, err
	case span.Empty():
		return assay.Anchor{}, fmt.Errorf("span %s is empty", span)
	case !onRune(text, span.Start) || !onRune(text, span.End):
		return assay.Anchor{}, fmt.Errorf("span %s cuts a character in two", span)
	}
	before, after := Around(text, span)
	return assay.Anchor{Start: span.Start, End: span.End, Quote: quote, Before: before, After: after}, nil
}

// Around is the context of a span that lies in text: up to ContextBytes each side, cut at rune boundaries.
func Around(text string, span assay.Span) (before, after string) {
	return text[ceilRune(text, max(0, span.Start-ContextBytes)):span.Start], text[span.End:floorRune(text, min(len(text), span.End+ContextBytes))]
}

// Within is At for a text that is part of a longer one of which before and after stand around it: the context
// reaches over the edges of the part, as far as the whole is known. The place still counts from the part's start.
func Within(before, text, after string, span assay.Span) (assay.Anchor, error) {
	if _, err := span.In(text); err != nil {
		return assay.Anchor{}, err
	}
	// Only what can be context is copied, not the text.
	from, to := ceilRune(text, max(0, span.Start-ContextBytes)), floorRune(text, min(len(text), span.End+ContextBytes))
	lead := before + text[from:span.Start]
	a, err := At(lead+text[span.Start:to]+after, assay.Span{Start: len(lead), End: len(lead) + span.Len()})
	a.Start, a.End = span.Start, span.End
	return a, err
}

// Verify refuses an anchor whose span does not fit in text or whose bytes there are not the quote.
func Verify(a *assay.Anchor, text string) error {
	got, err := a.Span().In(text)
	if err == nil && a.Quote == "" {
		err = fmt.Errorf("span %s has no quote", a.Span())
	}
	if err == nil && got != a.Quote {
		err = fmt.Errorf("span %s holds %q, not its quote %q", a.Span(), short(got), short(a.Quote))
	}
	if err == nil {
		return nil
	}
	if a.Document != "" {
		err = fmt.Errorf("document %q: %w", a.Document, err)
	}
	return assay.WithHint(err, "spans count bytes of the document's canonical text, end excluded; "+
		"offsets taken from a program that counts characters or UTF-16 units must be converted")
}

// short bounds a text for a message.
func short(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return s[:floorRune(s, most)] + "…"
}

// onRune reports whether i is the start of a rune or the end of text.
func onRune(text string, i int) bool { return i == len(text) || utf8.RuneStart(text[i]) }

// ceilRune moves i forward to a rune boundary.
func ceilRune(text string, i int) int {
	for !onRune(text, i) {
		i++
	}
	return i
}

// floorRune moves i back to a rune boundary.
func floorRune(text string, i int) int {
	for i > 0 && !onRune(text, i) {
		i--
	}
	return i
}
