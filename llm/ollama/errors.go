package ollama

import (
	"errors"

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
	case kind == assay.KindNotFound && wire.Says(err, "not found"):
		if wire.Says(err, "model ") {
			return assay.WithHint(err, "ollama pull %s", c.opts.Model)
		}
		return assay.WithHint(err, "no Ollama server seems to answer at %s; its url has no path, as in %s", c.rest.BaseURL(), DefaultURL)
	case wire.Says(err, "does not support embeddings"):
		return assay.WithHint(wire.WithKind(err, assay.KindInvalid), "%s is no embedding model; try `ollama pull nomic-embed-text`", c.opts.Model)
	case wire.Says(err, "does not support chat", "does not support generate"):
		return assay.WithHint(wire.WithKind(err, assay.KindInvalid), "%s writes no text; name a chat model", c.opts.Model)
	case wire.Says(err, "does not support thinking"):
		return assay.WithHint(wire.WithKind(err, assay.KindInvalid), "leave think out for %s", c.opts.Model)
	case kind == assay.KindUnavailable && wire.Says(err, "connection refused"):
		return assay.WithHint(err, "start it with `ollama serve`, or correct the url (now %s)", c.rest.BaseURL())
	}
	return err
}

// embedded is the error that Ollama can put into a reply of status 200.
type embedded struct {
	Error string `json:"error"`
}

// check turns it into an error.
func (c *Client) check(op, path string, e embedded) error {
	if e.Error == "" {
		return nil
	}
	wrong := c.rest.Wrong(op, path, []byte(e.Error), "the server reports: %.300s", e.Error)
	wrong.Kind = assay.KindInternal
	return c.explain(wrong)
}

// tooLong makes the error of a prompt or text that the model cannot take whole.
func (c *Client) tooLong(op, path, format string, args ...any) error {
	err := c.rest.Wrong(op, path, nil, format, args...)
	err.Kind, err.Call = assay.KindTruncated, true
	return err
}

// overflow reports whether an error is about the context window.
func overflow(err error) bool {
	var e *assay.Error
	return errors.As(err, &e) && e.Kind == assay.KindTruncated
}
