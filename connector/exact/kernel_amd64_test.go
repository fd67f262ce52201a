package exact

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay"
)

// TestSameWithoutVectorInstructions: a processor without them gives the same rankings and scores.
func TestSameWithoutVectorInstructions(t *testing.T) {
	if !vector {
		t.Skip("this processor has none")
	}
	const n, dim, queries = 2000, 50, 9
	ask := func() (out string) {
		r := rand.New(rand.NewPCG(5, 5))
		chunks := make([]assay.Chunk, n)
		for i := range chunks {
			chunks[i].ID = fmt.Sprint(i)
		}
		x, err := FromVectors(chunks, random(r, n*dim), Config{})
		if err != nil {
			t.Fatal(err)
		}
		var reqs []assay.Request
		for range queries {
			reqs = append(reqs, assay.Request{Vector: random(r, dim), K: 50})
		}
		batch, err := x.SearchBatch(context.Background(), reqs)
		if err != nil {
			t.Fatal(err)
		}
		for i, req := range reqs {
			alone, err := x.Search(context.Background(), req)
			if err != nil {
				t.Fatal(err)
			}
			for j, h := range alone.Hits {
				out += fmt.Sprintf("%s %x %x\n", h.ID, math.Float64bits(h.Score), math.Float64bits(batch[i].Hits[j].Score))
			}
		}
		return out
	}
	with := ask()
	vector = false
	defer func() { vector = true }()
	if without := ask(); with != without {
		t.Error("rankings differ with and without vector instructions")
	}
}
