package compare_test

import (
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/stats"
)

// BenchmarkTwoRuns compares two runs of 10,000 queries by five measures with 10,000 permutations, times and moves included.
func BenchmarkTwoRuns(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	names := []string{"recall@10", "recall@1", "mrr@10", "ndcg@10", "p@10"}
	rows := func() [][]float64 {
		out := make([][]float64, 10_000)
		for i := range out {
			out[i] = make([]float64, len(names))
			for j := range out[i] {
				out[i][j] = float64(rng.IntN(11)) / 10
			}
		}
		return out
	}
	in := compare.Input{Measures: measures(names...), Sides: []compare.Side{sideOf("a", rows()), sideOf("b", rows())}}
	for name, query := range map[string]func(string) (assay.Query, bool){
		"independent": nil,
		"by document": func(id string) (assay.Query, bool) {
			return assay.Query{ID: id, Origin: &assay.Origin{Document: id[:len(id)-1]}}, true
		},
	} {
		b.Run(name, func(b *testing.B) {
			in.Query = query
			for b.Loop() {
				in.Stats = stats.Options{Flips: 10_000}
				run(b, in)
			}
		})
	}
}
