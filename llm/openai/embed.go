package openai

import (
	"context"
	"encoding/json"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/internal/split"
	"github.com/assay-eval/assay/llm/internal/tokens"
	"github.com/assay-eval/assay/llm/internal/wire"
)

const embedPath = "/embeddings"

type embedReply struct {
	Error json.RawMessage `json:"error"`
	Data  []struct {
		Index     *int        `json:"index"`
		Embedding rest.Vector `json:"embedding"`
	} `json:"data"`
	Usage struct {
		PromptTokens int `json:"prompt_tokens"`
	} `json:"usage"`
}

// Embed sends the texts in batches and halves a batch that the server refuses, down to the texts at
// fault; when some are left without a vector the error is an *llm.PartialError. A text that is too long is
// of KindTruncated, or with Options.Truncate embedded by its start and marked.
func (c *Client) Embed(ctx context.Context, req assay.EmbedRequest) (assay.EmbedReply, error) {
	return split.Embed(ctx, c.split, req.Texts, c.embedBatch)
}

func (c *Client) embedBatch(ctx context.Context, texts []string) ([]split.Embedding, error) {
	out, err := c.embedOnce(ctx, texts)
	if len(texts) != 1 || assay.KindOf(err) != assay.KindTruncated {
		return out, err
	}
	if !c.opts.Truncate {
		return nil, assay.WithHint(err, "cut the corpus into smaller chunks, or set truncate: true to embed only the start of such texts")
	}
	return c.embedStart(ctx, texts[0], err)
}

// embedStart sends ever shorter starts of a text until the server takes one. The API has no field for it
// that all servers know, and a server that cuts by itself does not say where.
func (c *Client) embedStart(ctx context.Context, text string, err error) ([]split.Embedding, error) {
	const keep, shortest = 0.85, 32 // share kept each time; bytes below which length is not the trouble
	for len(text) > shortest && assay.KindOf(err) == assay.KindTruncated {
		cut := int(float64(len(text)) * keep)
		for cut > 0 && text[cut]&0xC0 == 0x80 { // not inside a rune
			cut--
		}
		text = text[:cut]
		var out []split.Embedding
		if out, err = c.embedOnce(ctx, []string{text}); err == nil {
			out[0].Truncated = true
			return out, nil
		}
	}
	return nil, err
}

func (c *Client) embedOnce(ctx context.Context, texts []string) ([]split.Embedding, error) {
	body := map[string]any{"model": c.opts.Model, "input": texts, "encoding_format": "float"}
	if c.opts.Dimensions > 0 {
		body["dimensions"] = c.opts.Dimensions
	}
	var r embedReply
	if err := c.post(ctx, "embed", embedPath, body, &r); err != nil {
		return nil, err
	}
	if err := c.check("embed", embedPath, r.Error); err != nil {
		return nil, err
	}
	indices := make([]*int, len(r.Data))
	for i, d := range r.Data {
		indices[i] = d.Index
	}
	place, err := wire.Order(indices, len(texts), true)
	if err != nil {
		return nil, c.rest.Wrong("embed", embedPath, nil, "the vectors cannot be matched to the texts: %w", err)
	}
	low := 0
	for _, t := range texts {
		low += tokens.Of(t).Low
	}
	if n := r.Usage.PromptTokens; n > 0 && n < low {
		cut := c.rest.Wrong("embed", embedPath, nil, "the server read %d tokens of a text that has at least %d: it was cut without a word", n, low)
		cut.Kind, cut.Call = assay.KindTruncated, true
		return nil, cut
	}
	out := make([]split.Embedding, len(texts))
	for i, d := range r.Data {
		if err := c.dim.Check(d.Embedding); err != nil {
			return nil, c.rest.Wrong("embed", embedPath, nil, "text %d of %d: %w", place[i]+1, len(texts), err)
		}
		out[place[i]].Vector = d.Embedding
	}
	out[0].Tokens = r.Usage.PromptTokens
	return out, nil
}
