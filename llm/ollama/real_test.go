package ollama_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/assay-eval/assay/llm/ollama"
)

func realClient(t testing.TB, model string, change func(*ollama.Options)) *ollama.Client {
	t.Helper()
	o := ollama.Options{Model: model, Server: rest.Config{BaseURL: parts.Ollama(t).URL}}
	if change != nil {
		change(&o)
	}
	c, err := ollama.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRealEmbedder(t *testing.T) {
	llmtest.Embedder(t, realClient(t, parts.Ollama(t).Embed, nil), llmtest.EmbedderOptions{Dimension: 384, Limit: 512})
}

// window is one context window for all tests of the chat model, so that it is loaded once.
const window = 512

func TestRealChat(t *testing.T) {
	llmtest.Chat(t, realClient(t, parts.Ollama(t).Chat, func(o *ollama.Options) { o.NumCtx = window }), window)
}

// The first components of "hello world", as published with all-MiniLM-L6-v2.
func TestRealEmbeddingIsThePublishedOne(t *testing.T) {
	r, err := realClient(t, parts.Ollama(t).Embed, nil).Embed(t.Context(), assay.EmbedRequest{Texts: []string{"hello world"}, Role: assay.RoleQuery})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-0.0345, 0.0309, 0.0067} {
		if got := float64(r.Vectors[0][i]); math.Abs(got-want) > 0.0005 {
			t.Errorf("component %d is %.5f, published %.4f", i, got, want)
		}
	}
	if r.Tokens != 2 {
		t.Errorf("%d tokens, want 2", r.Tokens)
	}
}

func TestRealTruncationIsMarked(t *testing.T) {
	m := realClient(t, parts.Ollama(t).Embed, func(o *ollama.Options) { o.Truncate = true })
	long := strings.Repeat("backups are kept for thirty days ", 200)
	r, err := m.Embed(t.Context(), assay.EmbedRequest{Texts: []string{"a", long}, Role: assay.RoleDocument})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Truncated) != 1 || r.Truncated[0] != 1 || len(r.Vectors[1]) != 384 {
		t.Errorf("truncated %v, %d dimensions", r.Truncated, len(r.Vectors[1]))
	}
}

// Words that no vocabulary has take many more tokens than the bound can know of, so the prompt is sent,
// cut by the server without a word, and found out by the counts in the reply.
func TestRealCutPromptIsNoticed(t *testing.T) {
	m := realClient(t, parts.Ollama(t).Chat, func(o *ollama.Options) { o.NumCtx = window })
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range 160 {
		for range 12 {
			b.WriteByte(byte('a' + rng.IntN(26)))
		}
		b.WriteByte(' ')
	}
	_, err := m.Chat(t.Context(), assay.ChatRequest{Messages: []assay.Message{{Role: "user", Text: b.String()}}, MaxTokens: 4})
	check(t, err, assay.KindTruncated, "the prompt was cut to the context window of 512 tokens", "")
}

func TestRealIdentity(t *testing.T) {
	for model, want := range map[string]string{parts.Ollama(t).Embed: "512", parts.Ollama(t).Chat: "32768"} {
		id, err := realClient(t, model, nil).Identify(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(id.Digest, "sha256:") || len(id.Digest) != len("sha256:")+64 || !strings.HasPrefix(id.Server, "ollama ") || id.Details["context_length"] != want {
			t.Errorf("%+v", id)
		}
	}
}

func TestRealModelThatIsNotThere(t *testing.T) {
	m := realClient(t, "no-such-model", nil)
	_, err := m.Embed(t.Context(), assay.EmbedRequest{Texts: []string{"x"}, Role: assay.RoleQuery})
	check(t, err, assay.KindNotFound, "not found", "")
	_, chatErr := m.Chat(t.Context(), hello)
	check(t, chatErr, assay.KindNotFound, "not found", "")
	for _, err := range []error{err, chatErr} {
		if assay.Hint(err) != "ollama pull no-such-model" {
			t.Errorf("hint %q", assay.Hint(err))
		}
	}
	_, err = realClient(t, parts.Ollama(t).Chat, nil).Embed(t.Context(), assay.EmbedRequest{Texts: []string{"x"}, Role: assay.RoleQuery})
	check(t, err, assay.KindInvalid, "does not support embeddings", "")
	_, err = realClient(t, parts.Ollama(t).Embed, nil).Chat(t.Context(), hello)
	check(t, err, assay.KindInvalid, "does not support chat", "")
}

func TestRealSciFact(t *testing.T) {
	t.Logf("lowest cosine %.6f", llmtest.SciFact(t, realClient(t, parts.Ollama(t).Embed, nil), 20))
}

func BenchmarkRealSciFact(b *testing.B) {
	const n = 100
	m := realClient(b, parts.Ollama(b).Embed, nil)
	for b.Loop() {
		b.ReportMetric(llmtest.SciFact(b, m, n), "lowest-cosine")
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "texts/s")
}
