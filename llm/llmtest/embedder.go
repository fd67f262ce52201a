package llmtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/vector"
	"github.com/assay-eval/assay/llm"
)

// EmbedderOptions says what is known of the model under test.
type EmbedderOptions struct {
	Dimension int
	Limit     int // tokens that the model or server takes at most; 0 leaves the test of longer texts out
}

// words is text of n words, a token each in any vocabulary.
func words(n int) string { return strings.TrimSpace(strings.Repeat("hello ", n)) }

// Embedder holds an embedder to its contract.
func Embedder(t *testing.T, e assay.Embedder, o EmbedderOptions) {
	t.Helper()
	ctx := t.Context()

	t.Run("order and shape", func(t *testing.T) {
		texts := []string{"Backups are kept for thirty days.", "The fox is quick.", "备份保留三十天。", "Ünïcödé 👩‍🚒 e\u0301", "tab\tline\nquote\" back\\slash </s> [CLS]"}
		batch := embed(ctx, t, e, texts)
		for i, text := range texts {
			if len(batch[i]) != o.Dimension {
				t.Fatalf("text %d: %d dimensions, want %d", i, len(batch[i]), o.Dimension)
			}
			single := embed(ctx, t, e, []string{text})[0]
			if c := vector.Cosine(batch[i], single); c < 0.9999 {
				t.Errorf("text %d in a batch and alone: cosine %.6f", i, c)
			}
		}
		if c := vector.Cosine(batch[0], batch[1]); c > 0.9 {
			t.Errorf("two unrelated texts have cosine %.3f", c)
		}
	})

	t.Run("more texts than a batch takes", func(t *testing.T) {
		texts := make([]string, 40)
		for i := range texts {
			texts[i] = fmt.Sprintf("Item %d.", i)
		}
		vectors := embed(ctx, t, e, texts)
		for _, i := range []int{0, 31, 39} {
			if c := vector.Cosine(vectors[i], embed(ctx, t, e, texts[i:i+1])[0]); c < 0.999 {
				t.Errorf("text %d is not where it belongs: cosine %.4f", i, c)
			}
		}
	})

	t.Run("no texts", func(t *testing.T) {
		r, err := e.Embed(ctx, assay.EmbedRequest{Role: assay.RoleDocument})
		if err != nil || len(r.Vectors) != 0 {
			t.Errorf("got %d vectors, %v; want none and no error", len(r.Vectors), err)
		}
	})

	t.Run("at once", func(t *testing.T) {
		want := embed(ctx, t, e, []string{"one", "two"})
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				r, err := e.Embed(ctx, assay.EmbedRequest{Texts: []string{"one", "two"}, Role: assay.RoleQuery})
				if err != nil {
					t.Error(err)
					return
				}
				for i := range want {
					if c := vector.Cosine(r.Vectors[i], want[i]); c < 0.9999 {
						t.Errorf("vector %d differs under load: cosine %.6f", i, c)
					}
				}
			})
		}
		wg.Wait()
	})

	t.Run("caller gives up", func(t *testing.T) {
		gone, cancel := context.WithCancel(ctx)
		cancel()
		_, err := e.Embed(gone, assay.EmbedRequest{Texts: []string{"x"}, Role: assay.RoleQuery})
		wantKind(t, err, assay.KindCanceled)
		late, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
		defer cancel()
		_, err = e.Embed(late, assay.EmbedRequest{Texts: []string{"x"}, Role: assay.RoleQuery})
		wantKind(t, err, assay.KindTimeout)
	})

	if o.Limit == 0 {
		return
	}
	t.Run("too long", func(t *testing.T) {
		long := words(2 * o.Limit)
		_, err := e.Embed(ctx, assay.EmbedRequest{Texts: []string{long}, Role: assay.RoleDocument})
		wantKind(t, err, assay.KindTruncated)
		if assay.Hint(err) == "" {
			t.Errorf("no hint what to do: %v", err)
		}

		_, err = e.Embed(ctx, assay.EmbedRequest{Texts: []string{"first", "second", long, "fourth"}, Role: assay.RoleDocument})
		wantKind(t, err, assay.KindTruncated)
		var p *llm.PartialError
		if !errors.As(err, &p) {
			t.Fatalf("one long text among four: %v is no PartialError", err)
		}
		if len(p.Failed) != 1 || p.Failed[0].Index != 2 {
			t.Errorf("failed: %v, want text 2 alone", p.Failed)
		}
		for i, text := range []string{"first", "second", "", "fourth"} {
			switch {
			case text == "" && p.Reply.Vectors[i] != nil:
				t.Errorf("the text that failed has a vector")
			case text != "" && vector.Cosine(p.Reply.Vectors[i], embed(ctx, t, e, []string{text})[0]) < 0.9999:
				t.Errorf("text %d has another vector than alone", i)
			}
		}
	})
}

func embed(ctx context.Context, t *testing.T, e assay.Embedder, texts []string) [][]float32 {
	t.Helper()
	r, err := e.Embed(ctx, assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Vectors) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(r.Vectors), len(texts))
	}
	return r.Vectors
}

func wantKind(t *testing.T, err error, kind assay.Kind) {
	t.Helper()
	if got := assay.KindOf(err); got != kind {
		t.Errorf("kind %q, want %q: %v", got, kind, err)
	}
}
