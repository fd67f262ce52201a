package corpus

import (
	"context"
	"iter"
	"slices"

	"github.com/assay-eval/assay"
)

// SampleOptions says what to draw.
type SampleOptions struct {
	Size        int                     // chunks wanted, at least 1
	Seed        uint64                  // the same seed and corpus give the same sample
	PerDocument int                     // most chunks of one document; 0 for 3
	Eligible    func(*assay.Chunk) bool // chunks to draw from; nil for all
}

// Sample is a stratified sample of chunks.
type Sample struct {
	Chunks    []assay.Chunk // in the order drawn: the first n are the sample of size n
	Seen      int           // chunks read
	Eligible  int           // chunks that could have been drawn
	Documents int           // documents with an eligible chunk
	Missing   int           // drawn, but gone when read again: the index changed meanwhile
	Strata    []Stratum     // by length, shortest first
	Skipped   []*Skip       // left out by the source
}

// Stratum is a class of chunks by length: MinBytes to less than twice that.
type Stratum struct {
	MinBytes int
	Eligible int
	Drawn    int
}

// defaultPerDocument bounds how much one document can sway the results: queries from one document tend to
// succeed and fail together.
const defaultPerDocument = 3

// Draw draws a sample in two passes over chunks, which must yield the same both times, as Source.Chunks
// does. It holds 24 bytes a chunk and the chunks drawn, so that a corpus need not fit in memory.
//
// The sample is proportional: documents are drawn from in proportion to their numbers of chunks, up to
// PerDocument, and classes of length in proportion to theirs. It is random within that, by the seed and
// the ids of documents and chunks alone, whatever their order. And it is nested: a larger sample with the
// same seed contains the smaller, so that labels made for one serve the other. Where the limit per
// document leaves too few chunks, fewer than Size are drawn.
func Draw(ctx context.Context, chunks iter.Seq2[assay.Chunk, error], opts SampleOptions) (*Sample, error) {
	if opts.Size < 1 {
		return nil, assay.Usagef("a sample of %d chunks cannot be drawn", opts.Size)
	}
	if opts.PerDocument <= 0 {
		opts.PerDocument = defaultPerDocument
	}
	s := &Sample{}
	f := newFrame(opts.Seed)
	for c, err := range chunks {
		if skip, ok := AsSkip(err); ok {
			s.Skipped = append(s.Skipped, skip)
			continue
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		s.Seen++
		if opts.Eligible == nil || opts.Eligible(&c) {
			f.add(&c)
		}
	}
	s.Eligible, s.Documents = len(f.units), len(f.documents)
	if s.Eligible == 0 {
		return nil, assay.WithHint(assay.Usagef("none of the %d chunks can be drawn", s.Seen),
			"they may all be too short to ask about; cut the corpus into larger chunks")
	}
	drawn := f.draw(opts.Size, opts.PerDocument)
	s.Strata = f.strata(drawn)
	return s, s.fetch(ctx, chunks, f, drawn)
}

// fetch reads the drawn chunks in a second pass.
func (s *Sample) fetch(ctx context.Context, chunks iter.Seq2[assay.Chunk, error], f *frame, drawn []unit) error {
	at := make(map[uint64]int, len(drawn))
	for i, u := range drawn {
		at[u.key] = i
	}
	out := make([]assay.Chunk, len(drawn))
	found := 0
	for c, err := range chunks {
		if _, skipped := AsSkip(err); skipped {
			continue
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if i, ok := at[f.hash("chunk", c.ID)]; ok && out[i].ID == "" {
			out[i] = c
			if found++; found == len(drawn) {
				break
			}
		}
	}
	s.Missing = len(drawn) - found
	s.Chunks = slices.DeleteFunc(out, func(c assay.Chunk) bool { return c.ID == "" })
	return nil
}
