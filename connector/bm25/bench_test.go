package bm25_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25"
	"github.com/assay-eval/assay/internal/scifact"
)

func stream(chunks []assay.Chunk) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func BenchmarkSciFactSearch(b *testing.B) {
	c := collection(b)
	x := build(b, c.Chunks, titleAndText())
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		search(b, x, c.Queries[i%len(c.Queries)].Text, 100)
	}
}

func BenchmarkSciFactBuild(b *testing.B) {
	c := collection(b)
	cfg := titleAndText()
	cfg.Workers = 1
	b.ResetTimer()
	for range b.N {
		if _, err := bm25.Build(context.Background(), stream(c.Chunks), cfg); err != nil {
			b.Fatal(err)
		}
	}
}

// large makes n chunks of three sentences each, drawn from the sentences of the collection: the term
// statistics of real text at a size that SciFact does not have.
func large(c *scifact.Collection, n int) []assay.Chunk {
	var sentences []string
	for _, d := range c.Chunks {
		sentences = append(sentences, strings.SplitAfter(d.Text, ". ")...)
	}
	r := rand.New(rand.NewPCG(1, 2))
	chunks := make([]assay.Chunk, n)
	for i := range chunks {
		pick := func() string { return sentences[r.IntN(len(sentences))] }
		chunks[i] = assay.Chunk{ID: fmt.Sprintf("%07d", i), Text: pick() + pick() + pick()}
	}
	return chunks
}

func BenchmarkLargeSearch(b *testing.B) {
	c := collection(b)
	x := build(b, large(c, 200_000), bm25.Default())
	for _, k := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("k=%d", k), func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				search(b, x, c.Queries[i%len(c.Queries)].Text, k)
			}
		})
	}
}
