package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/openai"
)

// serve is a server that keeps the bodies it was sent and answers by a function of path and body.
func serve(t *testing.T, answer func(path string, body map[string]any) (int, string)) (url string, sent func() []map[string]any) {
	t.Helper()
	var mu sync.Mutex
	var bodies []map[string]any
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		var body map[string]any
		if len(data) > 0 {
			if err := json.Unmarshal(data, &body); err != nil {
				t.Errorf("request body: %v", err)
			}
			mu.Lock()
			bodies = append(bodies, body)
			mu.Unlock()
		}
		code, reply := answer(r.URL.Path, body)
		w.WriteHeader(code)
		_, _ = w.Write([]byte(reply))
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []map[string]any {
		mu.Lock()
		defer mu.Unlock()
		return bodies
	}
}

func always(code int, reply string) func(string, map[string]any) (int, string) {
	return func(string, map[string]any) (int, string) { return code, reply }
}

const okReply = `{"choices":[{"finish_reason":"stop","message":{"content":"ok"}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}`

func TestChatRequestOnTheWire(t *testing.T) {
	url, sent := serve(t, always(200, okReply))
	m := client(t, url, func(o *openai.Options) { o.Extra = map[string]any{"cache_prompt": false, "model": "not this"} })
	r, err := m.Chat(t.Context(), assay.ChatRequest{
		Messages: []assay.Message{{Role: "user", Text: "<b>Hi</b>"}}, Schema: json.RawMessage(`{"type":"object"}`),
		MaxTokens: 50, Temperature: 0.5, Seed: 3, Stop: []string{"END"}, TopLogprobs: 4,
	})
	if err != nil || r.Text != "ok" || r.PromptTokens != 9 || r.OutputTokens != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	want := map[string]any{
		"model": "m", "stream": false, "cache_prompt": false, "max_tokens": 50.0, "temperature": 0.5, "seed": 3.0, "stop": []any{"END"},
		"messages": []any{map[string]any{"role": "user", "content": "<b>Hi</b>"}}, "logprobs": true, "top_logprobs": 4.0,
		"response_format": map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": "reply", "strict": true, "schema": map[string]any{"type": "object"}}},
	}
	if diff := cmp.Diff(want, sent()[0]); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestChatReplies(t *testing.T) {
	prompt := strings.Repeat("word ", 60)
	choice := func(message, finish string) string {
		return fmt.Sprintf(`{"choices":[{"finish_reason":%s,"message":%s}],"usage":{"prompt_tokens":70,"completion_tokens":64}}`, finish, message)
	}
	for name, c := range map[string]struct {
		body           string
		text, thinking string
		kind           assay.Kind
		says, raw      string
	}{
		"plain":                {choice(`{"content":"Paris"}`, `"stop"`), "Paris", "", "", "", ""},
		"reasoning_content":    {choice(`{"content":"Paris","reasoning_content":"Hm"}`, `"stop"`), "Paris", "Hm", "", "", ""},
		"reasoning":            {choice(`{"content":"Paris","reasoning":"Hm"}`, `"stop"`), "Paris", "Hm", "", "", ""},
		"inline":               {choice(`{"content":"<think>Hm</think>\nParis"}`, `"stop"`), "Paris", "Hm", "", "", ""},
		"tag inside an answer": {choice(`{"content":"{\"q\":\"</think>\"}"}`, `"stop"`), `{"q":"</think>"}`, "", "", "", ""},
		"cut":                  {choice(`{"content":"Paris is"}`, `"length"`), "", "", assay.KindTruncated, "cut at its limit of 64 tokens", "Paris is"},
		"blanks to the end":    {choice(`{"content":"{\n`+strings.Repeat(`\t `, 60)+`"}`, `"length"`), "", "", assay.KindTruncated, "after repeating white space", "{"},
		"cut, no reason given": {choice(`{"content":"Paris is"}`, `null`), "", "", assay.KindTruncated, "cut at its limit", "Paris is"},
		"content is null":      {choice(`{"content":null}`, `"stop"`), "", "", assay.KindEmpty, "empty", ""},
		"thought only":         {choice(`{"content":"","reasoning_content":"Hm"}`, `"stop"`), "", "", assay.KindEmpty, "gave no answer", "Hm"},
		"refusal":              {choice(`{"content":null,"refusal":"I cannot"}`, `"stop"`), "", "", assay.KindDeclined, "declines", "I cannot"},
		"filter":               {choice(`{"content":"Par"}`, `"content_filter"`), "", "", assay.KindDeclined, "filter", "Par"},
		"no choices":           {`{"choices":[]}`, "", "", assay.KindMalformed, "no choices", ""},
		"prompt cut":           {`{"choices":[{"finish_reason":"stop","message":{"content":"x"}}],"usage":{"prompt_tokens":20}}`, "", "", assay.KindTruncated, "part of it was left out", ""},
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := serve(t, always(200, c.body))
			r, err := client(t, url, nil).Chat(t.Context(), assay.ChatRequest{MaxTokens: 64, Messages: []assay.Message{{Role: "user", Text: prompt}}})
			if r.Text != c.text || r.Thinking != c.thinking {
				t.Errorf("text %q, thinking %q", r.Text, r.Thinking)
			}
			check(t, err, c.kind, c.says, c.raw)
		})
	}
}

func check(t *testing.T, err error, kind assay.Kind, says, raw string) {
	t.Helper()
	if kind == "" {
		if err != nil {
			t.Error(err)
		}
		return
	}
	var e *assay.Error
	if !errors.As(err, &e) || e.Kind != kind || !strings.Contains(err.Error(), says) || !strings.Contains(e.Raw, raw) {
		t.Fatalf("kind %q, want %q saying %q with %q in the raw reply: %v\n%+v", assay.KindOf(err), kind, says, raw, err, e)
	}
}

func TestLogprobs(t *testing.T) {
	url, _ := serve(t, always(200, `{"choices":[{"finish_reason":"stop","message":{"content":"3"},"logprobs":{"content":[
		{"token":"3","logprob":-0.7,"top_logprobs":[{"token":"2","logprob":-0.9},{"token":"3","logprob":-0.7}]}]}}]}`))
	r, err := client(t, url, nil).Chat(t.Context(), hello)
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.TokenProbs{{Token: "3", Logprob: -0.7, Top: []assay.TokenProbs{{Token: "3", Logprob: -0.7}, {Token: "2", Logprob: -0.9}}}}
	if diff := cmp.Diff(want, r.Logprobs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// format is what response_format a body asks for.
func format(body map[string]any) string {
	f, _ := body["response_format"].(map[string]any)
	kind, _ := f["type"].(string)
	return kind
}

func TestSchemaFallback(t *testing.T) {
	fenced := `{"choices":[{"finish_reason":"stop","message":{"content":"` + "```json\\n{\\\"ok\\\":true}\\n```" + `"}}]}`
	for name, c := range map[string]struct {
		takes string // response formats the server knows
		mode  string
		calls int // for two requests
	}{
		"json_schema": {"json_schema json_object", "json_schema", 2},
		"json_object": {"json_object", "json_object", 1 + 2 + 2},
		"neither":     {"", "prompt only", 1 + 3 + 2},
	} {
		t.Run(name, func(t *testing.T) {
			url, sent := serve(t, func(path string, body map[string]any) (int, string) {
				switch f := format(body); {
				case path != "/v1/chat/completions":
					return 404, "{}"
				case f != "" && !strings.Contains(c.takes, f):
					return 400, `{"error":{"message":"response_format is not supported"}}`
				}
				return 200, fenced
			})
			m := client(t, url, nil)
			req := hello
			req.Schema = json.RawMessage(`{"type": "object"}`)
			for range 2 {
				r, err := m.Chat(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				if bound := c.mode == "json_schema"; !bound && r.Text != `{"ok":true}` || bound && !strings.HasPrefix(r.Text, "```") {
					t.Errorf("text %q", r.Text)
				}
			}
			if n := len(sent()); n != c.calls {
				t.Errorf("%d calls, want %d", n, c.calls)
			}
			last, _ := json.Marshal(sent()[len(sent())-1]["messages"])
			if told := strings.Contains(string(last), "JSON Schema"); told != (c.mode != "json_schema") {
				t.Errorf("schema told in the prompt: %v", told)
			}
			id, err := m.Identify(t.Context())
			if err != nil || id.Details["structured_output"] != c.mode {
				t.Errorf("%v, %v", id.Details, err)
			}
			if len(req.Messages[0].Text) != len("Hi") {
				t.Error("the caller's messages were changed")
			}
		})
	}
}

// A schema that the server cannot compile is the schema's fault: the server can bind replies.
func TestBadSchemaIsNoFallback(t *testing.T) {
	url, sent := serve(t, func(_ string, body map[string]any) (int, string) {
		if b, _ := json.Marshal(body["response_format"]); strings.Contains(string(b), "banana") {
			return 400, `{"error":{"code":400,"message":"JSON schema error at #: unrecognized type banana"}}`
		}
		return 200, okReply
	})
	req := hello
	req.Schema = json.RawMessage(`{"type":"banana"}`)
	_, err := client(t, url, nil).Chat(t.Context(), req)
	check(t, err, assay.KindInvalid, "unrecognized type banana", "")
	if n := len(sent()); n != 2 {
		t.Errorf("%d calls, want the request and one probe", n)
	}
}

func TestTooLongInEveryDialect(t *testing.T) {
	for _, c := range []struct {
		code int
		body string
	}{
		{500, `{"error":{"code":500,"message":"input (1002 tokens) is too large to process. increase the physical batch size (current batch size: 512)","type":"server_error"}}`},
		{400, `{"error":{"code":400,"message":"request (10002 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error"}}`},
		{400, `{"object":"error","message":"This model's maximum context length is 512 tokens. However, you requested 1002 tokens."}`},
		{413, "{\"error\":\"Input validation error: `inputs` must have less than 512 tokens. Given: 1002\",\"error_type\":\"Validation\"}"},
		{422, "{\"error\":\"Input validation error: `inputs` must have less than 512 tokens. Given: 1002\",\"error_type\":\"Validation\"}"},
		{400, `{"error":{"message":"the input length exceeds the context length"}}`},
		{400, `{"error":{"message":"Please reduce the length","code":"context_length_exceeded"}}`},
	} {
		url, _ := serve(t, always(c.code, c.body))
		_, err := embedOne(t.Context(), client(t, url, nil))
		check(t, err, assay.KindTruncated, "", "")
		if !strings.Contains(assay.Hint(err), "smaller chunks") {
			t.Errorf("hint %q", assay.Hint(err))
		}
		_, err = client(t, url, nil).Chat(t.Context(), hello)
		check(t, err, assay.KindTruncated, "", "")
		if assay.Hint(err) == "" {
			t.Errorf("no hint: %v", err)
		}
	}
}

// limited embeds texts of at most 100 bytes and at most four at once.
func limited(_ string, body map[string]any) (int, string) {
	input := body["input"].([]any)
	if len(input) > 4 {
		return 422, `{"error":"batch size 8 > maximum allowed batch size 4","error_type":"Validation"}`
	}
	var data []string
	for i, x := range input {
		if len(x.(string)) > 100 {
			return 413, "{\"error\":\"`inputs` must have less than 100 tokens\"}"
		}
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%d,1]}`, i, len(x.(string))))
	}
	return 200, `{"data":[` + strings.Join(data, ",") + `]}`
}

func TestBatchLimitIsLearned(t *testing.T) {
	url, sent := serve(t, limited)
	m := client(t, url, nil)
	texts := make([]string, 32)
	for i := range texts {
		texts[i] = strings.Repeat("x", i+1)
	}
	for range 2 {
		r, err := m.Embed(t.Context(), assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range r.Vectors {
			if v[0] != float32(i+1) {
				t.Errorf("text %d has vector %v", i, v)
			}
		}
	}
	// 32, 16, 16, 8 ×4, 4 ×8; then 4 ×8.
	if n := len(sent()); n != 15+8 {
		t.Errorf("%d calls, want 23", n)
	}
}

func TestTruncationIsMarked(t *testing.T) {
	url, _ := serve(t, limited)
	texts := []string{"a", strings.Repeat("é", 100), "b"}
	_, err := client(t, url, nil).Embed(t.Context(), assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
	var p *llm.PartialError
	if !errors.As(err, &p) || len(p.Failed) != 1 || p.Failed[0].Index != 1 || assay.KindOf(err) != assay.KindTruncated {
		t.Fatalf("want text 1 alone to fail: %v", err)
	}
	m := client(t, url, func(o *openai.Options) { o.Truncate = true })
	r, err := m.Embed(t.Context(), assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{1}, r.Truncated); diff != "" || r.Vectors[1][0] > 100 || r.Vectors[1][0] < 70 {
		t.Errorf("%v, truncated %v", r.Vectors[1], r.Truncated)
	}
}

func TestIdentify(t *testing.T) {
	for name, c := range map[string]struct {
		replies map[string]string
		want    assay.Identity
	}{
		"llama.cpp": {map[string]string{
			"/v1/models": `{"data":[{"id":"m","owned_by":"llamacpp","meta":{"n_params":268098176,"size":246587904}}]}`,
			"/props":     `{"model_path":"/data/gemma.gguf","model_ftype":"Q4_K - Medium","build_info":"b6123","default_generation_settings":{"n_ctx":4096}}`,
		}, assay.Identity{Server: "llama.cpp b6123", Details: map[string]string{"owned_by": "llamacpp", "n_params": "268098176", "size": "246587904",
			"file": "gemma.gguf", "quantization": "Q4_K - Medium", "n_ctx": "4096"}}},
		"text-embeddings-inference": {map[string]string{
			"/info": `{"model_id":"BAAI/bge-m3","model_sha":"5617a9f","model_dtype":"float16","max_input_length":8192,"auto_truncate":true,"version":"1.9.0"}`,
		}, assay.Identity{Server: "text-embeddings-inference 1.9.0", Digest: "git:5617a9f", Details: map[string]string{"root": "BAAI/bge-m3", "dtype": "float16",
			"max_input_length": "8192", "auto_truncate": "true"}}},
		"vLLM": {map[string]string{
			"/v1/models": `{"data":[{"id":"other"},{"id":"m","owned_by":"vllm","root":"Qwen/Qwen3-8B","max_model_len":32768}]}`,
			"/version":   `{"version":"0.11.0"}`,
		}, assay.Identity{Server: "vllm 0.11.0", Details: map[string]string{"owned_by": "vllm", "root": "Qwen/Qwen3-8B", "max_model_len": "32768", "endpoint": "URL/v1"}}},
		"says nothing": {nil, assay.Identity{Details: map[string]string{"endpoint": "URL/v1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := serve(t, func(path string, _ map[string]any) (int, string) {
				if r, ok := c.replies[path]; ok {
					return 200, r
				}
				return 404, "not found"
			})
			got, err := client(t, url, nil).Identify(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if e := got.Details["endpoint"]; e != "" {
				got.Details["endpoint"] = strings.ReplaceAll(e, url, "URL")
			}
			c.want.Provider, c.want.Model = "openai", "m"
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestKeyStaysSecret(t *testing.T) {
	const key = "sk-very-secret-1234"
	url, _ := serve(t, always(401, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`))
	m := client(t, url, func(o *openai.Options) { o.Server.APIKey = secret.New(key) })
	_, err := m.Chat(t.Context(), hello)
	id, _ := m.Identify(t.Context())
	if all := fmt.Sprintf("%v %+v %#v %+v", err, err, m, id); assay.KindOf(err) != assay.KindRefused || strings.Contains(all, key) {
		t.Errorf("kind %q, leaked: %v", assay.KindOf(err), strings.Contains(all, key))
	}
	var e *assay.Error
	if errors.As(err, &e); strings.Contains(e.Raw, key) {
		t.Errorf("leaked in the raw reply: %s", e.Raw)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []openai.Options{{}, {Model: "m"}} {
		if _, err := openai.New(o); !errors.Is(err, assay.ErrUsage) || assay.Hint(err) == "" {
			t.Errorf("%+v: %v", o, err)
		}
	}
	url, _ := serve(t, always(404, "404 page not found"))
	m := client(t, url, func(o *openai.Options) { o.Server.BaseURL = url })
	_, err := m.Chat(t.Context(), hello)
	check(t, err, assay.KindNotFound, "", "")
	if want := "try " + url + "/v1"; !strings.Contains(assay.Hint(err), want) {
		t.Errorf("hint %q, want %q in it", assay.Hint(err), want)
	}
}
