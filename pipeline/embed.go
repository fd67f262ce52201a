package pipeline

import (
	"context"
	"fmt"
	"iter"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
)

// EmbedOptions says how a corpus is embedded.
type EmbedOptions struct {
	Batch    int            // texts a call; 0 means 16
	Workers  int            // calls under way at once; 0 means 1
	Progress func(done int) // called after each batch, never concurrently
}

// EmbedTexts embeds texts as documents, in order. The first failure ends it; a cache around the embedder
// keeps what was finished.
func EmbedTexts(ctx context.Context, e assay.Embedder, texts []string, opts EmbedOptions) ([][]float32, error) {
	if opts.Batch <= 0 {
		opts.Batch = 16
	}
	out := make([][]float32, len(texts))
	done := make(chan int)
	counted := make(chan struct{})
	go func() {
		defer close(counted)
		total := 0
		for n := range done {
			if total += n; opts.Progress != nil {
				opts.Progress(total)
			}
		}
	}()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, opts.Workers))
	for from := range batches(len(texts), opts.Batch) {
		to := min(len(texts), from+opts.Batch)
		group.Go(func() error {
			reply, err := e.Embed(ctx, assay.EmbedRequest{Texts: texts[from:to], Role: assay.RoleDocument})
			if err != nil {
				return err
			}
			if len(reply.Vectors) != to-from {
				return assay.Errorf(assay.KindMalformed, "embed", "", "%d vectors for %d texts", len(reply.Vectors), to-from)
			}
			copy(out[from:to], reply.Vectors)
			done <- to - from
			return nil
		})
	}
	err := group.Wait()
	close(done)
	<-counted
	if err != nil {
		return nil, err
	}
	return out, sameDimension(out)
}

func batches(n, size int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i += size {
		}
	}
}

func sameDimension(vectors [][]float32) error {
	for i, v := range vectors {
		if len(v) != len(vectors[0]) {
			return assay.Errorf(assay.KindMalformed, "embed", fmt.Sprintf("text %d", i), "%d dimensions where the first text has %d", len(v), len(vectors[0]))
		}
	}
	return nil
}
