package doctor_test

import (
	"context"
	"slices"

	"github.com/assay-eval/assay"
)

// These stand between the doctor and a real model and spoil what it gives, as servers have been seen to.

// uneven gives vectors as long as their text, as a server without normalisation does.
type uneven struct{ assay.Embedder }

func (u uneven) Embed(ctx context.Context, r assay.EmbedRequest) (assay.EmbedReply, error) {
	reply, err := u.Embedder.Embed(ctx, r)
	for i := range reply.Vectors {
		reply.Vectors[i] = slices.Clone(reply.Vectors[i])
		for j := range reply.Vectors[i] {
			reply.Vectors[i][j] *= float32(len(r.Texts[i]))
		}
	}
	return reply, err
}

// shuffled gives the vectors of a batch in another order.
type shuffled struct{ assay.Embedder }

func (s shuffled) Embed(ctx context.Context, r assay.EmbedRequest) (assay.EmbedReply, error) {
	reply, err := s.Embedder.Embed(ctx, r)
	slices.Reverse(reply.Vectors)
	return reply, err
}

// bleeding mixes each vector of a batch with its neighbour's, by a share.
type bleeding struct {
	assay.Embedder
	share float32
}

func (b bleeding) Embed(ctx context.Context, r assay.EmbedRequest) (assay.EmbedReply, error) {
	reply, err := b.Embedder.Embed(ctx, r)
	if len(reply.Vectors) < 2 {
		return reply, err
	}
	out := make([][]float32, len(reply.Vectors))
	for i, v := range reply.Vectors {
		next := reply.Vectors[(i+1)%len(reply.Vectors)]
		out[i] = make([]float32, len(v))
		for j := range v {
			out[i][j] = (1-b.share)*v[j] + b.share*next[j]
		}
	}
	reply.Vectors = out
	return reply, err
}
