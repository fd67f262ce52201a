package fuse_test

import (
	"context"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/connector/exact"
	"github.com/assay-eval/assay/connector/fuse"
)

// hybrid fuses the two retrievers in process over the same chunks. (No store imports another; tests may.)
func hybrid(t *testing.T) assay.Retriever {
	t.Helper()
	stream := func(yield func(assay.Chunk, error) bool) {
		for _, c := range connectortest.Chunks() {
			if !yield(c, nil) {
				return
			}
		}
	}
	lexical, err := bm25.Build(context.Background(), stream, bm25.Default())
	if err != nil {
		t.Fatal(err)
	}
	dense, err := exact.Build(context.Background(), stream, exact.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return fused(t, fuse.Config{K: fuse.DefaultK},
		fuse.Leg{Name: "lexical", Retriever: lexical}, fuse.Leg{Name: "dense", Retriever: dense, Weight: 0.7})
}

func TestContract(t *testing.T) {
	(&connectortest.Suite{Open: hybrid}).Run(t)
}
