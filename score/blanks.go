package score

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// Chunkers leave out the white space between chunks. Were it counted, a label that lies across a boundary could not be found in
// full by anybody, not even by who retrieves everything, and every chunker would have another ceiling. So gold text begins and
// ends with something that is to be read, and a retrieved range reaches over the white space beside it.

// words is the place of a target without the white space at its ends, and the text there; "" where it is not known.
func (k *knowledge) words(t *assay.Target) (assay.Span, string) {
	span, text := t.Span(), t.Quote
	if text == "" && k.documents != nil {
		if d, ok := k.documents.LookupDocument(t.Document); ok && d.Version() == t.Version {
			text, _ = span.In(d.Text)
		}
	}
	if len(text) != span.Len() {
		return span, ""
	}
	left := strings.TrimLeftFunc(text, unicode.IsSpace)
	span.Start += len(text) - len(left)
	right := strings.TrimRightFunc(left, unicode.IsSpace)
	span.End -= len(left) - len(right)
	return span, right
}

// overBlanks is a retrieved range that ends or begins within gold text, extended over the white space that follows there.
func overBlanks(s, gold assay.Span, text string) assay.Span {
	if text == "" || s.Overlap(gold) == 0 {
		return s
	}
	for s.End < gold.End {
		r, n := utf8.DecodeRuneInString(text[s.End-gold.Start:])
		if !unicode.IsSpace(r) {
			break
		}
		s.End += n
	}
	for s.Start > gold.Start {
		r, n := utf8.DecodeLastRuneInString(text[:s.Start-gold.Start])
		if !unicode.IsSpace(r) {
			break
		}
		s.Start -= n
	}
	return s
}
