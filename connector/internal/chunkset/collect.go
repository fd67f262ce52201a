package chunkset

import (
	"context"
	"iter"

	"github.com/assay-eval/assay"
)

// Batches groups a stream of chunks and hands each group to take with the index of its first chunk. The
// first error of the stream, of take or of the context ends it.
func Batches(ctx context.Context, chunks iter.Seq2[assay.Chunk, error], size int, take func(first int, batch []assay.Chunk) error) error {
	first := 0
	batch := make([]assay.Chunk, 0, size)
	flush := func() error {
		err := take(first, batch)
		first += len(batch)
		batch = make([]assay.Chunk, 0, size)
		return err
	}
	for c, err := range chunks {
		if err != nil {
			return err
		}
		batch = append(batch, c)
		if len(batch) < size {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := flush(); err != nil {
			return err
		}
	}
	if len(batch) > 0 {
		return flush()
	}
	return ctx.Err()
}
