package llm

import (
	"context"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/strictjson"
	"github.com/assay-eval/assay/llm/internal/reply"
)

// JSON asks for a reply that is bound to req.Schema and reads it into a T. The whole reply must be one
// JSON object: text around it, a second object, a key twice, a key that T does not have and a key of T
// that is missing or null (unless it has omitempty or is a pointer) make it KindMalformed, with the reply
// in Raw. The ChatReply is returned in that case too.
func JSON[T any](ctx context.Context, c assay.Chat, req assay.ChatRequest) (T, assay.ChatReply, error) {
	var zero T
	if len(req.Schema) == 0 {
		return zero, assay.ChatReply{}, assay.Errorf(assay.KindInvalid, "chat", "", "a JSON reply was asked for without a schema")
	}
	r, err := c.Chat(ctx, req)
	if err != nil {
		return zero, r, err
	}
	v, err := ParseJSON[T](r.Text)
	return v, r, err
}

// ParseJSON reads the text of a reply as JSON does.
func ParseJSON[T any](text string) (T, error) {
	if strings.TrimSpace(text) == "" {
		var zero T
		return zero, assay.Errorf(assay.KindEmpty, "chat", "", "the reply is empty where JSON was asked for")
	}
	v, err := strictjson.Parse[T](text)
	if err != nil {
		e := assay.Errorf(assay.KindMalformed, "chat", "", "the reply is not the JSON that was asked for: %w", err)
		e.Raw = reply.Head(text)
		return v, e
	}
	return v, nil
}
