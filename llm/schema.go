package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/assay-eval/assay"
)

// TellSchema writes the schema of a request into its prompt as well. Constrained decoding forces the
// form but tells the model nothing of it: a model that does not know that a quote is wanted fills the
// field with anything. Put it outside the cache.
func TellSchema(c assay.Chat) assay.Chat { return &schemaTeller{c} }

type schemaTeller struct{ inner assay.Chat }

func (s *schemaTeller) Chat(ctx context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	if len(req.Schema) > 0 {
		req.Messages = WithSchema(req.Messages, req.Schema)
	}
	return s.inner.Chat(ctx, req)
}

func (s *schemaTeller) Unwrap() any { return s.inner }

// WithSchema is messages with the schema told at the end of the last one; messages stays as it is.
func WithSchema(messages []assay.Message, schema json.RawMessage) []assay.Message {
	var compact bytes.Buffer
	if err := json.Compact(&compact, schema); err != nil {
		compact.Reset()
		compact.Write(schema)
	}
	told := "Answer with one JSON object and nothing else. It must satisfy this JSON Schema:\n" + compact.String()
	out := slices.Clone(messages)
	if n := len(out); n > 0 {
		out[n-1].Text += "\n\n" + told
		return out
	}
	return []assay.Message{{Role: "user", Text: told}}
}
