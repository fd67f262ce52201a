package corpus

import (
	"context"
	"iter"

	"github.com/assay-eval/assay"
)

// SampleOptions says what to draw.
type SampleOptions struct {
	Size        int                     // chunks wanted, at least 1
	Seed        uint64                  // the same seed and corpus give the same sample
	PerDocument int                     // most chunks of one document; 0 for 3
	Eligible    func(*assay.Chunk) bool // chunks to draw from; nil for all

	By       func(*assay.Chunk) string // the group a chunk belongs to; nil has one
	Balanced bool                      // as many of each group as of the others, where it has them
	PerGroup int                       // when above 0, Size is so many for each group
	Distinct bool                      // no chunk that is NearDuplicate to one drawn before it
}

// Sample is a stratified sample of chunks.
type Sample struct {
	Chunks    []assay.Chunk // in the order drawn: the first n are the sample of size n
	Size      int           // chunks wanted
	Seen      int           // chunks read
	Eligible  int           // chunks that could have been drawn
	Documents int           // documents with an eligible chunk
	Missing   int           // drawn, but gone when read again: the index changed meanwhile
	Repeats   int           // passed over because near duplicates were drawn before them
	Groups    []Group       // by name; nil without By
	Strata    []Stratum     // by length, shortest first
	Skipped   []*Skip       // left out by the source
}

// Stratum is a class of chunks by length: MinBytes to less than twice that.
type Stratum struct {
	MinBytes int
	Eligible int
	Drawn    int
}

// Group is what SampleOptions.By puts together.
type Group struct {
	Name     string
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
// PerDocument, and classes of length in proportion to theirs, within each group; groups are drawn from in
// proportion to theirs, or evenly when Balanced. It is random within that, by the seed and the ids of
// documents and chunks alone, whatever their order. And it is nested: a larger sample with the same seed
// contains the smaller, so that labels made for one serve the other. Where the limit per document, or
// Distinct, leaves too few chunks, fewer than Size are drawn; Distinct reads the corpus again for each
// doubling that it needs.
func Draw(ctx context.Context, chunks iter.Seq2[assay.Chunk, error], opts SampleOptions) (*Sample, error) {
	if opts.Size < 1 && opts.PerGroup < 1 {
		return nil, assay.Usagef("a sample of %d chunks cannot be drawn", opts.Size)
	}
	if opts.PerDocument <= 0 {
		opts.PerDocument = defaultPerDocument
	}
	s := &Sample{}
	f := newFrame(opts.Seed, opts.By)
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
	if s.Size = opts.Size; opts.PerGroup > 0 {
		s.Size = opts.PerGroup * len(f.groups)
	}
	drawn, err := s.take(ctx, chunks, f, f.queues(opts.PerDocument, opts.Balanced), opts.Distinct)
	if err != nil {
		return nil, err
	}
	s.Strata = f.strata(drawn)
	if opts.By != nil {
		s.Groups = f.counts(drawn)
	}
	return s, nil
}

// take draws from the queues until there are enough chunks, and returns what was drawn. One that is gone when
// it is read keeps its place, so that the sample stays the one that it was to be.
func (s *Sample) take(ctx context.Context, chunks iter.Seq2[assay.Chunk, error], f *frame, q *queues, onlyDistinct bool) (taken []unit, err error) {
	seen := newDistinct()
	have := map[uint64]assay.Chunk{}
	for len(taken) < s.Size {
		u, ok := q.next()
		if !ok {
			break
		}
		c, read := have[u.key]
		if !read {
			// Not one by one: another pass over the corpus is long. A part more, since some will repeat.
			if have, err = f.fetch(ctx, chunks, q.ahead(max(s.Size-len(taken), s.Size/4))); err != nil {
				return nil, err
			}
			c = have[u.key]
		}
		switch {
		case c.ID == "":
			s.Missing++
		case onlyDistinct && !seen.add(c.Text):
			s.Repeats++
			q.pass()
			continue
		default:
			s.Chunks = append(s.Chunks, c)
		}
		q.take()
		taken = append(taken, u)
	}
	return taken, nil
}
