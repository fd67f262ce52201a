package bm25

import (
	"context"
	"iter"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25/analyze"
	"github.com/assay-eval/assay/connector/internal/chunkset"
	"golang.org/x/sync/errgroup"
)

// Index is an immutable BM25 index over chunks. It is safe for concurrent use.
type Index struct {
	cfg      Config
	analyzer *analyze.Analyzer
	set      *chunkset.Set
	lengths  []uint32 // terms per chunk, by chunk number
	average  float64  // mean of lengths over the chunks that have a term
	indexed  int      // how many those are: N

	dict    map[string]uint32
	terms   []term
	docs    []uint32 // chunk numbers, ascending within a term
	impacts []uint32 // parallel to docs; see term.shift
	scratch sync.Pool
}

// term is one entry of the dictionary: its postings are docs[start:end] and impacts[start:end].
type term struct {
	start, end int
	idf        float64
	shift      uint8 // an impact i stands for i << shift units of 2^-unitBits
}

// Build indexes a stream of chunks. It fails with the stream's first error, on a chunk without id, on a
// repeated id (KindInvalid) and when there is no chunk at all (KindEmpty). A chunk without a single term,
// whose text is empty or all stop words, is in the index but never found.
func Build(ctx context.Context, chunks iter.Seq2[assay.Chunk, error], cfg Config) (*Index, error) {
	analyzer, err := cfg.check()
	if err != nil {
		return nil, err
	}
	all, workers, err := analyzeAll(ctx, chunks, cfg, analyzer)
	if err != nil {
		return nil, err
	}
	set, from, err := chunkset.New(op, all)
	if err != nil {
		return nil, err
	}
	x := &Index{cfg: cfg, analyzer: analyzer, set: set}
	x.scratch.New = func() any { return x.newScratch() }
	x.invert(workers, from)
	return x, nil
}

// batchSize is the number of chunks a worker takes at a time.
const batchSize = 128

// analyzeAll reads the stream and has the workers count the terms of every chunk.
func analyzeAll(ctx context.Context, chunks iter.Seq2[assay.Chunk, error], cfg Config, a *analyze.Analyzer) ([]assay.Chunk, []*worker, error) {
	type batch struct {
		first  int
		chunks []assay.Chunk
	}
	var all []assay.Chunk
	workers := make([]*worker, cfg.Workers)
	queue := make(chan batch)
	g, ctx := errgroup.WithContext(ctx)
	for i := range workers {
		w := newWorker(a, cfg.Text)
		workers[i] = w
		g.Go(func() error {
			for b := range queue {
				for j := range b.chunks {
					if err := w.add(b.first+j, &b.chunks[j]); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		defer close(queue)
		return chunkset.Batches(ctx, chunks, batchSize, func(first int, group []assay.Chunk) error {
			for i := range group {
				group[i].Vector = nil // a lexical index has no use for it
			}
			all = append(all, group...)
			select {
			case queue <- batch{first, group}:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	return all, workers, nil
}
