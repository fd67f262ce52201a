package scifact_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/scifact"
	"github.com/assay-eval/assay/internal/shared"
)

func TestLoad(t *testing.T) {
	c, err := scifact.Load(shared.Dir(t, "data", "scifact"))
	if err != nil {
		t.Fatal(err)
	}
	pairs := 0
	for _, grades := range c.Qrels {
		for _, g := range grades {
			if g != 1 {
				t.Errorf("grade %d", g)
			}
			pairs++
		}
	}
	if len(c.Chunks) != 5183 || len(c.Queries) != 300 || pairs != 339 {
		t.Errorf("%d documents, %d queries, %d pairs; want 5183, 300, 339", len(c.Chunks), len(c.Queries), pairs)
	}
	// A ranking of exactly the relevant documents is perfect; an empty one is worth nothing.
	perfect := func(i int) (ids []string) {
		for id := range c.Qrels[c.Queries[i].ID] {
			ids = append(ids, id)
		}
		return ids
	}
	if ndcg, recall := c.Effectiveness(perfect); ndcg < 1-1e-12 || recall < 1-1e-12 {
		t.Errorf("perfect ranking: %v, %v", ndcg, recall)
	}
	if ndcg, recall := c.Effectiveness(func(int) []string { return nil }); ndcg != 0 || recall != 0 {
		t.Errorf("empty ranking: %v, %v", ndcg, recall)
	}
}
