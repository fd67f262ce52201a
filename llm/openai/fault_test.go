package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/assay-eval/assay/llm/openai"
)

func client(t testing.TB, url string, change func(*openai.Options)) *openai.Client {
	t.Helper()
	o := openai.Options{Model: "m", Server: rest.Config{BaseURL: url + "/v1", MaxBody: llmtest.MaxBody}}
	if change != nil {
		change(&o)
	}
	c, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func embedOne(ctx context.Context, c *openai.Client) (assay.EmbedReply, error) {
	return c.Embed(ctx, assay.EmbedRequest{Texts: []string{"x"}, Role: assay.RoleQuery})
}

var hello = assay.ChatRequest{Messages: []assay.Message{{Role: "user", Text: "Hi"}}}

func TestEmbedFaults(t *testing.T) {
	llmtest.Faults(t, "/v1/embeddings", http.NotFoundHandler(), func(ctx context.Context, url string) error {
		_, err := embedOne(ctx, client(t, url, nil))
		return err
	})
}

func TestChatFaults(t *testing.T) {
	llmtest.Faults(t, "/v1/chat/completions", http.NotFoundHandler(), func(ctx context.Context, url string) error {
		_, err := client(t, url, nil).Chat(ctx, hello)
		return err
	})
}

// C6: a null is no zero.
func TestBadVectors(t *testing.T) {
	for name, vector := range map[string]string{
		"nulls": "[null,null]", "null among them": "[0.5,null]", "null vector": "null", "NaN as text": `["NaN",1]`, "beyond float32": "[1e300,1]",
		"zeros": "[0,0]", "no components": "[]", "one a token, pooling none": "[[1,2],[3,4]]", "base64": `"AACAPwAAAEA="`,
	} {
		t.Run(name, func(t *testing.T) {
			server := llmtest.Replying(t, "/v1/embeddings", `{"data":[{"index":0,"embedding":`+vector+`}]}`, nil)
			r, err := embedOne(t.Context(), client(t, server.URL, nil))
			if assay.KindOf(err) != assay.KindMalformed || r.Vectors != nil {
				t.Errorf("%v, %v; want no vectors and KindMalformed", r.Vectors, err)
			}
		})
	}
}

// Three texts are sent; the reply has the items of which only the index is given, n for none, each with a
// vector of its place in the reply.
// C7 at the client.
func TestOrderOfABatch(t *testing.T) {
	for indices, want := range map[string][]float32{
		"2 0 1":     {2, 3, 1},
		"0 1 2":     {1, 2, 3},
		"n n n":     {1, 2, 3},
		"0 1":       nil,
		"0 1 2 3":   nil,
		"0 0 1":     nil,
		"1 2 3":     nil,
		"0 -1 1":    nil,
		"0 n 1":     nil,
		"n n":       nil,
		"0 0 0":     nil,
		"0.5 1 2":   nil,
		`"a" "b" 0`: nil,
	} {
		t.Run(indices, func(t *testing.T) {
			var items []string
			for i, index := range strings.Fields(indices) {
				item := fmt.Sprintf(`{"embedding":[%d,1]`, i+1)
				if index != "n" {
					item += `,"index":` + index
				}
				items = append(items, item+"}")
			}
			server := llmtest.Replying(t, "/v1/embeddings", `{"data":[`+strings.Join(items, ",")+`]}`, nil)
			r, err := client(t, server.URL, nil).Embed(t.Context(), assay.EmbedRequest{Texts: []string{"a", "b", "c"}, Role: assay.RoleDocument})
			var got []float32
			for _, v := range r.Vectors {
				got = append(got, v[0])
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s%v", diff, err)
			}
			if want == nil && assay.KindOf(err) != assay.KindMalformed {
				t.Errorf("kind %q: %v", assay.KindOf(err), err)
			}
		})
	}
}
