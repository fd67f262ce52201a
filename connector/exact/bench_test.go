package exact_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/exact"
)

// gaussian makes n random unit vectors, the shape of the benchmark of faiss in bench/peers.
func gaussian(r *rand.Rand, n, dim int) []float32 {
	v := make([]float32, n*dim)
	for i := range n {
		sum := 0.0
		row := v[i*dim : (i+1)*dim]
		for j := range row {
			x := r.NormFloat64()
			row[j] = float32(x)
			sum += x * x
		}
		for j := range row {
			row[j] /= float32(math.Sqrt(sum))
		}
	}
	return v
}

func numbered(n int) []assay.Chunk {
	chunks := make([]assay.Chunk, n)
	for i := range chunks {
		chunks[i].ID = fmt.Sprintf("%07d", i)
	}
	return chunks
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func benchIndex(b *testing.B, n, dim int) (*exact.Index, []assay.Request) {
	b.Helper()
	r := newRand()
	x, err := exact.FromVectors(numbered(n), gaussian(r, n, dim), exact.Config{})
	if err != nil {
		b.Fatal(err)
	}
	queries := gaussian(r, 256, dim)
	reqs := make([]assay.Request, 256)
	for i := range reqs {
		reqs[i] = assay.Request{Vector: queries[i*dim : (i+1)*dim], K: 100}
	}
	return x, reqs
}

func BenchmarkSearch(b *testing.B) {
	x, reqs := benchIndex(b, 100_000, 384)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := x.Search(context.Background(), reqs[i%len(reqs)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkSearchBatch(b *testing.B) {
	x, reqs := benchIndex(b, 100_000, 384)
	for b.Loop() {
		if _, err := x.SearchBatch(context.Background(), reqs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(reqs)*b.N)/b.Elapsed().Seconds(), "queries/s")
}
