package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// DefaultBatch is how many texts are embedded in one call.
const DefaultBatch = 16

// EmbedOptions says how a corpus is embedded.
type EmbedOptions struct {
	Batch    int            // texts a call; 0 means DefaultBatch
	Workers  int            // calls under way at once; 0 means 1
	Progress func(done int) // called after each batch, never concurrently
}

// EmbedTexts embeds texts as documents, in order. A text that cannot be embedded by itself (too long, or
// one the server chokes on) has a nil vector and an entry in failed; any other failure ends the call, and
// a cache around the embedder keeps what was finished.
func EmbedTexts(ctx context.Context, e assay.Embedder, texts []string, opts EmbedOptions) (vectors [][]float32, failed []llm.TextError, err error) {
	if opts.Batch <= 0 {
		opts.Batch = DefaultBatch
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
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, opts.Workers))
	for from := range batches(len(texts), opts.Batch) {
		to := min(len(texts), from+opts.Batch)
		group.Go(func() error {
			reply, err := e.Embed(ctx, assay.EmbedRequest{Texts: texts[from:to], Role: assay.RoleDocument})
			reply, bad, err := salvage(reply, err, to-from)
			if err != nil {
				return err
			}
			mu.Lock()
			for _, f := range bad {
				failed = append(failed, llm.TextError{Index: from + f.Index, Err: f.Err})
			}
			mu.Unlock()
			if len(reply.Vectors) != to-from {
				return assay.Errorf(assay.KindMalformed, "embed", "", "%d vectors for %d texts", len(reply.Vectors), to-from)
			}
			copy(out[from:to], reply.Vectors)
			done <- to - from
			return nil
		})
	}
	err = group.Wait()
	close(done)
	<-counted
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(failed, func(a, b llm.TextError) int { return a.Index - b.Index })
	return out, failed, sameDimension(out)
}

// salvage takes what a partial failure brought. A batch of one text fails with a plain error; when that
// is the text's own fault it is a partial failure too.
func salvage(reply assay.EmbedReply, err error, n int) (assay.EmbedReply, []llm.TextError, error) {
	var partial *llm.PartialError
	switch {
	case err == nil:
		return reply, nil, nil
	case errors.As(err, &partial):
		return partial.Reply, partial.Failed, nil
	case n == 1 && llm.TextAtFault(err):
		return assay.EmbedReply{Vectors: make([][]float32, 1)}, []llm.TextError{{Err: err}}, nil
	}
	return reply, nil, err
}

func batches(n, size int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i += size {
		}
	}
}

func sameDimension(vectors [][]float32) error {
	want := 0
	for i, v := range vectors {
		if want == 0 {
			want = len(v)
		}
		if v != nil && len(v) != want {
			return assay.Errorf(assay.KindMalformed, "embed", fmt.Sprintf("text %d", i), "%d dimensions where the first text has %d", len(v), want)
		}
	}
	return nil
}
