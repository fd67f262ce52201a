// Package openai speaks the API that OpenAI defined and many servers took over: llama.cpp, vLLM, LM Studio,
// text-embeddings-inference, Infinity and more.
//
// It is opinionated that compatible is a claim to be checked. The servers differ in what they do with an
// input that is too long (refuse it with 400, 413, 422 or 500, or cut it in silence), in the order of a
// batch, in whether they can bind a reply to a schema, and in where they put a model's reasoning. Each
// reply is checked for what the contract of assay.Embedder and assay.Chat promises, whatever the server.
//
// Seen working against a real llama.cpp server in the tests; the particulars of the others follow their
// documentation and issue trackers and are tried here on replies made up after those.
package openai

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/internal/split"
	"github.com/assay-eval/assay/llm/internal/wire"
)

// Options says which model to use and how. Server.BaseURL and Model are needed.
type Options struct {
	Server rest.Config // BaseURL ends where the paths of the API begin, most often in /v1
	Model  string

	Extra map[string]any // further fields of each request, such as top_k or chat_template_kwargs

	MaxTokens int // cap on a reply when the request has none; 0 means 1024

	Batch      int  // texts a call; 0 means 32
	Truncate   bool // embed the start of a text that is too long, and mark it, instead of failing
	Dimensions int  // cut vectors to this length, for models trained for that; 0 leaves them whole
}

// Client is one model on one server. It implements assay.Embedder, assay.Chat and assay.Identifier, is
// safe for concurrent use, and does not retry.
type Client struct {
	opts  Options
	rest  *rest.Client // at BaseURL
	root  *rest.Client // at the same address without /v1
	split *split.Splitter
	dim   wire.Dimension

	mu   sync.Mutex
	mode structured // how replies are bound to a schema
}

// The bounds of an embedding call: text-embeddings-inference takes 32 texts and 2 MB.
const (
	defaultBatch = 32
	batchBytes   = 1 << 20
)

// New makes a Client. It does not dial.
func New(o Options) (*Client, error) {
	if strings.TrimSpace(o.Model) == "" {
		return nil, assay.WithHint(assay.Usagef("openai: no model is named"), "the server lists its models at /v1/models")
	}
	if o.Server.BaseURL == "" {
		return nil, assay.WithHint(assay.Usagef("openai: model %s has no url", o.Model), "write it with its path, like http://localhost:8000/v1")
	}
	if o.Batch <= 0 {
		o.Batch = defaultBatch
	}
	client, err := rest.New(o.Server)
	if err != nil {
		return nil, err
	}
	at := o.Server
	at.BaseURL = strings.TrimSuffix(strings.TrimRight(at.BaseURL, "/"), "/v1")
	root, err := rest.New(at)
	if err != nil {
		return nil, err
	}
	return &Client{opts: o, rest: client, root: root, split: split.New(o.Batch, batchBytes)}, nil
}

// post makes one call and explains its errors.
func (c *Client) post(ctx context.Context, op, path string, body map[string]any, out any) error {
	full := maps.Clone(c.opts.Extra)
	if full == nil {
		full = map[string]any{}
	}
	maps.Copy(full, body)
	return c.explain(c.rest.Call(ctx, rest.Request{Op: op, Method: http.MethodPost, Path: path, Body: full}, out))
}
