package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-eval/assay"
)

// maxWalked bounds how many stored vectors are listed where a store cannot fetch chunks by key.
const maxWalked = 1000

// withVectors draws chunks with their texts and stored vectors.
func (x *exam) withVectors(ctx context.Context, s *System) ([]assay.Chunk, error) {
	return x.vectors.get(s, func() ([]assay.Chunk, error) {
		l, err := x.list(ctx, s)
		if err != nil {
			return nil, err
		}
		var out []assay.Chunk
		if f, ok := assay.As[assay.ChunkFetcher](s.Store); ok {
			var keys []string
			for _, c := range l.sample(x.opts.Sample, x.opts.Seed) {
				keys = append(keys, c.ID)
			}
			out, err = f.FetchChunks(ctx, keys, true)
		} else {
			out, err = x.walk(ctx, s)
		}
		if err != nil {
			return nil, err
		}
		kept := out[:0]
		for _, c := range out {
			if len(c.Vector) > 0 {
				kept = append(kept, c)
			}
		}
		if len(kept) == 0 {
			return nil, errors.New("no chunk of the sample has both a text and a stored vector")
		}
		return kept, nil
	})
}

// walk samples the first chunks of a listing with vectors.
func (x *exam) walk(ctx context.Context, s *System) ([]assay.Chunk, error) {
	lister, ok := assay.As[assay.ChunkLister](s.Store)
	if !ok {
		return nil, fmt.Errorf("a retriever of kind %s cannot list its chunks", s.Kind)
	}
	l := &listing{}
	for c, err := range lister.ListChunks(ctx, assay.ListOptions{WithVectors: true}) {
		if err != nil {
			return nil, err
		}
		if l.chunks = append(l.chunks, c); len(l.chunks) == maxWalked {
			break
		}
	}
	return l.sample(x.opts.Sample, x.opts.Seed), nil
}
