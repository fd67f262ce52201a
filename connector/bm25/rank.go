package bm25

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25/analyze"
)

// window is the number of chunks scored at a time: a power of two whose sums fit in the level 2 cache.
const window = 1 << 14

// scratch is the working memory of one search.
type scratch struct {
	sums  [window]uint64 // by chunk number modulo window; zero between windows
	words analyze.Words
	buf   []byte
	query []cursor
	top   topK
}

func (x *Index) newScratch() *scratch { return &scratch{words: x.analyzer.Words("")} }

// rank leaves the k best chunks under the filter in s.top, in order. It sums up every posting of the
// query's terms. Pruning (MaxScore with look-ups of the weak terms) was tried and gave the same digits
// later: 0.87 ms against 0.25 ms a query for the ten best of 200,000 chunks, because adding a posting
// costs less than a nanosecond and deciding not to costs more.
func (x *Index) rank(ctx context.Context, s *scratch, filter *assay.Filter, k int) error {
	n := x.set.Len()
	s.top.reset(min(k, n))
	for base := 0; base < n; base += window {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range s.query {
			s.query[i].add(&s.sums, uint32(base+window))
		}
		sums := s.sums[:min(window, n-base)]
		for i, sum := range sums {
			if sum > s.top.bar && (filter == nil || x.set.Match(filter, base+i)) {
				s.top.push(scored{sum, uint32(base + i)})
			}
		}
		clear(sums)
	}
	s.top.finish()
	return nil
}
