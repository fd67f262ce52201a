package ollama_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/ollama"
)

const done = `{"message":{"content":"ok"},"done":true,"done_reason":"stop"}`

// What is sent decides what Ollama does in silence, so it is held to the letter.
func TestChatRequestOnTheWire(t *testing.T) {
	s := serve(t, func(path string, _ map[string]any) (int, string) {
		if path == "/api/show" {
			return 200, show
		}
		return 200, done
	})
	m := client(t, s.URL, func(o *ollama.Options) {
		o.KeepAlive = 10 * time.Minute
		o.Extra = map[string]any{"top_k": 40}
	})
	_, err := m.Chat(t.Context(), assay.ChatRequest{
		Messages: []assay.Message{{Role: "system", Text: "Be brief."}, {Role: "user", Text: "<b>Hi</b>"}},
		Schema:   json.RawMessage(`{"type":"object"}`), Temperature: 0.5, Seed: 1<<40 + 7, Stop: []string{"END"}, TopLogprobs: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"model": "m", "stream": false, "truncate": false, "keep_alive": "10m0s", "format": map[string]any{"type": "object"},
		"messages": []any{map[string]any{"role": "system", "content": "Be brief."}, map[string]any{"role": "user", "content": "<b>Hi</b>"}},
		"logprobs": true, "top_logprobs": 3.0,
		"options": map[string]any{"top_k": 40.0, "temperature": 0.5, "seed": 519.0, "num_predict": 1024.0, "num_ctx": 4096.0, "stop": []any{"END"}},
	}
	if diff := cmp.Diff(want, s.to("/api/chat")[0]); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestThinkIsSentOnlyToModelsThatThink(t *testing.T) {
	thinking := strings.Replace(show, `["completion"]`, `["completion","thinking"]`, 1)
	for _, c := range []struct {
		show, think string
		want        any
		kind        assay.Kind
	}{
		{show, "", nil, ""},
		{show, "off", nil, ""},
		{show, "on", nil, assay.KindInvalid},
		{thinking, "", false, ""},
		{thinking, "on", true, ""},
		{thinking, "low", "low", ""},
	} {
		s := serve(t, func(path string, _ map[string]any) (int, string) {
			if path == "/api/show" {
				return 200, c.show
			}
			return 200, done
		})
		_, err := client(t, s.URL, func(o *ollama.Options) { o.Think = c.think }).Chat(t.Context(), hello)
		if assay.KindOf(err) != c.kind {
			t.Errorf("think %q: %v, want kind %q", c.think, err, c.kind)
		}
		for _, body := range s.to("/api/chat") {
			if body["think"] != c.want {
				t.Errorf("think %q: sent %v, want %v", c.think, body["think"], c.want)
			}
		}
	}
	if _, err := ollama.New(ollama.Options{Model: "m", Think: "hard"}); !errors.Is(err, assay.ErrUsage) {
		t.Errorf("think: hard: %v", err)
	}
}

var hello = assay.ChatRequest{Messages: []assay.Message{{Role: "user", Text: "Hi"}}}

func TestThinkingIsKeptApart(t *testing.T) {
	for _, body := range []string{
		`{"message":{"content":"Paris","thinking":"Let me see"},"done":true}`,
		`{"message":{"content":"<think>\nLet me see\n</think>\n\nParis"},"done":true}`,
		`{"message":{"content":"Let me see\n</think>\n\nParis"},"done":true}`,
	} {
		s := serve(t, func(path string, _ map[string]any) (int, string) {
			if path == "/api/show" {
				return 200, show
			}
			return 200, body
		})
		r, err := client(t, s.URL, nil).Chat(t.Context(), hello)
		if err != nil || r.Text != "Paris" || r.Thinking != "Let me see" {
			t.Errorf("%s: text %q, thinking %q, %v", body, r.Text, r.Thinking, err)
		}
	}
}

// The window goes up in doublings, to hold the longest prompt so far, and stops at what the model can.
func TestWindowGrows(t *testing.T) {
	s := serve(t, func(path string, body map[string]any) (int, string) {
		if path == "/api/show" {
			return 200, show
		}
		size := int(body["options"].(map[string]any)["num_ctx"].(float64))
		n := 0
		for _, m := range body["messages"].([]any) {
			n += len(strings.Fields(m.(map[string]any)["content"].(string)))
		}
		return 200, fmt.Sprintf(`{"message":{"content":"ok"},"done":true,"prompt_eval_count":%d,"eval_count":1}`, min(n, size))
	})
	m := client(t, s.URL, func(o *ollama.Options) { o.MaxTokens = 512 })
	say := func(words string, n int) error {
		_, err := m.Chat(t.Context(), assay.ChatRequest{Messages: []assay.Message{{Role: "user", Text: strings.Repeat(words+" ", n)}}})
		return err
	}
	for _, c := range []struct {
		words string
		n     int
	}{{"a", 10}, {"a", 5000}, {"a", 10}, {"a", 20000}, {"a", 10}} {
		if err := say(c.words, c.n); err != nil {
			t.Fatal(err)
		}
	}
	var sizes []float64
	for _, body := range s.to("/api/chat") {
		sizes = append(sizes, body["options"].(map[string]any)["num_ctx"].(float64))
	}
	if diff := cmp.Diff([]float64{4096, 8192, 8192, 32768, 32768}, sizes); diff != "" {
		t.Errorf("windows (-want +got):\n%s", diff)
	}
	check(t, say("a", 40000), assay.KindTruncated, "the prompt has at least 36000 tokens and the context window 32768", "")
}

// When the estimate was short, the counts show it, and the call is made again with more room.
func TestWindowEstimateTooShort(t *testing.T) {
	s := serve(t, func(path string, body map[string]any) (int, string) {
		if path == "/api/show" {
			return 200, show
		}
		size := int(body["options"].(map[string]any)["num_ctx"].(float64))
		if size == 8192 {
			return 400, `{"error":"the input length exceeds the context length"}` // as newer servers say it
		}
		return 200, fmt.Sprintf(`{"message":{"content":"ok"},"done":true,"prompt_eval_count":%d}`, min(9000, size))
	})
	r, err := client(t, s.URL, nil).Chat(t.Context(), hello)
	if err != nil || r.PromptTokens != 9000 || len(s.to("/api/chat")) != 3 {
		t.Errorf("%d calls, %d tokens, %v; want 4096, 8192, then 16384", len(s.to("/api/chat")), r.PromptTokens, err)
	}
}

func TestModelErrorsSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		code       int
		body       string
		kind       assay.Kind
		says, hint string
	}{
		{404, `{"error":"model \"m\" not found, try pulling it first"}`, assay.KindNotFound, "not found", "ollama pull m"},
		{404, `{"error":"model 'm' not found"}`, assay.KindNotFound, "not found", "ollama pull m"},
		{404, "404 page not found", assay.KindNotFound, "not found", "no Ollama server seems to answer"},
		{500, `{"error":"this model does not support embeddings"}`, assay.KindInvalid, "does not support embeddings", "no embedding model"},
		{400, `{"error":"\"m\" does not support chat"}`, assay.KindInvalid, "does not support chat", "name a chat model"},
		{400, `{"error":"input length exceeds maximum context length"}`, assay.KindTruncated, "exceeds", "smaller chunks"},
		{400, `{"error":"the input length exceeds the context length"}`, assay.KindTruncated, "exceeds", "smaller chunks"},
		{200, `{"error":"the input length exceeds the context length"}`, assay.KindTruncated, "exceeds", "smaller chunks"},
	} {
		s := serve(t, func(string, map[string]any) (int, string) { return c.code, c.body })
		_, err := client(t, s.URL, nil).Embed(t.Context(), assay.EmbedRequest{Texts: []string{"x"}, Role: assay.RoleQuery})
		check(t, err, c.kind, c.says, "")
		if !strings.Contains(assay.Hint(err), c.hint) {
			t.Errorf("%s: hint %q, want %q in it", c.body, assay.Hint(err), c.hint)
		}
	}
}

// embedServer knows three sorts of text: those with "long" are too long, those with "nan" crash it, the
// rest have a vector of their length.
func embedServer(t *testing.T) *script {
	return serve(t, func(path string, body map[string]any) (int, string) {
		if path == "/api/show" {
			return 200, show
		}
		var vectors []string
		for _, x := range body["input"].([]any) {
			text := x.(string)
			switch {
			case strings.Contains(text, "long") && body["truncate"] == false:
				return 400, `{"error":"the input length exceeds the context length"}`
			case strings.Contains(text, "nan"):
				return 500, `{"error":"json: unsupported value: NaN"}`
			}
			vectors = append(vectors, fmt.Sprintf("[%d,1]", len(text)))
		}
		return 200, fmt.Sprintf(`{"embeddings":[%s],"prompt_eval_count":%d}`, strings.Join(vectors, ","), len(vectors))
	})
}

func TestOneBadTextIsFound(t *testing.T) {
	s := embedServer(t)
	texts := make([]string, 20)
	for i := range texts {
		texts[i] = strings.Repeat("x", i+1)
	}
	texts[3], texts[13] = "long", "nan"
	_, err := client(t, s.URL, nil).Embed(t.Context(), assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
	var p *llm.PartialError
	if !errors.As(err, &p) {
		t.Fatalf("%v is no PartialError", err)
	}
	if assay.KindOf(err) != assay.KindTruncated || !strings.Contains(err.Error(), "2 of 20 texts failed, first text 4") {
		t.Errorf("kind %q: %v", assay.KindOf(err), err)
	}
	if len(p.Failed) != 2 || p.Failed[0].Index != 3 || p.Failed[1].Index != 13 || assay.KindOf(p.Failed[1].Err) != assay.KindInternal {
		t.Errorf("failed %+v", p.Failed)
	}
	for i, v := range p.Reply.Vectors {
		if bad := i == 3 || i == 13; bad != (v == nil) || !bad && v[0] != float32(len(texts[i])) {
			t.Errorf("text %d: %v", i, v)
		}
	}
}

func TestTruncationIsMarked(t *testing.T) {
	s := embedServer(t)
	m := client(t, s.URL, func(o *ollama.Options) { o.Truncate = true })
	r, err := m.Embed(t.Context(), assay.EmbedRequest{Texts: []string{"a", "long one", "b"}, Role: assay.RoleDocument})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(assay.EmbedReply{Vectors: [][]float32{{1, 1}, {8, 1}, {1, 1}}, Tokens: 3, Truncated: []int{1}}, r); diff != "" {
		t.Errorf("reply (-want +got):\n%s", diff)
	}
}

func TestSilentCutIsNoticed(t *testing.T) {
	s := serve(t, func(path string, body map[string]any) (int, string) {
		var vectors []string
		n := 0
		for _, x := range body["input"].([]any) {
			n += min(512, len(strings.Fields(x.(string))))
			vectors = append(vectors, "[1,2]")
		}
		return 200, fmt.Sprintf(`{"embeddings":[%s],"prompt_eval_count":%d}`, strings.Join(vectors, ","), n)
	})
	texts := []string{words(100), words(700), words(100), words(100), words(100), words(100)}
	_, err := client(t, s.URL, nil).Embed(t.Context(), assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
	var p *llm.PartialError
	if !errors.As(err, &p) || len(p.Failed) != 1 || p.Failed[0].Index != 1 {
		t.Fatalf("want text 1 alone to fail: %v", err)
	}
	check(t, err, assay.KindTruncated, "read 512 tokens of a text that has at least 630", "")
}

// A server that fails on everything is not asked text by text.
func TestBrokenServerIsNotBisected(t *testing.T) {
	s := serve(t, func(string, map[string]any) (int, string) {
		return 500, `{"error":"llama runner process has terminated"}`
	})
	_, err := client(t, s.URL, nil).Embed(t.Context(), assay.EmbedRequest{Texts: strings.Fields(words(64)), Role: assay.RoleDocument})
	check(t, err, assay.KindInternal, "terminated", "")
	if n := len(s.to("/api/embed")); n > 10 {
		t.Errorf("%d calls", n)
	}
}

func TestDimensionMayNotChange(t *testing.T) {
	s := embedServer(t)
	m := client(t, s.URL, nil)
	if _, err := m.Embed(t.Context(), assay.EmbedRequest{Texts: []string{"a"}, Role: assay.RoleQuery}); err != nil {
		t.Fatal(err)
	}
	other := serve(t, func(string, map[string]any) (int, string) { return 200, `{"embeddings":[[1,2,3]]}` })
	s.Config.Handler = other.Config.Handler
	_, err := m.Embed(t.Context(), assay.EmbedRequest{Texts: []string{"a"}, Role: assay.RoleQuery})
	check(t, err, assay.KindMalformed, "3 dimensions where earlier ones had 2", "")
}

func TestEmbedWindow(t *testing.T) {
	s := embedServer(t)
	m := client(t, s.URL, func(o *ollama.Options) { o.Dimensions = 2 })
	for _, text := range []string{"short", words(3000), "short"} {
		_, err := m.Embed(t.Context(), assay.EmbedRequest{Texts: []string{text}, Role: assay.RoleDocument})
		if text == "short" && err != nil {
			t.Fatal(err)
		}
	}
	asks := s.to("/api/embed")
	if asks[0]["options"] != nil {
		t.Errorf("options %v: a short text needs no window and no reload", asks[0]["options"])
	}
	for _, a := range asks[1:] {
		if diff := cmp.Diff(map[string]any{"num_ctx": 8192.0, "num_batch": 8192.0}, a["options"]); diff != "" {
			t.Errorf("options (-want +got):\n%s", diff)
		}
	}
	if asks[0]["truncate"] != false || asks[0]["dimensions"] != 2.0 {
		t.Errorf("sent %v", asks[0])
	}
}

func TestIdentify(t *testing.T) {
	s := serve(t, func(path string, _ map[string]any) (int, string) {
		switch path {
		case "/api/show":
			return 200, show
		case "/api/version":
			return 200, `{"version":"0.30.1"}`
		}
		return 200, `{"models":[{"name":"other:latest","digest":"aa"},{"name":"m:latest","model":"m:latest","digest":"bb"},{"name":"m:7b","digest":"cc"}]}`
	})
	for model, digest := range map[string]string{"m": "sha256:bb", "m:latest": "sha256:bb", "M:7B": "sha256:cc", "gone": ""} {
		m := client(t, s.URL, func(o *ollama.Options) { o.Model, o.Extra = model, map[string]any{"top_k": 1, "min_p": 0.5} })
		got, err := m.Identify(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := assay.Identity{Provider: "ollama", Model: model, Digest: digest, Server: "ollama 0.30.1", Details: map[string]string{
			"family": "gemma3", "parameters": "268.10M", "quantization": "Q4_K_M", "context_length": "32768", "options": `{"min_p":0.5,"top_k":1}`}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", model, diff)
		}
	}
}
