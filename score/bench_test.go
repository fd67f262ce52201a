package score_test

import (
	"fmt"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/stats"
)

// BenchmarkScore scores 10,000 queries, each with one label and ten hits: by key alone, by place, and by
// quotes searched for in texts of 1.5 kB. The bootstrap is kept small; package stats measures it.
func BenchmarkScore(b *testing.B) {
	const n, k = 10_000, 10
	qs := queries(n)
	passages := texts{}
	var filler string
	for i := range 150 {
		filler += fmt.Sprintf("word%04d ", i)
	}
	for _, tc := range []struct {
		name   string
		target func(i int) assay.Target
		hit    func(i, j int) assay.RankedHit
	}{
		{"key", func(i int) assay.Target { return assay.Target{Chunk: fmt.Sprint("c", i)} },
			func(i, j int) assay.RankedHit { return assay.RankedHit{ID: fmt.Sprint("c", i+j-3)} }},
		{"place", func(i int) assay.Target { return assay.Target{Document: "d", Start: 100 * i, End: 100*i + 50} },
			func(i, j int) assay.RankedHit { s := 100 * (i + j - 3); return at(fmt.Sprint("c", s), "d", s, s+100) }},
		{"quote", func(i int) assay.Target {
			return assay.Target{Quote: fmt.Sprintf("the answer to question number %d is here", i%50)}
		},
			func(i, j int) assay.RankedHit {
				body := filler + fmt.Sprintf("the answer to question number %d is here", (i+j-3)%50)
				return assay.RankedHit{ID: fmt.Sprint("c", j), TextHash: passages.put(body)}
			}},
	} {
		b.Run(tc.name, func(b *testing.B) {
			var labels []assay.Label
			results := make([]assay.Result, n)
			for i := range n {
				labels = append(labels, label(qs[i].ID, 3, tc.target(i)))
				results[i].Query = qs[i].ID
				for j := range k {
					results[i].Hits = append(results[i].Hits, tc.hit(i, j))
				}
			}
			set := newSet(b, qs, labels...)
			ms := measures(b, "recall@10", "recall@1", "mrr@10", "ndcg@10", "p@10")
			for b.Loop() {
				if _, err := score.Score(set, stream(results...), passages, ms, score.Options{K: k, Stats: stats.Options{Draws: 100}}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "queries/s")
		})
	}
}
