package rerank_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/assay-eval/assay/llm/rerank"
)

const path = "/v1/rerank"

func client(t *testing.T, url string, change func(*rerank.Options)) *rerank.Client {
	t.Helper()
	o := rerank.Options{Model: "m", Server: rest.Config{BaseURL: url + path, MaxBody: llmtest.MaxBody}}
	if change != nil {
		change(&o)
	}
	c, err := rerank.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFaults(t *testing.T) {
	llmtest.Faults(t, path, http.NotFoundHandler(), func(ctx context.Context, url string) error {
		_, err := client(t, url, nil).Rerank(ctx, "q", []string{"x"})
		return err
	})
}

// The reply forms in use; three texts each, and what their scores are.
func TestReplyForms(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []float64 // nil: refused
	}{
		"Cohere, Jina, vLLM, llama.cpp, sorted": {`{"results":[{"index":1,"relevance_score":0.9,"document":{"text":"b"}},{"index":0,"relevance_score":0.2},{"index":2,"relevance_score":0.1}]}`, []float64{0.2, 0.9, 0.1}},
		"input order, logits":                   {`{"model":"m","object":"list","usage":{},"results":[{"index":0,"relevance_score":-4.5},{"index":1,"relevance_score":6.8},{"index":2,"relevance_score":0}]}`, []float64{-4.5, 6.8, 0}},
		"text-embeddings-inference":             {`[{"index":2,"score":0.7,"text":"c"},{"index":0,"score":0.2},{"index":1,"score":1e-20}]`, []float64{0.2, 1e-20, 0.7}},
		"Infinity 2":                            {`{"data":[{"index":2,"relevance_score":0.7},{"index":0,"relevance_score":0.2},{"index":1,"relevance_score":0.1}]}`, []float64{0.2, 0.1, 0.7}},
		"vLLM /score":                           {`{"data":[{"index":0,"object":"score","score":0.1},{"index":1,"score":0.2},{"index":2,"score":0.3}]}`, []float64{0.1, 0.2, 0.3}},
		"cut to two":                            {`{"results":[{"index":1,"relevance_score":0.9},{"index":0,"relevance_score":0.2}]}`, nil},
		"index twice":                           {`{"results":[{"index":0,"relevance_score":0.9},{"index":0,"relevance_score":0.2},{"index":1,"relevance_score":0.1}]}`, nil},
		"index too large":                       {`{"results":[{"index":1,"relevance_score":0.9},{"index":2,"relevance_score":0.2},{"index":3,"relevance_score":0.1}]}`, nil},
		"negative index":                        {`{"results":[{"index":-1,"relevance_score":0.9},{"index":0,"relevance_score":0.2},{"index":1,"relevance_score":0.1}]}`, nil},
		"no index":                              {`[{"score":0.1},{"score":0.2},{"score":0.3}]`, nil},
		"no score":                              {`[{"index":0},{"index":1,"score":0.2},{"index":2,"score":0.3}]`, nil},
		"null score":                            {`[{"index":0,"score":null},{"index":1,"score":0.2},{"index":2,"score":0.3}]`, nil},
		"NaN as text":                           {`[{"index":0,"score":"NaN"},{"index":1,"score":0.2},{"index":2,"score":0.3}]`, nil},
		"beyond float64":                        {`[{"index":0,"score":1e999},{"index":1,"score":0.2},{"index":2,"score":0.3}]`, nil},
		"bare numbers":                          {`[0.1,0.2,0.3]`, nil},
		"one number":                            {`{"results":7}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			server := llmtest.Replying(t, path, c.body, nil)
			got, err := client(t, server.URL, nil).Rerank(t.Context(), "q", []string{"a", "b", "c"})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s%v", diff, err)
			}
			if c.want == nil && assay.KindOf(err) != assay.KindMalformed {
				t.Errorf("kind %q: %v", assay.KindOf(err), err)
			}
		})
	}
}

// overlap is a small reranker of the kind a test can compute: the share of query words in a text. It
// speaks the texts form, takes four texts at once, and refuses those longer than 100 bytes.
type overlap struct {
	*httptest.Server
	mu   sync.Mutex
	sent []map[string]any
}

func newOverlap(t *testing.T, textsOnly bool) *overlap {
	t.Helper()
	o := &overlap{}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		var body struct {
			Query            string
			Texts, Documents []string
		}
		var raw map[string]any
		if err := errors.Join(json.Unmarshal(data, &body), json.Unmarshal(data, &raw)); err != nil {
			t.Error(err)
		}
		o.mu.Lock()
		o.sent = append(o.sent, raw)
		o.mu.Unlock()
		texts := body.Documents
		if textsOnly {
			if texts = body.Texts; texts == nil {
				http.Error(w, "Failed to deserialize the JSON body into the target type: missing field `texts` at line 1 column 52", 422)
				return
			}
		}
		if len(texts) > 4 {
			http.Error(w, `{"error":"batch size 8 > maximum allowed batch size 4"}`, 422)
			return
		}
		var items []string
		for i := len(texts) - 1; i >= 0; i-- {
			if len(texts[i]) > 100 {
				http.Error(w, "{\"error\":\"`inputs` must have less than 512 tokens. Given: 700\"}", 413)
				return
			}
			n := 0
			for _, word := range strings.Fields(body.Query) {
				if strings.Contains(strings.ToLower(texts[i]), strings.ToLower(strings.Trim(word, "?"))) {
					n++
				}
			}
			items = append(items, fmt.Sprintf(`{"index":%d,"score":%d}`, i, n))
		}
		fmt.Fprintf(w, "[%s]", strings.Join(items, ","))
	}))
	t.Cleanup(o.Close)
	return o
}

func TestContract(t *testing.T) {
	for _, textsOnly := range []bool{false, true} {
		llmtest.Reranker(t, client(t, newOverlap(t, textsOnly).URL, nil))
	}
}

func TestFormIsLearned(t *testing.T) {
	s := newOverlap(t, true)
	m := client(t, s.URL, func(o *rerank.Options) { o.Extra = map[string]any{"raw_scores": true} })
	for range 2 {
		if _, err := m.Rerank(t.Context(), "q", []string{"a", "b"}); err != nil {
			t.Fatal(err)
		}
	}
	want := []map[string]any{
		{"query": "q", "documents": []any{"a", "b"}, "top_n": 2.0, "model": "m", "raw_scores": true},
		{"query": "q", "texts": []any{"a", "b"}, "truncate": false, "raw_scores": true},
		{"query": "q", "texts": []any{"a", "b"}, "truncate": false, "raw_scores": true},
	}
	if diff := cmp.Diff(want, s.sent); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBatches(t *testing.T) {
	s := newOverlap(t, false)
	m := client(t, s.URL, nil)
	texts := make([]string, 30)
	want := make([]float64, 30)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %d", i)
		if i%3 == 0 {
			texts[i], want[i] = "the word", 1
		}
	}
	got, err := m.Rerank(t.Context(), "word", texts)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	texts[17] = strings.Repeat("long ", 30)
	_, err = m.Rerank(t.Context(), "word", texts)
	if assay.KindOf(err) != assay.KindTruncated || !strings.Contains(err.Error(), "text 18 of 30") || assay.Hint(err) == "" {
		t.Errorf("%v; hint %q", err, assay.Hint(err))
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		code int
		body string
		kind assay.Kind
		hint string
	}{
		{501, `{"error":{"code":501,"message":"This server does not support reranking. Start it with ` + "`--reranking`" + `"}}`, assay.KindInvalid, "--reranking"},
		{404, "404 page not found", assay.KindNotFound, "endpoint itself"},
		{500, `{"error":{"message":"input (700 tokens) is too large to process. increase the physical batch size"}}`, assay.KindTruncated, "smaller chunks"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, c.body, c.code) }))
		defer server.Close()
		_, err := client(t, server.URL, nil).Rerank(t.Context(), "q", []string{"x"})
		if assay.KindOf(err) != c.kind || !strings.Contains(assay.Hint(err), c.hint) {
			t.Errorf("%v; hint %q", err, assay.Hint(err))
		}
	}
	for _, o := range []rerank.Options{{}, {Form: "lists", Server: rest.Config{BaseURL: "http://x"}}} {
		if _, err := rerank.New(o); !errors.Is(err, assay.ErrUsage) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	id, err := client(t, "http://x", func(o *rerank.Options) { o.Truncate = true }).Identify(t.Context())
	if err != nil || id.Model != "m" || id.Details["endpoint"] != "http://x/v1/rerank" || id.Details["truncate"] != "true" {
		t.Errorf("%+v, %v", id, err)
	}
}

func TestScoresAreNotTouched(t *testing.T) {
	server := llmtest.Replying(t, path, `[{"index":0,"score":-11.25}]`, nil)
	got, err := client(t, server.URL, nil).Rerank(t.Context(), "q", []string{"x"})
	if err != nil || got[0] != -11.25 || math.Signbit(got[0]) != true {
		t.Errorf("%v, %v", got, err)
	}
}
