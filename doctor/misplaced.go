package doctor

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/vector"
)

// misplaced is the vector of one chunk's text found at another chunk.
type misplaced struct {
	text, at string // keys of the chunk whose text it is, and of the one it stands at
	tried, n int    // chunks looked for, and those found elsewhere
}

// nearestHits is how many of the nearest stored vectors are looked at: an approximate index may put the same one second.
const nearestHits = 3

// misplaced looks for the vectors of chunks that are off: a text's own vector, when the index is searched with it, must come
// back at its own chunk. nil unless most of them stand at another chunk with another text.
func (x *exam) misplaced(ctx context.Context, s *System, c *comparison, configured recipe) *misplaced {
	fetcher, ok := assay.As[assay.ChunkFetcher](s.Store)
	if !ok {
		return nil
	}
	m := &misplaced{}
	for _, n := range c.off[:min(len(c.off), explainOf)] {
		chunk := &c.chunks[n]
		v, err := configured.make(ctx, x, chunk)
		if err != nil {
			return nil
		}
		resp, err := s.Store.Search(ctx, assay.Request{Text: chunk.Text, Vector: v, K: nearestHits})
		if err != nil {
			return nil
		}
		found, err := fetcher.FetchChunks(ctx, hitIDs(resp.Hits), true)
		if err != nil {
			return nil
		}
		m.tried++
		for i := range found {
			if f := &found[i]; f.ID != chunk.ID && f.Text != chunk.Text && vector.Cosine(v, f.Vector) >= sameVector {
				m.n++
				if m.n == 1 {
					m.text, m.at = chunk.ID, f.ID
				}
				break
			}
		}
	}
	if 2*m.n <= m.tried {
		return nil
	}
	return m
}

func (m *misplaced) finding(c *comparison) Finding {
	return Finding{Status: Fault, Cause: "other_chunk",
		Found:  fmt.Sprintf("%s belong to other chunks: that of the text of %s stands at %s (%d of %d looked for)", c.share(), m.text, m.at, m.n, m.tried),
		Effect: "a query finds the vector that fits it, and gets the text of another chunk",
		Fix:    "the ingestion pairs texts and vectors wrongly: keep each reply with its own text (batches that come back in another order, a skipped or repeated text), and store all chunks again"}
}
