package llmtest

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
)

// Reranker holds a reranker to its contract.
func Reranker(t *testing.T, r assay.Reranker) {
	t.Helper()
	ctx := t.Context()
	texts := []string{"The fox is quick.", "Paris is the capital of France.", "Bread is baked from flour."}
	const query = "What is the capital of France?"

	t.Run("order", func(t *testing.T) {
		scores, err := r.Rerank(ctx, query, texts)
		if err != nil {
			t.Fatal(err)
		}
		if len(scores) != len(texts) {
			t.Fatalf("%d scores for %d texts", len(scores), len(texts))
		}
		for i, s := range scores {
			if math.IsNaN(s) || math.IsInf(s, 0) {
				t.Errorf("score %d is %v", i, s)
			}
		}
		if slices.Max(scores) != scores[1] {
			t.Errorf("scores %v: the one about Paris is not the best", scores)
		}
		turned := []string{texts[1], texts[2], texts[0]}
		again, err := r.Rerank(ctx, query, turned)
		if err != nil {
			t.Fatal(err)
		}
		for i, j := range []int{1, 2, 0} {
			if math.Abs(again[i]-scores[j]) > 1e-3*math.Max(1, math.Abs(scores[j])) {
				t.Errorf("text %d has score %v in one order and %v in another", j, scores[j], again[i])
			}
		}
	})

	t.Run("no texts", func(t *testing.T) {
		if scores, err := r.Rerank(ctx, query, nil); err != nil || len(scores) != 0 {
			t.Errorf("%v, %v; want none and no error", scores, err)
		}
	})

	t.Run("caller gives up", func(t *testing.T) {
		gone, cancel := context.WithCancel(ctx)
		cancel()
		_, err := r.Rerank(gone, query, texts)
		wantKind(t, err, assay.KindCanceled)
	})
}
