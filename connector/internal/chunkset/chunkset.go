// Package chunkset is the ordered set of chunks behind the retrievers that run in process, and the rules
// of the Retriever contract that do not depend on how they score.
//
// Chunks are numbered by descending id in byte order. Ties in score are broken by descending id, the rule
// of trec_eval, so among equal scores the smaller number comes first, and an index built over the numbers
// does not know in which order its chunks were added.
package chunkset

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/assay-eval/assay"
)

// Set is an immutable set of chunks.
type Set struct{ chunks []assay.Chunk }

// New orders chunks, which it takes over, and returns for every chunk number the index that chunk had in
// the argument. No chunk, a chunk without id and a repeated id are errors; op names the retriever in them.
func New(op string, chunks []assay.Chunk) (*Set, []int, error) {
	if len(chunks) == 0 {
		return nil, nil, assay.Errorf(assay.KindEmpty, op, "", "there are no chunks to index")
	}
	from := make([]int, len(chunks))
	for i := range chunks {
		if chunks[i].ID == "" {
			return nil, nil, assay.Errorf(assay.KindInvalid, op, "", "chunk %d has no id", i+1)
		}
		from[i] = i
	}
	slices.SortFunc(from, func(a, b int) int { return cmp.Compare(chunks[b].ID, chunks[a].ID) })
	sorted := make([]assay.Chunk, len(chunks))
	for i, j := range from {
		sorted[i] = chunks[j]
		if i > 0 && sorted[i].ID == sorted[i-1].ID {
			return nil, nil, assay.Errorf(assay.KindInvalid, op, "", "two chunks have the id %q", sorted[i].ID)
		}
	}
	return &Set{sorted}, from, nil
}

// Len is the number of chunks.
func (s *Set) Len() int { return len(s.chunks) }

// Find returns the number of the chunk with an id.
func (s *Set) Find(id string) (int, bool) {
	return slices.BinarySearchFunc(s.chunks, id, func(c assay.Chunk, id string) int { return cmp.Compare(id, c.ID) })
}

// Chunk returns the chunk with a number. It must not be changed.
func (s *Set) Chunk(i int) *assay.Chunk { return &s.chunks[i] }

// Hit is the chunk with a number as a search result.
func (s *Set) Hit(i int, score float64) assay.Hit {
	c := &s.chunks[i]
	return assay.Hit{ID: c.ID, Score: score, Text: c.Text, Title: c.Title, Document: c.Document, Span: c.Span, Metadata: c.Metadata}
}

// Match reports whether the chunk with a number passes a filter that CheckFilter let through.
func (s *Set) Match(filter *assay.Filter, i int) bool { return filter.Match(s.chunks[i].Metadata) }

// List yields the chunks by ascending id. vector, when not nil and asked for, supplies stored vectors.
func (s *Set) List(ctx context.Context, op string, opts assay.ListOptions, vector func(i int) []float32) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		if err := CheckFilter(op, opts.Filter); err != nil {
			yield(assay.Chunk{}, err)
			return
		}
		for i := len(s.chunks) - 1; i >= 0; i-- {
			if err := ctx.Err(); err != nil {
				yield(assay.Chunk{}, err)
				return
			}
			if !s.Match(opts.Filter, i) {
				continue
			}
			c := s.chunks[i]
			if opts.WithVectors && vector != nil {
				c.Vector = vector(i)
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// Fetch gives the chunks with these ids that the set has, in the order asked for. vector, when not nil,
// supplies stored vectors.
func (s *Set) Fetch(ctx context.Context, ids []string, vector func(i int) []float32) ([]assay.Chunk, error) {
	out := make([]assay.Chunk, 0, len(ids))
	for _, id := range ids {
		i, ok := s.Find(id)
		if !ok {
			continue
		}
		c := s.chunks[i]
		if vector != nil {
			c.Vector = vector(i)
		}
		out = append(out, c)
	}
	return out, ctx.Err()
}

// Count is the number of chunks that pass the filter.
func (s *Set) Count(ctx context.Context, op string, filter *assay.Filter) (int, error) {
	if err := CheckFilter(op, filter); err != nil {
		return 0, err
	}
	if filter == nil {
		return len(s.chunks), ctx.Err()
	}
	n := 0
	for i := range s.chunks {
		if s.Match(filter, i) {
			n++
		}
	}
	return n, ctx.Err()
}
