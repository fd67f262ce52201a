package exact_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/exact"
	"github.com/assay-eval/assay/internal/scifact"
	"github.com/assay-eval/assay/internal/shared"
	gocmp "github.com/google/go-cmp/cmp"
)

// TestSciFact holds the published effectiveness of all-MiniLM-L6-v2, 0.64508 and 0.92500, for searches one
// by one and in a batch.
func TestSciFact(t *testing.T) {
	c, err := scifact.Load(shared.Dir(t, "data", "scifact"))
	if err != nil {
		t.Fatal(err)
	}
	x, err := exact.FromVectors(slices.Clone(c.Chunks), slices.Clone(c.ChunkVectors), exact.Config{})
	if err != nil {
		t.Fatal(err)
	}
	reqs := make([]assay.Request, len(c.Queries))
	for i := range reqs {
		reqs[i] = assay.Request{Vector: c.QueryVector(i), K: 100}
	}
	batch, err := x.SearchBatch(context.Background(), reqs)
	if err != nil {
		t.Fatal(err)
	}
	ndcg, recall := c.Effectiveness(func(i int) (ids []string) {
		for _, h := range batch[i].Hits {
			ids = append(ids, h.ID)
		}
		return ids
	})
	t.Logf("nDCG@10 %.5f, recall@100 %.5f", ndcg, recall)
	// The bits of every score, so that a change of the arithmetic, or a machine with another, is seen.
	sum := sha256.New()
	for _, res := range batch {
		for _, key := range keys(res.Hits) {
			fmt.Fprintln(sum, key)
		}
	}
	if got := fmt.Sprintf("%.8x", sum.Sum(nil)); got != "9461624ff8b468cc" {
		t.Errorf("the rankings hash to %s", got)
	}
	if math.Abs(ndcg-0.64508) > 5e-6 || math.Abs(recall-0.925) > 5e-6 {
		t.Errorf("nDCG@10 %.5f, recall@100 %.5f; want 0.64508 and 0.92500", ndcg, recall)
	}
	for i, req := range reqs[:20] {
		if diff := gocmp.Diff(keys(batch[i].Hits), keys(search(t, x, req).Hits)); diff != "" {
			t.Fatalf("query %d (-batch +alone):\n%s", i, diff)
		}
	}
}

// TestManyBlocks crosses the boundaries of the blocks and of the groups of queries that are taken together.
func TestManyBlocks(t *testing.T) {
	const n, dim = 3000, 48
	r := newRand()
	x, err := exact.FromVectors(numbered(n), gaussian(r, n, dim), exact.Config{Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	queries := gaussian(r, 301, dim)
	reqs := make([]assay.Request, 301)
	for i := range reqs {
		reqs[i] = assay.Request{Vector: queries[i*dim : (i+1)*dim], K: 1 + i%40}
	}
	batch, err := x.SearchBatch(context.Background(), reqs)
	if err != nil {
		t.Fatal(err)
	}
	for i, req := range reqs {
		alone := search(t, x, req)
		if diff := gocmp.Diff(keys(alone.Hits), keys(batch[i].Hits)); diff != "" {
			t.Fatalf("query %d (-alone +batch):\n%s", i, diff)
		}
		if i%25 > 0 {
			continue
		}
		req.K = n
		deep := search(t, x, req).Hits
		if diff := gocmp.Diff(keys(deep[:len(alone.Hits)]), keys(alone.Hits)); diff != "" {
			t.Fatalf("query %d (-deep +shallow):\n%s", i, diff)
		}
		places, err := x.Locate(context.Background(), req, deep[n/2].ID, deep[0].ID, deep[n-1].ID)
		if err != nil || places[0].Rank != n/2+1 || places[1].Rank != 1 || places[2].Rank != n {
			t.Fatalf("query %d: places %v, %v", i, places, err)
		}
	}
}
