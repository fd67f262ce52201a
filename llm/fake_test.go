package llm_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// counter is a model that counts what reaches it, standing behind the decorators under test. Vectors hold
// the text's length; texts with "!" are too long; "down" makes the whole call fail.
type counter struct {
	mu    sync.Mutex
	texts []string // embedded, in order
	calls int
	fail  error         // of the next calls
	gate  chan struct{} // when set, a call waits for it
	reply assay.ChatReply
}

func (c *counter) enter(ctx context.Context, texts ...string) error {
	c.mu.Lock()
	c.calls++
	c.texts = append(c.texts, texts...)
	fail, gate := c.fail, c.gate
	c.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return fail
}

func (c *counter) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls
}

func (c *counter) Embed(ctx context.Context, req assay.EmbedRequest) (assay.EmbedReply, error) {
	if err := c.enter(ctx, req.Texts...); err != nil {
		return assay.EmbedReply{}, err
	}
	r := assay.EmbedReply{Vectors: make([][]float32, len(req.Texts)), Tokens: len(req.Texts)}
	var failed []llm.TextError
	for i, text := range req.Texts {
		switch {
		case strings.Contains(text, "!"):
			failed = append(failed, llm.TextError{Index: i, Err: assay.Errorf(assay.KindTruncated, "embed", "host", "too long")})
			continue
		case strings.Contains(text, "~"):
			r.Truncated = append(r.Truncated, i)
		}
		r.Vectors[i] = []float32{float32(len(text)), 1}
	}
	return llm.Partial(r, failed)
}

func (c *counter) Chat(ctx context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	if err := c.enter(ctx); err != nil {
		return assay.ChatReply{}, err
	}
	if c.reply.Text != "" {
		return c.reply, nil
	}
	return assay.ChatReply{Text: fmt.Sprintf("reply to %s", req.Messages[len(req.Messages)-1].Text), OutputTokens: 3}, nil
}

func (c *counter) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	if err := c.enter(ctx, texts...); err != nil {
		return nil, err
	}
	out := make([]float64, len(texts))
	for i, text := range texts {
		out[i] = float64(len(text))
	}
	return out, nil
}

func (c *counter) Identify(context.Context) (assay.Identity, error) { return model, nil }

var model = assay.Identity{Provider: "ollama", Model: "m:latest", Digest: "sha256:aa", Server: "ollama 1"}

func open(t testing.TB, dir string) *llm.Cache {
	t.Helper()
	c, err := llm.OpenCache(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func ask(text string) assay.ChatRequest {
	return assay.ChatRequest{Messages: []assay.Message{{Role: "user", Text: text}}}
}

func embed(t testing.TB, e assay.Embedder, texts ...string) assay.EmbedReply {
	t.Helper()
	r, err := e.Embed(t.Context(), assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if r.Vectors[i][0] != float32(len(text)) {
			t.Fatalf("text %d %q has vector %v", i, text, r.Vectors[i])
		}
	}
	return r
}
