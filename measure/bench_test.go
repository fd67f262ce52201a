package measure

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkSet scores rankings of 1,000 with 50 judged items, 10 of them relevant.
func BenchmarkSet(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	topic := &Topic{Ranked: make([]float64, 1000), Gold: make([]float64, 50)}
	for i := range topic.Ranked {
		topic.Ranked[i] = NotJudged
	}
	for i := range topic.Gold {
		if i < 10 {
			topic.Gold[i] = float64(1 + rng.IntN(3))
		}
		topic.Ranked[rng.IntN(1000)] = topic.Gold[i]
	}
	for name, names := range map[string][]string{
		"default": {"ndcg@10", "mrr@10", "recall@10", "recall@100", "map", "p@10"},
		"all":     nil,
	} {
		list, err := ParseList(names...)
		if err != nil {
			b.Fatal(err)
		}
		if names == nil {
			list = oneOfEach(10)
		}
		set, err := NewSet(list...)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			dst := make([]float64, 0, len(list))
			for b.Loop() {
				dst = set.Score(topic, dst[:0])
			}
		})
	}
}
