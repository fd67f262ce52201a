package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/vector"
)

var batching = Check{
	Name: "batching",
	Asks: "does a text have the same vector in a batch as alone?",
	Effect: "chunks were embedded in batches and queries go alone, so equal texts lie apart: the nearest chunk is found " +
		"less often than the model can, and differently after each re-ingest",
	Of: "embedding models",
	run: func(ctx context.Context, x *exam) error {
		return x.models(ctx, Embeds, x.batching)
	},
}

// batchOf is the number of texts of the probe: few enough to be one call of every client.
const batchOf = 8

// The cosines between a text's vectors alone and in a batch: above the first they agree but for rounding,
// below the second the batch is broken.
const (
	batchAgrees = 0.9999
	batchBroken = 0.99
)

func (x *exam) batching(ctx context.Context, m *Model) Finding {
	texts := x.batch(ctx, m)
	if len(texts) < 2 {
		return unchecked(errors.New("there are no two texts to embed"))
	}
	alone := make([][]float32, len(texts))
	for i, t := range texts {
		e, err := x.embed(ctx, m, t)
		if err != nil {
			return unchecked(err)
		}
		alone[i] = e.vector
	}
	r, err := m.Embedder.Embed(ctx, assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
	if err != nil {
		return Finding{Status: Fault, Cause: "batch_fails", Found: fmt.Sprintf("%d texts that embed alone fail together: %s", len(texts), firstLine(err)),
			Effect: "nothing can be embedded in reasonable time", Fix: fmt.Sprintf("batch: 1 (in models.%s)", m.Name)}
	}
	if len(r.Vectors) != len(texts) {
		return unchecked(fmt.Errorf("%d vectors for %d texts", len(r.Vectors), len(texts)))
	}
	return m.compareBatch(alone, r.Vectors)
}

func (m *Model) compareBatch(alone, together [][]float32) Finding {
	lowest, moved := 1.0, 0
	for i, v := range together {
		lowest = min(lowest, vector.Cosine(alone[i], v))
		for j := range alone {
			if j != i && vector.Cosine(alone[j], v) > vector.Cosine(alone[i], v)+1e-6 {
				moved++
				break
			}
		}
	}
	f := Finding{Status: OK, Figures: map[string]float64{"texts": float64(len(alone)), "lowest_cosine": lowest, "moved": float64(moved)},
		Found: fmt.Sprintf("%d texts have the same vectors alone and together (cosine %.5f or more)", len(alone), lowest)}
	switch {
	case moved > 0:
		f.Status, f.Cause = Fault, "order"
		f.Found = fmt.Sprintf("%d of %d vectors of a batch are those of another text in it: the server gives them in another order", moved, len(alone))
		f.Effect = "chunks have the vectors of their neighbours: what is found is near by chance"
		f.Fix = fmt.Sprintf("update the server of %s, set batch: 1 (in models.%s), and embed all chunks again one by one", m.Served, m.Name)
	case lowest < batchBroken:
		f.Status, f.Cause = Fault, "batch"
		f.Found = fmt.Sprintf("the same text has another vector in a batch of %d than alone: cosine down to %.4f", len(alone), lowest)
		f.Fix = fmt.Sprintf("update the server of %s, or run it with one slot (llama.cpp: -np 1) and batch: 1 (in models.%s), and embed all chunks again", m.Served, m.Name)
	case lowest < batchAgrees:
		f.Status, f.Cause = Warning, "batch"
		f.Found = fmt.Sprintf("a text's vector in a batch of %d is not quite that of the text alone: cosine down to %.5f", len(alone), lowest)
		f.Effect = "the order of chunks that are close together depends on what they were embedded with"
		f.Fix = fmt.Sprintf("batch: 1 (in models.%s) makes runs repeatable, at the price of time", m.Name)
	}
	return f
}

// batch picks texts of different lengths: the person's own where the model's systems can list theirs.
func (x *exam) batch(ctx context.Context, m *Model) []string {
	var out []string
	if s := x.uses(m); s != nil {
		if l, err := x.list(ctx, s); err == nil {
			for _, c := range l.sample(batchOf, x.opts.Seed) {
				out = append(out, m.Document+c.Text)
			}
		}
	}
	if len(out) < batchOf {
		out = append(out, lengthProbes...)
	}
	return out
}

// uses finds a system that uses a model and whose chunks can be read; nil when none does.
func (x *exam) uses(m *Model) *System {
	for _, s := range x.setup.Systems {
		if (s.Embed == m || s.Rerank == m) && !x.down[s.subject()] {
			return s
		}
	}
	return nil
}
