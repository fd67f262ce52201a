package corpus

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
)

// SourceDocument is the metadata key under which a chunk of a live index keeps the document it says it is
// from, where it does not say which span. Sampling counts such chunks as one document's.
const SourceDocument = "source_document"

// FromIndex makes a corpus of the chunks of a live index, which is only read. name is for messages.
//
// A chunk that names its document and its span keeps both. Any other, and one whose span is not as long as
// its text (characters counted instead of bytes, or a text changed on the way in), is its own document:
// its id is the document's, its span all of its text, its version the hash of that.
func FromIndex(index assay.ChunkLister, name string) *Source {
	return &Source{name: name, chunk: Chunking{By: ByNone}, live: index}
}

// FromDocuments makes a corpus of documents in memory.
func FromDocuments(name string, docs []assay.Document, c Chunking) (*Source, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	docs = slices.Clone(docs)
	return &Source{name: name, chunk: c, docs: func(_ context.Context, r *reading) {
		for _, d := range docs {
			if r.stop() {
				return
			}
			if reason := badText(d.Text); reason != "" {
				r.skip(d.ID, 0, reason)
				continue
			}
			r.document(NewDocument(d), d.ID, 0)
		}
	}}, nil
}

// listed yields the chunks of a live index.
func (s *Source) listed(ctx context.Context) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		seen := newIDs()
		var kept, skipped, misfits int
		for c, err := range s.live.ListChunks(ctx, assay.ListOptions{}) {
			if err != nil {
				yield(assay.Chunk{}, err)
				return
			}
			reason := badText(c.Text)
			switch _, again := seen.add(c.ID, 0); {
			case c.ID == "":
				reason = "a chunk without a key"
			case again:
				reason = fmt.Sprintf("chunk %s was listed before", quoted(c.ID))
			case c.Text == "":
				reason = fmt.Sprintf("chunk %s has no text", quoted(c.ID))
			case reason != "":
				reason = fmt.Sprintf("the text of chunk %s: %s", quoted(c.ID), reason)
			}
			if reason != "" {
				skipped++
				if !yield(assay.Chunk{}, &Skip{Path: s.name, Reason: reason}) {
					return
				}
				continue
			}
			if placeless(&c) {
				misfits++
			}
			kept++
			if !yield(c, nil) {
				return
			}
		}
		s.misfits.Store(int64(misfits))
		if kept == 0 {
			yield(assay.Chunk{}, s.emptyIndex(skipped))
		}
	}
}

// placeless makes a chunk without a usable place its own document, and reports whether it named a span
// that does not fit its text.
func placeless(c *assay.Chunk) (misfit bool) {
	c.Vector = nil
	named := c.Document != "" && c.Span != nil && !c.Span.Empty()
	if named && c.Span.Len() == len(c.Text) {
		return false
	}
	if c.Document != "" && c.Metadata[SourceDocument] == nil {
		c.Metadata = maps.Clone(c.Metadata)
		if c.Metadata == nil {
			c.Metadata = map[string]any{}
		}
		c.Metadata[SourceDocument] = c.Document
	}
	c.Document, c.Version, c.Span = c.ID, assay.HashText(c.Text), &assay.Span{End: len(c.Text)}
	return named
}

func (s *Source) emptyIndex(skipped int) error {
	if skipped > 0 {
		return assay.WithHint(assay.Usagef("none of the %d chunks of %s has a usable text", skipped, s.name),
			"say where the text of a chunk is kept, for example text: payload.text")
	}
	return assay.WithHint(assay.Usagef("%s holds no chunks", s.name), "check the collection's name and that it was filled")
}

// Warnings says what the last complete reading found doubtful but did not leave out.
func (s *Source) Warnings() []assay.Warning {
	n := s.misfits.Load()
	if n == 0 {
		return nil
	}
	return []assay.Warning{{Code: "span_misfit", Text: fmt.Sprintf("%s of %s with a span that is not as long as the text in bytes; "+
		"such places are not used (are the offsets characters?)", plural.Count(int(n), "chunk"), s.name)}}
}
