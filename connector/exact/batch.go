package exact

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/internal/chunkset"
	"golang.org/x/sync/errgroup"
)

// together is how many queries go through the vectors at a time: as many as fit in the level 2 cache
// beside a block of usual vectors.
const together = 256

// SearchBatch answers many requests on all cores, in order, each as Search would to the last digit. The
// vectors are read from memory once for every 256 requests. A request that Search would refuse fails the
// batch, with its index in the message. Timings.Search is an equal share of the batch's time.
func (x *Index) SearchBatch(ctx context.Context, reqs []assay.Request) ([]assay.Response, error) {
	probes := make([]probe, len(reqs))
	for i, req := range reqs {
		err := chunkset.Check(ctx, op, req)
		if err == nil {
			probes[i], err = x.prepare(req.Vector)
		}
		if err != nil {
			return nil, fmt.Errorf("request %d: %w", i, err)
		}
	}
	out := make([]assay.Response, 0, len(reqs))
	for first := 0; first < len(reqs); first += together {
		end := min(first+together, len(reqs))
		res, err := x.searchTogether(ctx, reqs[first:end], probes[first:end])
		if err != nil {
			return nil, err
		}
		out = append(out, res...)
	}
	return out, nil
}

func (x *Index) searchTogether(ctx context.Context, reqs []assay.Request, probes []probe) ([]assay.Response, error) {
	start := time.Now()
	queries := x.gather(probes)
	found := make([][]seeker, min(x.cfg.Workers, len(x.blocks)))
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for w := range found {
		seekers := make([]seeker, len(reqs))
		for i := range seekers {
			seekers[i].reset(probes[i], reqs[i].Filter, min(reqs[i].K, x.set.Len()))
		}
		found[w] = seekers
		g.Go(func() error {
			products := make([]float32, group*x.blocks[0].len())
			for {
				i := int(next.Add(1)) - 1
				if i >= len(x.blocks) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				x.offerAll(seekers, x.blocks[i], queries, products)
			}
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out := make([]assay.Response, len(reqs))
	took := time.Since(start) / time.Duration(len(reqs))
	for i, req := range reqs {
		var all []scored
		for w := range found {
			all = append(all, found[w][i].top.heap...)
		}
		slices.SortFunc(all, compare)
		out[i] = x.response(all[:min(req.K, len(all))], took)
	}
	return out, nil
}

// gather lays the queries one after the other, filled up with zeros to a multiple of group.
func (x *Index) gather(probes []probe) []float32 {
	n := (len(probes) + group - 1) / group * group
	queries := make([]float32, n*x.dim)
	for i, p := range probes {
		copy(queries[i*x.dim:], p.vector)
	}
	return queries
}

// offerAll shows a block to all seekers.
func (x *Index) offerAll(seekers []seeker, b block, queries, products []float32) {
	rows := x.vectors[b.first*x.dim : b.end*x.dim]
	n := b.len()
	for first := 0; first < len(seekers); first += group {
		if x.products() {
			dotFour(products[:group*n], rows, queries[first*x.dim:(first+group)*x.dim], x.dim)
		}
		for j := range min(group, len(seekers)-first) {
			x.offer(&seekers[first+j], b, products[j*n:(j+1)*n])
		}
	}
}
