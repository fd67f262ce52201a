package testset

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// MaxQueryBytes bounds the text of a query. What is longer is a document that strayed into the wrong
// file, and no embedding model would read it to the end.
const MaxQueryBytes = 32 << 10

var (
	knownEvents = []assay.Event{assay.EventGrade, assay.EventUnsure, assay.EventSkip, assay.EventBadQuery, assay.EventBrokenText, assay.EventUndo}
	knownRaters = []assay.Rater{assay.BySynthetic, assay.ByJudge, assay.ByHuman}
)

// checkQuery reports the first thing wrong with a query.
func checkQuery(q *assay.Query) error {
	switch {
	case q.ID == "":
		return fmt.Errorf("a query without id")
	case strings.TrimSpace(q.Text) == "":
		return fmt.Errorf("query %q has no text", q.ID)
	case len(q.Text) > MaxQueryBytes:
		return fmt.Errorf("the text of query %q is %d bytes long, more than %d", q.ID, len(q.Text), MaxQueryBytes)
	case !utf8.ValidString(q.Text) || !utf8.ValidString(q.ID):
		return fmt.Errorf("query %q is not valid UTF-8", q.ID)
	case q.Weight < 0 || math.IsNaN(q.Weight) || math.IsInf(q.Weight, 0):
		return fmt.Errorf("query %q has weight %v: a weight is the share of traffic it stands for, above 0", q.ID, q.Weight)
	}
	if q.Filter != nil {
		return q.Filter.Validate()
	}
	return nil
}

// checkLabel reports the first thing wrong with a label event.
func checkLabel(l *assay.Label) error {
	switch {
	case l.Query == "":
		return fmt.Errorf("a label without query")
	case !slices.Contains(knownEvents, l.Event):
		return fmt.Errorf("unknown event %q (known: %s)", l.Event, list(knownEvents))
	case !slices.Contains(knownRaters, l.By):
		return fmt.Errorf("unknown rater %q in \"by\" (known: %s)", l.By, list(knownRaters))
	case l.Event == assay.EventGrade && (l.Grade < 0 || l.Grade > assay.MaxGrade):
		return fmt.Errorf("grade %d is outside 0 to %d", l.Grade, assay.MaxGrade)
	case l.Given != nil && (math.IsNaN(*l.Given) || math.IsInf(*l.Given, 0)):
		return fmt.Errorf("given grade %v is not a number", *l.Given)
	case targetKey(&l.Target) == "" && l.Event != assay.EventBadQuery && l.Event != assay.EventUndo:
		return fmt.Errorf("the target names neither chunk, document nor quote")
	}
	if err := checkTarget(&l.Target); err != nil {
		return err
	}
	return checkEvidence(l)
}

// checkEvidence refuses marked words that are not part of what was judged.
func checkEvidence(l *assay.Label) error {
	e := l.Evidence
	switch {
	case e == nil:
		return nil
	case l.Event != assay.EventGrade:
		return fmt.Errorf("evidence on an event %q: only a grade has evidence", l.Event)
	case strings.TrimSpace(e.Quote) == "":
		return fmt.Errorf("evidence without a quote")
	case e.Document == "" && l.Target.Quote != "" && !strings.Contains(l.Target.Quote, e.Quote):
		return fmt.Errorf("the evidence %.80q does not stand in the target", e.Quote)
	case e.Document == "":
		return nil
	case e.Document != l.Target.Document || e.Version != l.Target.Version:
		return fmt.Errorf("the evidence stands in %q, the target in %q", e.Document, l.Target.Document)
	case l.Target.Anchored() && !l.Target.Span().Contains(e.Span()):
		return fmt.Errorf("the evidence at %s lies outside the target at %s", e.Span(), l.Target.Span())
	case len(e.Quote) != e.Span().Len():
		return fmt.Errorf("the evidence is %d bytes long, its span %s is %d: offsets count bytes, not characters", len(e.Quote), e.Span(), e.Span().Len())
	case l.Target.Anchored() && l.Target.Quote != "" && l.Target.Quote[e.Start-l.Target.Start:e.End-l.Target.Start] != e.Quote:
		return fmt.Errorf("the evidence at %s is not what stands there: offsets count bytes of the document, not characters", e.Span())
	}
	return nil
}

func checkTarget(t *assay.Target) error {
	switch {
	case t.Start < 0 || t.End < t.Start:
		return fmt.Errorf("span %s is not a byte range", t.Span())
	case t.End > 0 && t.Document == "":
		return fmt.Errorf("span %s without a document", t.Span())
	case t.Anchored() && t.Quote != "" && len(t.Quote) != t.Span().Len():
		return fmt.Errorf("the quote is %d bytes long, its span %s is %d: offsets count bytes, not characters", len(t.Quote), t.Span(), t.Span().Len())
	}
	return nil
}

func list[T ~string](values []T) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}
