package ollama

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/internal/split"
	"github.com/assay-eval/assay/llm/internal/tokens"
)

const embedPath = "/api/embed"

type embedRequest struct {
	Model      string         `json:"model"`
	Input      []string       `json:"input"`
	Truncate   bool           `json:"truncate"`
	Dimensions int            `json:"dimensions,omitempty"`
	Options    map[string]any `json:"options,omitempty"`
	KeepAlive  string         `json:"keep_alive,omitempty"`
}

type embedReply struct {
	embedded
	Embeddings      []rest.Vector `json:"embeddings"`
	PromptEvalCount int           `json:"prompt_eval_count"`
	LoadDuration    int64         `json:"load_duration"`
}

// Embed sends the texts in batches and halves a batch that the server refuses, down to the texts at
// fault; when some are left without a vector the error is an *llm.PartialError. A text that is too long is
// of KindTruncated, or with Options.Truncate embedded by its start and marked.
func (c *Client) Embed(ctx context.Context, req assay.EmbedRequest) (assay.EmbedReply, error) {
	return split.Embed(ctx, c.split, req.Texts, c.embedBatch)
}

// embedBatch sends one batch. A single text that is too long is sent again to be cut, where that is
// allowed.
func (c *Client) embedBatch(ctx context.Context, texts []string) ([]split.Embedding, error) {
	out, err := c.embedOnce(ctx, texts, false)
	if len(texts) != 1 || !overflow(err) {
		return out, err
	}
	if !c.opts.Truncate {
		return nil, assay.WithHint(err, "cut the corpus into smaller chunks, or set truncate: true to embed only the start of such texts")
	}
	if out, err = c.embedOnce(ctx, texts, true); err == nil {
		out[0].Truncated = true
	}
	return out, err
}

func (c *Client) embedOnce(ctx context.Context, texts []string, truncate bool) ([]split.Embedding, error) {
	var sum tokens.Range
	longest := 0
	for _, t := range texts {
		r := tokens.Of(t)
		sum = sum.Add(r)
		longest = max(longest, r.High)
	}
	req := embedRequest{Model: c.opts.Model, Input: texts, Truncate: truncate, Dimensions: c.opts.Dimensions, KeepAlive: c.keepAlive()}
	var err error
	if req.Options, err = c.embedOptions(ctx, longest); err != nil {
		return nil, err
	}
	var r embedReply
	if err := c.post(ctx, "embed", embedPath, req, &r); err != nil {
		return nil, err
	}
	if err := c.check("embed", embedPath, r.embedded); err != nil {
		return nil, err
	}
	if len(r.Embeddings) != len(texts) {
		return nil, c.rest.Wrong("embed", embedPath, nil, "%d vectors for %d texts", len(r.Embeddings), len(texts))
	}
	// The server said nothing about cutting, but counted fewer tokens than the words it was given.
	if n := r.PromptEvalCount; !truncate && n > 0 && n < sum.Low {
		return nil, c.tooLong("embed", embedPath, "the server read %d tokens of a text that has at least %d: it was cut without a word", n, sum.Low)
	}
	out := make([]split.Embedding, len(texts))
	for i, v := range r.Embeddings {
		if err := c.dim.Check(v); err != nil {
			return nil, c.rest.Wrong("embed", embedPath, nil, "text %d of %d: %w", i+1, len(texts), err)
		}
		out[i].Vector = v
	}
	out[0].Tokens = r.PromptEvalCount
	bookLoad(ctx, r.LoadDuration)
	return out, nil
}

// plainWindow is the number of tokens that every Ollama takes without being told: sizing the window only
// beyond it spares the server a reload when the user's own application uses the same model.
const plainWindow = 2048

// embedOptions sizes the window for the longest text. num_batch goes with it: an embedding model reads a
// text in one batch, and Ollama caps that at 2,048 tokens whatever the window.
func (c *Client) embedOptions(ctx context.Context, longest int) (map[string]any, error) {
	o := c.runtimeOptions()
	size := c.opts.NumCtx
	if size == 0 && (longest > plainWindow || c.embedWindow.grown()) {
		i, err := c.show(ctx)
		if err != nil {
			return nil, err
		}
		if limit := i.context; limit == 0 || limit > plainWindow {
			size = c.embedWindow.fit(longest, limit)
		}
	}
	if size > 0 {
		o["num_ctx"] = size
		if _, set := o["num_batch"]; !set {
			o["num_batch"] = size
		}
	}
	return o, nil
}
