package corpus

import (
	"context"
	"iter"
	"sync/atomic"

	"github.com/assay-eval/assay"
)

// Source is a corpus that can be read again and again: every reading yields the same documents in the
// same order as long as what it reads from does not change. It is safe for concurrent use.
type Source struct {
	name  string // what the user called it
	chunk Chunking
	docs  func(ctx context.Context, r *reading)
	live  assay.ChunkLister // a live index; docs is nil

	misfits atomic.Int64 // chunks of the last listing whose span did not fit
}

// Name is the path, glob or index as the user named it.
func (s *Source) Name() string { return s.name }

// Chunking is how the source's documents are cut. A live index is cut already and reports ByNone.
func (s *Source) Chunking() Chunking { return s.chunk }

// Documents yields every document. Errors are of two kinds: a [*Skip] names something left out and the
// stream goes on; any other error is the last thing yielded. A source without a single document ends
// with an error that says what was there instead.
//
// For a live index each chunk that does not say where it comes from is its own document; chunks that name
// a document and a span belong to documents that only the index's owner has, and are not yielded here.
func (s *Source) Documents(ctx context.Context) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		if s.live == nil {
			s.read(ctx, yield)
			return
		}
		for c, err := range s.Chunks(ctx) {
			switch {
			case err != nil:
				if !yield(nil, err) {
					return
				}
			case c.Document == c.ID:
				doc := assay.Document{ID: c.ID, Title: c.Title, Text: c.Text, Metadata: c.Metadata}
				if !yield(&Document{Document: doc}, nil) {
					return
				}
			}
		}
	}
}

// Chunks yields the chunks of every document, with errors as in Documents.
func (s *Source) Chunks(ctx context.Context) iter.Seq2[assay.Chunk, error] {
	if s.live != nil {
		return s.listed(ctx)
	}
	return func(yield func(assay.Chunk, error) bool) {
		for doc, err := range s.Documents(ctx) {
			if err != nil {
				if !yield(assay.Chunk{}, err) {
					return
				}
				continue
			}
			for _, c := range newSplitter(doc, s.chunk).split() {
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

// read drives one reading of documents: it refuses repeated ids and an empty corpus.
func (s *Source) read(ctx context.Context, yield func(*Document, error) bool) {
	r := &reading{ctx: ctx, yield: yield, ids: newIDs()}
	s.docs(ctx, r)
	if r.done || r.failed {
		return
	}
	if r.count == 0 {
		yield(nil, r.empty(s.name))
	}
}

// reading is one pass over a source.
type reading struct {
	ctx     context.Context
	yield   func(*Document, error) bool
	ids     *ids
	count   int
	skipped int
	first   *Skip // the first thing skipped, for the message about an empty corpus
	ignored ignored
	done    bool // the consumer has had enough
	failed  bool
}

// stop reports whether the pass is over: the consumer left, or its context ended.
func (r *reading) stop() bool {
	if !r.done && !r.failed && r.ctx.Err() != nil {
		r.fail(r.ctx.Err())
	}
	return r.done || r.failed
}

// document hands on a document unless its id was seen before.
func (r *reading) document(doc *Document, path string, line int) {
	if r.stop() {
		return
	}
	if first, seen := r.ids.add(doc.ID, line); seen {
		reason := "its id " + quoted(doc.ID) + " was used before"
		if first > 0 {
			reason += " (line " + itoa(first) + ")"
		}
		r.skip(path, line, reason)
		return
	}
	r.count++
	r.done = !r.yield(doc, nil)
}

func (r *reading) skip(path string, line int, reason string) {
	if r.stop() {
		return
	}
	s := &Skip{path, line, reason}
	if r.first == nil {
		r.first = s
	}
	r.skipped++
	r.done = !r.yield(nil, s)
}

// fail ends the pass with an error.
func (r *reading) fail(err error) {
	if !r.done && !r.failed {
		r.failed = true
		r.yield(nil, err)
	}
}

// empty is the error of a pass without documents.
func (r *reading) empty(name string) error {
	err := assay.Usagef("the corpus %s has no documents", name)
	switch {
	case r.first != nil && r.skipped == 1:
		err = assay.Usagef("the corpus %s has no documents: %v", name, r.first)
	case r.first != nil:
		err = assay.Usagef("the corpus %s has no documents: all %d files or records were skipped, first %v", name, r.skipped, r.first)
	}
	if found := r.ignored.String(); found != "" {
		return assay.WithHint(err, "it holds %s; documents are %s, or JSON lines named as a file or glob (corpus/*.jsonl)", found, documentTypes)
	}
	return assay.WithHint(err, "documents are %s files in a folder (hidden ones are left out), JSON lines, or a BEIR folder", documentTypes)
}
