package llm

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/assay-eval/assay"
)

// Reranker puts the cache before a reranker. id is what the model identifies as.
func (c *Cache) Reranker(model assay.Reranker, id assay.Identity) assay.Reranker {
	return &cachedReranker{model, c, newModelKey(id)}
}

type cachedReranker struct {
	inner assay.Reranker
	cache *Cache
	id    modelKey
}

func (m *cachedReranker) Unwrap() any { return m.inner }

func (m *cachedReranker) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	if len(texts) == 0 {
		return m.inner.Rerank(ctx, query, texts)
	}
	var scores []float64
	_, err := m.cache.one(ctx, rerankKey(m.id, query, texts), func(value []byte) (err error) {
		scores, err = decodeScores(value, len(texts))
		return err
	}, func() ([]byte, error) {
		var err error
		if scores, err = m.inner.Rerank(ctx, query, texts); err != nil {
			return nil, err
		}
		value := encodeScores(scores)
		if _, bad := decodeScores(value, len(texts)); bad != nil {
			return nil, nil //nolint:nilerr // a reply that cannot be kept is still the reply: it is passed on
		}
		return value, nil
	})
	if err != nil {
		return nil, err
	}
	return scores, nil
}

func encodeScores(scores []float64) []byte {
	b := make([]byte, 0, 8*len(scores))
	for _, s := range scores {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s))
	}
	return b
}

func decodeScores(b []byte, n int) ([]float64, error) {
	if len(b) != 8*n {
		return nil, errUnusable
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		if math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			return nil, errUnusable
		}
	}
	return out, nil
}
