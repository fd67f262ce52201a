package exact

import (
	"context"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/internal/chunkset"
)

// scratch is the working memory of one search.
type scratch struct {
	seeker   seeker
	products []float32
}

func (x *Index) newScratch() *scratch {
	return &scratch{products: make([]float32, x.blocks[0].len())}
}

// Search ranks the chunks under the filter by their vectors. It uses one thread; see SearchBatch. A query
// whose vector is missing, zero, not finite or of another dimension is KindInvalid.
func (x *Index) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	start := time.Now()
	if err := chunkset.Check(ctx, op, req); err != nil {
		return assay.Response{}, err
	}
	p, err := x.prepare(req.Vector)
	if err != nil {
		return assay.Response{}, err
	}
	s := x.scratch.Get().(*scratch)
	defer x.scratch.Put(s)
	s.seeker.reset(p, req.Filter, min(req.K, x.set.Len()))
	for _, b := range x.blocks {
		if err := ctx.Err(); err != nil {
			return assay.Response{}, err
		}
		products := s.products[:b.len()]
		if x.products() {
			dotOne(products, x.vectors[b.first*x.dim:b.end*x.dim], p.vector, x.dim)
		}
		x.offer(&s.seeker, b, products)
	}
	return x.response(s.seeker.top.sorted(), time.Since(start)), nil
}

// SearchExact is Search: this index has no other way.
func (x *Index) SearchExact(ctx context.Context, req assay.Request) (assay.Response, error) {
	return x.Search(ctx, req)
}

func (x *Index) response(best []scored, took time.Duration) assay.Response {
	hits := make([]assay.Hit, len(best))
	for i, s := range best {
		hits[i] = x.set.Hit(s.row, s.score)
	}
	res := assay.Response{Hits: hits, Timings: assay.Timings{Search: took}}
	if x.zero > 0 {
		res.Notes = []assay.Note{{Code: "zero_vector", Count: x.zero}}
	}
	return res
}
