package split

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// Embedding is one text's part of an embedding server's reply.
type Embedding struct {
	Vector    []float32
	Tokens    int // of the whole batch, at its first text
	Truncated bool
}

// Embed sends texts in batches, halves a batch that the server refuses down to the texts at fault, and
// puts the answers together. When some texts are left without a vector the error is an *llm.PartialError.
func Embed(ctx context.Context, s *Splitter, texts []string, send func(context.Context, []string) ([]Embedding, error)) (assay.EmbedReply, error) {
	results, failed, err := Do(ctx, s, texts, llm.TextAtFault, send)
	if err != nil {
		return assay.EmbedReply{}, err
	}
	reply := assay.EmbedReply{Vectors: make([][]float32, len(results))}
	for i, r := range results {
		reply.Vectors[i] = r.Vector
		reply.Tokens += r.Tokens
		if r.Truncated {
			reply.Truncated = append(reply.Truncated, i)
		}
	}
	return llm.Partial(reply, failed)
}
