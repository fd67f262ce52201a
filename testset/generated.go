package testset

import (
	"slices"
	"time"

	"github.com/assay-eval/assay"
)

// Generated is a query and the chunk it was written from.
type Generated struct {
	Query assay.Query
	Chunk assay.Chunk
}

// AddGenerated adds queries that were written from chunks, each with its synthetic label of grade 3 on the
// evidence, and returns how many queries were new. The labels are written first: a query that is in the
// set always has its label, so that a generator killed in between makes the pair again and nothing is
// doubled.
func (s *Set) AddGenerated(now time.Time, items ...Generated) (int, error) {
	queries := make([]assay.Query, len(items))
	labels := make([]assay.Label, len(items))
	for i, item := range items {
		q := item.Query
		if q.ID == "" {
			q.ID = QueryID(q.Text, q.Filter)
		}
		if err := checkQuery(&q); err != nil {
			return 0, err
		}
		queries[i], labels[i] = q, Synthetic(q, item.Chunk, now)
	}
	if _, err := s.AddNewLabels(labels...); err != nil {
		return 0, err
	}
	return s.AddQueries(queries...)
}

// Synthetic is the label of a generated query: grade 3 on its evidence quote, or on its chunk as a whole
// where there is no quote. For a query that nothing answers it is grade 0 on the chunk it was written beside.
func Synthetic(q assay.Query, chunk assay.Chunk, now time.Time) assay.Label {
	target := TargetOf(chunk)
	if q.Evidence != nil {
		target = narrow(assay.Target{Chunk: chunk.ID, TextHash: chunk.Hash()}, q.Evidence)
	}
	label := assay.Label{Query: q.ID, Target: target, Event: assay.EventGrade, Grade: assay.MaxGrade, By: assay.BySynthetic, Time: now}
	if slices.Contains(q.Tags, assay.TagUnanswerable) {
		label.Grade, label.Note = 0, "written to have no answer in the corpus"
	}
	if q.Origin != nil {
		label.Who = q.Origin.Model
		if label.Who == "" {
			label.Who = q.Origin.Method
		}
	}
	return label
}

// MaxQuote bounds the quote of a whole-chunk target in bytes. A longer chunk is held by its place and the
// hash of its text.
const MaxQuote = 16 << 10

// TargetOf is the target that judges a whole chunk, with all that is known of its place and text.
func TargetOf(c assay.Chunk) assay.Target {
	t := assay.Target{Chunk: c.ID}
	if c.Text != "" {
		t.TextHash = c.Hash()
	}
	if c.Document != "" && c.Span != nil && !c.Span.Empty() {
		t.Document, t.Version, t.Start, t.End = c.Document, c.Version, c.Span.Start, c.Span.End
		// An index may store more than the span holds, a title before it for instance.
		if len(c.Text) != c.Span.Len() {
			return t
		}
	}
	if len(c.Text) <= MaxQuote {
		t.Quote, t.Before, t.After = c.Text, c.Before, c.After
	}
	return t
}
