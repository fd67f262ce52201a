// Package rerank speaks the rerank endpoints: the one Cohere and Jina defined, which vLLM, llama.cpp,
// Infinity, LocalAI and SGLang took over, and that of text-embeddings-inference.
//
// It is opinionated about three things. Scores are mapped by index and never by order: some servers sort,
// some do not, some cut. A score is passed on as the server gives it, a logit as a logit: a second sigmoid
// over one that was already applied squeezes all of them into a fifth of the scale. And a text without a
// score is an error, not the last place.
package rerank

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/internal/split"
	"github.com/assay-eval/assay/llm/internal/wire"
)

// Form is the way a request is written.
type Form string

// The forms. Auto starts with Documents and changes to Texts, for good, when the server asks for it.
const (
	Auto      Form = ""
	Documents Form = "documents" // {"model", "query", "documents", "top_n"}
	Texts     Form = "texts"     // {"query", "texts"}: text-embeddings-inference
)

// Options says which model to use and how. Server.BaseURL is needed.
type Options struct {
	Server rest.Config // BaseURL is the endpoint itself, like http://localhost:8012/v1/rerank
	Model  string      // may be empty for a server that has only one
	Form   Form

	Extra    map[string]any // further fields of each request, such as raw_scores
	Batch    int            // texts a call; 0 means 32, what text-embeddings-inference takes
	Truncate bool           // let the server cut texts that are too long, where the form knows a field for it
}

// Client is one reranker. It implements assay.Reranker and assay.Identifier, is safe for concurrent use,
// and does not retry.
type Client struct {
	opts  Options
	rest  *rest.Client
	split *split.Splitter

	mu   sync.Mutex
	form Form
}

const (
	defaultBatch = 32
	batchBytes   = 1 << 20
)

// New makes a Client. It does not dial.
func New(o Options) (*Client, error) {
	if o.Server.BaseURL == "" {
		return nil, assay.WithHint(assay.Usagef("rerank: model %s has no url", o.Model), "write the endpoint, like http://localhost:8012/v1/rerank")
	}
	switch o.Form {
	case Auto, Documents, Texts:
	default:
		return nil, assay.Usagef("rerank: form %q is neither documents nor texts", o.Form)
	}
	if o.Batch <= 0 {
		o.Batch = defaultBatch
	}
	client, err := rest.New(o.Server)
	if err != nil {
		return nil, err
	}
	return &Client{opts: o, rest: client, split: split.New(o.Batch, batchBytes), form: o.Form}, nil
}

// Rerank scores texts against the query, in the order of the texts. Unlike Embed it is all or nothing: the
// order of a ranking in which some texts have no score is nobody's order.
func (c *Client) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	scores, failed, err := split.Do(ctx, c.split, texts, llm.TextAtFault, func(ctx context.Context, batch []string) ([]float64, error) {
		return c.batch(ctx, query, batch)
	})
	if err != nil {
		return nil, err
	}
	if len(failed) > 0 {
		return nil, fmt.Errorf("text %d of %d: %w", failed[0].Index+1, len(texts), failed[0].Err)
	}
	return scores, nil
}

func (c *Client) batch(ctx context.Context, query string, texts []string) ([]float64, error) {
	form := c.current()
	if form != Auto {
		return c.once(ctx, query, texts, form)
	}
	scores, err := c.once(ctx, query, texts, Documents)
	switch {
	case err == nil:
		c.settle(Documents)
	case wire.Says(err, "missing field `texts`", `"texts"`, "'texts'", "field required: texts"):
		if scores, err = c.once(ctx, query, texts, Texts); err == nil {
			c.settle(Texts)
		}
	}
	return scores, err
}

func (c *Client) current() Form {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.form
}

func (c *Client) settle(f Form) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.form = f
}

// once makes one call.
func (c *Client) once(ctx context.Context, query string, texts []string, form Form) ([]float64, error) {
	body := map[string]any{}
	for k, v := range c.opts.Extra {
		body[k] = v
	}
	body["query"] = query
	if form == Texts {
		body["texts"] = texts
		body["truncate"] = c.opts.Truncate
	} else {
		body["documents"] = texts
		body["top_n"] = len(texts) // some servers cut the list when it is not said
		if c.opts.Model != "" {
			body["model"] = c.opts.Model
		}
	}
	var r reply
	err := c.rest.Call(ctx, rest.Request{Op: "rerank", Method: http.MethodPost, Body: body}, &r)
	if err != nil {
		return nil, c.explain(err)
	}
	scores, err := r.scores(len(texts))
	if err != nil {
		return nil, c.rest.Wrong("rerank", "", nil, "%w", err)
	}
	return scores, nil
}

// explain gives the server's errors their kind and what to do about them.
func (c *Client) explain(err error) error {
	switch {
	case wire.TooLong(err):
		return assay.WithHint(wire.WithKind(err, assay.KindTruncated), "cut the corpus into smaller chunks, or let the server cut them with truncate: true")
	case wire.Says(err, "does not support reranking"):
		return assay.WithHint(wire.WithKind(err, assay.KindInvalid), "start llama.cpp with --reranking and a rerank model")
	case assay.KindOf(err) == assay.KindNotFound:
		return assay.WithHint(err, "url must be the endpoint itself, like http://localhost:8012/v1/rerank; Ollama and LM Studio have none")
	}
	return err
}

// Identify names the model and the address: a rerank endpoint tells nothing of itself.
func (c *Client) Identify(context.Context) (assay.Identity, error) {
	id := assay.Identity{Provider: "rerank", Model: c.opts.Model, Details: map[string]string{"endpoint": strings.TrimRight(c.rest.BaseURL(), "/")}}
	if c.opts.Truncate {
		id.Details["truncate"] = "true"
	}
	return id, nil
}
