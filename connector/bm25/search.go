package bm25

import (
	"context"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/internal/chunkset"
)

// MaxQueryWords bounds a query; more words are refused.
const MaxQueryWords = 1 << 16

// Search ranks the chunks that share a term with the query. A query without text or with more than
// MaxQueryWords words is KindInvalid; one whose terms are nowhere in the index finds nothing.
func (x *Index) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	start := time.Now()
	if err := chunkset.Check(ctx, op, req); err != nil {
		return assay.Response{}, err
	}
	if req.Text == "" {
		return assay.Response{}, assay.Errorf(assay.KindInvalid, op, "", "the query has no text, and a lexical index needs it")
	}
	s := x.scratch.Get().(*scratch)
	defer x.scratch.Put(s)
	if err := x.parse(s, req.Text); err != nil {
		return assay.Response{}, err
	}
	if err := x.rank(ctx, s, req.Filter, req.K); err != nil {
		return assay.Response{}, err
	}
	hits := make([]assay.Hit, len(s.top.best))
	for i, t := range s.top.best {
		hits[i] = x.set.Hit(int(t.chunk), score(t.score))
	}
	return assay.Response{Hits: hits, Timings: assay.Timings{Search: time.Since(start)}}, nil
}

// score converts from units; exact below 2^53 units, a score of 8192.
func score(units uint64) float64 { return float64(units) * (1.0 / (1 << unitBits)) }
