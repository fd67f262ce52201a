// Package ollama speaks Ollama's own API: embeddings, chat, and what the server knows of a model.
//
// It is opinionated about what Ollama does in silence. Its defaults cut an input that is too long, cut a
// prompt to a context window whose size depends on the graphics card, and let a model think its whole
// allowance away. Here the window is sized by the prompt, output is always capped, thinking is off unless
// asked for, an input that does not fit is an error of KindTruncated, and the counts that the server
// returns are held against what the text must have.
//
// The OpenAI-compatible endpoints of Ollama hide most of this; use this package instead.
package ollama

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/call"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/internal/split"
	"github.com/assay-eval/assay/llm/internal/wire"
)

// DefaultURL is where a local Ollama listens.
const DefaultURL = "http://localhost:11434"

// Options says which model to use and how. Only Model is needed.
type Options struct {
	Server rest.Config // BaseURL "" means DefaultURL
	Model  string      // as `ollama list` shows it

	KeepAlive time.Duration  // how long the server keeps the model loaded; 0 is the server's default, negative for ever
	NumCtx    int            // fixed context window in tokens; 0 sizes it by the prompt
	Extra     map[string]any // further runtime options, such as top_k or num_gpu

	MaxTokens int    // cap on a reply when the request has none; 0 means 1024
	Think     string // "off" (default), "on", or a level that the model knows: "low", "medium", "high"

	Batch      int  // texts a call; 0 means 16
	Truncate   bool // embed the start of a text that is too long, and mark it, instead of failing
	Dimensions int  // cut vectors to this length, for models trained for that; 0 leaves them whole
}

// Client is one model on one server. It implements assay.Embedder, assay.Chat and assay.Identifier, is
// safe for concurrent use, and does not retry.
type Client struct {
	opts  Options
	rest  *rest.Client
	split *split.Splitter
	dim   wire.Dimension

	chatWindow, embedWindow window

	mu   sync.Mutex
	info *info // nil until the server has been asked
}

// The bounds of an embedding call. Ollama works its texts off one after the other, so a larger batch wins
// nothing but a later answer.
const (
	defaultBatch = 16
	batchBytes   = 64 << 10
)

// New makes a Client. It does not dial.
func New(o Options) (*Client, error) {
	if strings.TrimSpace(o.Model) == "" {
		return nil, assay.WithHint(assay.Usagef("ollama: no model is named"), "`ollama list` shows the models that are there")
	}
	switch o.Think {
	case "":
		o.Think = "off"
	case "on", "off", "low", "medium", "high":
	default:
		return nil, assay.Usagef("ollama: think: %q is not one of off, on, low, medium, high", o.Think)
	}
	if o.Server.BaseURL == "" {
		o.Server.BaseURL = DefaultURL
	}
	if o.Batch <= 0 {
		o.Batch = defaultBatch
	}
	client, err := rest.New(o.Server)
	if err != nil {
		return nil, err
	}
	return &Client{opts: o, rest: client, split: split.New(o.Batch, batchBytes)}, nil
}

// call makes one call and explains its errors.
func (c *Client) call(ctx context.Context, op, method, path string, body, out any) error {
	return c.explain(c.rest.Call(ctx, rest.Request{Op: op, Method: method, Path: path, Body: body}, out))
}

func (c *Client) post(ctx context.Context, op, path string, body, out any) error {
	return c.call(ctx, op, http.MethodPost, path, body, out)
}

// coldLoad is the load time from which a call has waited for the model to be read from disk. Below it,
// the figure is the server's bookkeeping, which every caller pays on every call.
const coldLoad = 250 * time.Millisecond

// bookLoad keeps the loading of a model out of the latency of the call that happened to come first.
func bookLoad(ctx context.Context, nanoseconds int64) {
	if d := time.Duration(nanoseconds); d >= coldLoad {
		call.AddWait(ctx, d)
	}
}

// keepAlive is the duration as the API takes it.
func (c *Client) keepAlive() string {
	if c.opts.KeepAlive == 0 {
		return ""
	}
	return c.opts.KeepAlive.String()
}

// runtimeOptions are the configured extras, to which a call adds its own.
func (c *Client) runtimeOptions() map[string]any {
	o := make(map[string]any, len(c.opts.Extra)+6)
	for k, v := range c.opts.Extra {
		o[k] = v
	}
	return o
}
