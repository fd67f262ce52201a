package openai

import (
	"encoding/json"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm/internal/wire"
)

// explain gives the server's errors their kind and what to do about them.
func (c *Client) explain(err error) error {
	switch kind := assay.KindOf(err); {
	case err == nil:
		return nil
	case wire.TooLong(err):
		return wire.WithKind(err, assay.KindTruncated)
	case wire.Says(err, "does not support embeddings", "not support embedding"):
		return assay.WithHint(wire.WithKind(err, assay.KindInvalid), "start the server for embeddings (llama.cpp: --embeddings), or name an embedding model")
	case wire.Says(err, "does not support logits", "does not support chat", "is not a chat model"):
		return assay.WithHint(wire.WithKind(err, assay.KindInvalid), "%s at %s writes no text; name a chat model", c.opts.Model, c.rest.BaseURL())
	case kind == assay.KindNotFound && wire.Says(err, "model"):
		return assay.WithHint(err, "the server lists its models at %s/models", strings.TrimRight(c.rest.BaseURL(), "/"))
	case kind == assay.KindNotFound && !strings.HasSuffix(strings.TrimRight(c.rest.BaseURL(), "/"), "/v1"):
		return assay.WithHint(err, "the url of most servers ends in /v1; try %s/v1", strings.TrimRight(c.rest.BaseURL(), "/"))
	}
	return err
}

// check turns an error inside a reply of status 200 into one.
func (c *Client) check(op, path string, raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var e struct {
		Message string `json:"message"`
	}
	message := string(raw)
	if json.Unmarshal(raw, &e) == nil && e.Message != "" {
		message = e.Message
	}
	wrong := c.rest.Wrong(op, path, raw, "the server reports: %.300s", message)
	wrong.Kind = assay.KindInternal
	return c.explain(wrong)
}
