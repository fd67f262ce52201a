package openai_test

import (
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/assay-eval/assay/llm/openai"
)

func realClient(t testing.TB, url, model string) *openai.Client {
	t.Helper()
	c, err := openai.New(openai.Options{Model: model, Server: rest.Config{BaseURL: url}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRealEmbedder(t *testing.T) {
	llmtest.Embedder(t, realClient(t, parts.LlamaEmbed(t), "all-minilm"), llmtest.EmbedderOptions{Dimension: 384, Limit: 512})
}

func TestRealChat(t *testing.T) {
	llmtest.Chat(t, realClient(t, parts.LlamaChat(t), "gemma3-270m"), 4096)
}

// The first components of "hello world", as published with all-MiniLM-L6-v2.
func TestRealEmbeddingIsThePublishedOne(t *testing.T) {
	r, err := embedOne(t.Context(), realClient(t, parts.LlamaEmbed(t), "all-minilm"))
	if err != nil || len(r.Vectors[0]) != 384 {
		t.Fatal(err)
	}
	r, err = realClient(t, parts.LlamaEmbed(t), "all-minilm").Embed(t.Context(), assay.EmbedRequest{Texts: []string{"hello world"}, Role: assay.RoleQuery})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-0.0345, 0.0309, 0.0067} {
		if got := float64(r.Vectors[0][i]); math.Abs(got-want) > 0.0005 {
			t.Errorf("component %d is %.5f, published %.4f", i, got, want)
		}
	}
}

func TestRealTruncationIsMarked(t *testing.T) {
	m, err := openai.New(openai.Options{Model: "all-minilm", Truncate: true, Server: rest.Config{BaseURL: parts.LlamaEmbed(t)}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Embed(t.Context(), assay.EmbedRequest{Texts: []string{"a", strings.Repeat("backups are kept for thirty days ", 120)}, Role: assay.RoleDocument})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Truncated) != 1 || r.Truncated[0] != 1 || len(r.Vectors[1]) != 384 {
		t.Errorf("truncated %v, %d dimensions", r.Truncated, len(r.Vectors[1]))
	}
}

func TestRealLogprobs(t *testing.T) {
	req := llmtest.Capital()
	req.TopLogprobs = 3
	r, err := realClient(t, parts.LlamaChat(t), "gemma3-270m").Chat(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Logprobs) == 0 || len(r.Logprobs[0].Top) != 3 || r.Logprobs[0].Logprob > 0 || r.Logprobs[0].Top[0].Logprob < r.Logprobs[0].Top[2].Logprob {
		t.Errorf("%+v", r.Logprobs)
	}
}

func TestRealIdentity(t *testing.T) {
	for url, file := range map[string]string{parts.LlamaEmbed(t): ".gguf", parts.LlamaChat(t): ".gguf"} {
		id, err := realClient(t, url, "m").Identify(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(id.Server, "llama.cpp") || !strings.HasSuffix(id.Details["file"], file) || strings.Contains(id.Details["file"], "/") || id.Details["n_ctx"] == "" {
			t.Errorf("%+v", id)
		}
	}
}

func TestRealWrongSort(t *testing.T) {
	_, err := realClient(t, parts.LlamaEmbed(t), "m").Chat(t.Context(), hello)
	check(t, err, assay.KindInvalid, "logits", "")
	_, err = embedOne(t.Context(), realClient(t, parts.LlamaChat(t), "m"))
	check(t, err, assay.KindInvalid, "embedding", "")
	how, err := realClient(t, parts.LlamaChat(t), "m").StructuredOutput(t.Context())
	if err != nil || how != "json_schema" {
		t.Errorf("structured output %q, %v", how, err)
	}
}

func TestRealSciFact(t *testing.T) {
	t.Logf("lowest cosine %.6f", llmtest.SciFact(t, realClient(t, parts.LlamaEmbed(t), "all-minilm"), 20))
}

func BenchmarkRealSciFact(b *testing.B) {
	const n = 100
	m := realClient(b, parts.LlamaEmbed(b), "all-minilm")
	for b.Loop() {
		b.ReportMetric(llmtest.SciFact(b, m, n), "lowest-cosine")
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "texts/s")
}
