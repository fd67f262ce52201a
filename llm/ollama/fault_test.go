package ollama_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/assay-eval/assay/llm/ollama"
)

// show answers /api/show as Ollama 0.9.6 does, cut to what is read.
const show = `{"template":"{{ .Prompt }}","details":{"family":"gemma3","parameter_size":"268.10M","quantization_level":"Q4_K_M"},
"model_info":{"gemma3.context_length":32768,"general.architecture":"gemma3","tokenizer.ggml.tokens":null},"capabilities":["completion"]}`

var showing = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(show)) })

func client(t *testing.T, url string, change func(*ollama.Options)) *ollama.Client {
	t.Helper()
	o := ollama.Options{Model: "m", Server: rest.Config{BaseURL: url, MaxBody: llmtest.MaxBody}}
	if change != nil {
		change(&o)
	}
	c, err := ollama.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEmbedFaults(t *testing.T) {
	llmtest.Faults(t, "/api/embed", showing, func(ctx context.Context, url string) error {
		_, err := client(t, url, nil).Embed(ctx, assay.EmbedRequest{Texts: []string{"x"}, Role: assay.RoleQuery})
		return err
	})
}

func TestChatFaults(t *testing.T) {
	llmtest.Faults(t, "/api/chat", showing, func(ctx context.Context, url string) error {
		_, err := client(t, url, nil).Chat(ctx, assay.ChatRequest{Messages: []assay.Message{{Role: "user", Text: "x"}}})
		return err
	})
}

// C6: a vector that a server could not compute is an error of the query, never a search with zeros.
func TestBadVectors(t *testing.T) {
	for name, body := range map[string]string{
		"nulls":             `{"embeddings":[[null,null]]}`,
		"null among them":   `{"embeddings":[[0.5,null]]}`,
		"null vector":       `{"embeddings":[null]}`,
		"NaN as text":       `{"embeddings":[["NaN",1]]}`,
		"beyond float32":    `{"embeddings":[[1e300,1]]}`,
		"zeros":             `{"embeddings":[[0,0]]}`,
		"no components":     `{"embeddings":[[]]}`,
		"nested":            `{"embeddings":[[[1,2]]]}`,
		"one too few":       `{"embeddings":[]}`,
		"one too many":      `{"embeddings":[[1,2],[3,4]]}`,
		"of the old path":   `{"embedding":[null,null]}`,
		"text for a vector": `{"embeddings":["AAAA"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			server := llmtest.Replying(t, "/api/embed", body, nil)
			r, err := client(t, server.URL, nil).Embed(t.Context(), assay.EmbedRequest{Texts: []string{"x"}, Role: assay.RoleQuery})
			if assay.KindOf(err) != assay.KindMalformed || r.Vectors != nil {
				t.Errorf("%v, %v; want no vectors and KindMalformed", r.Vectors, err)
			}
		})
	}
}

// C8 is among them: blanks until the limit are a truncated reply, not a malformed one.
func TestBadChatReplies(t *testing.T) {
	loop := `{ \"question\":\"What is a backup?\",\"quote\":\"It is used to store data. It is used to store data. It is used to store data. It is used to`
	for name, c := range map[string]struct {
		body string
		kind assay.Kind
		says string
		raw  string
	}{
		"cut":               {`{"message":{"content":"Paris is"},"done":true,"done_reason":"length","eval_count":2}`, assay.KindTruncated, "cut at its limit of 64 tokens", "Paris is"},
		"cut in a loop":     {`{"message":{"content":"` + loop + `"},"done":true,"done_reason":"length"}`, assay.KindTruncated, `after repeating "`, "question"},
		"cut, older":        {`{"message":{"content":"Paris is"},"done":true,"eval_count":64}`, assay.KindTruncated, "cut at its limit", "Paris is"},
		"cut in thinking":   {`{"message":{"content":"","thinking":"Let me see"},"done":true,"done_reason":"length"}`, assay.KindTruncated, "while still thinking", "Let me see"},
		"cut in <think>":    {`{"message":{"content":"<think>Let me see"},"done":true,"done_reason":"length"}`, assay.KindTruncated, "while still thinking", "Let me see"},
		"blanks to the end": {`{"message":{"content":"{\n` + blanks(80) + `"},"done":true,"done_reason":"length"}`, assay.KindTruncated, "after repeating white space", "{"},
		"empty":             {`{"message":{"content":""},"done":true,"done_reason":"stop"}`, assay.KindEmpty, "empty", ""},
		"thought only":      {`{"message":{"content":"","thinking":"Hm"},"done":true,"done_reason":"stop"}`, assay.KindEmpty, "gave no answer", "Hm"},
		"not done":          {`{"message":{"content":"Par"},"done":false}`, assay.KindMalformed, "not done", "Par"},
		"prompt cut":        {`{"message":{"content":"x"},"done":true,"done_reason":"stop","prompt_eval_count":512}`, assay.KindTruncated, "the prompt was cut", ""},
		"window slid":       {`{"message":{"content":"x"},"done":true,"done_reason":"stop","prompt_eval_count":500,"eval_count":20}`, assay.KindTruncated, "outgrew", ""},
		"messages left out": {`{"message":{"content":"x"},"done":true,"done_reason":"stop","prompt_eval_count":20}`, assay.KindTruncated, "part of it was left out", ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := llmtest.Replying(t, "/api/chat", c.body, showing)
			m := client(t, server.URL, func(o *ollama.Options) { o.NumCtx = 512 })
			_, err := m.Chat(t.Context(), assay.ChatRequest{MaxTokens: 64, Messages: []assay.Message{{Role: "user", Text: words(60)}}})
			check(t, err, c.kind, c.says, c.raw)
		})
	}
}
