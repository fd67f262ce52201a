package measure_test

import (
	"fmt"

	"github.com/assay-eval/assay/measure"
)

// One query: four relevant chunks, of which the system returned two, with a judged not relevant chunk and
// one that nobody judged.
func Example() {
	list, err := measure.ParseList("recall@10", "nDCG@10", "recip_rank", "judged@10")
	if err != nil {
		panic(err)
	}
	topic := &measure.Topic{
		Ranked: []float64{0, 3, measure.NotJudged, 2},
		Gold:   []float64{0, 3, 2, 2, 1},
	}
	for _, m := range list {
		v, _ := m.Value(topic)
		best, _ := measure.Ceiling(m, topic)
		fmt.Printf("%-10s %.4f of at most %.4f\n", m.Name(), v, best)
	}
	// Output:
	// recall@10  0.5000 of at most 1.0000
	// ndcg@10    0.4838 of at most 1.0000
	// mrr        0.5000 of at most 1.0000
	// judged@10  0.7500 of at most 1.0000
}

// A measure of one's own, accepted everywhere a name is.
func ExampleRegister() {
	err := measure.Register(measure.Family{
		Definition: measure.Definition{
			Name: "first_only", Title: "is the first hit relevant?", Formula: "1 if rank 1 is relevant",
			Range: measure.Unit, Gain: measure.BinaryGain, Source: "in house",
		},
		New: func(measure.Args) (func(*measure.Topic) (float64, bool), error) {
			return func(t *measure.Topic) (float64, bool) {
				if len(t.Ranked) > 0 && t.Relevant(t.Ranked[0]) {
					return 1, true
				}
				return 0, t.NumRelevant() > 0
			}, nil
		},
	})
	if err != nil {
		panic(err)
	}
	v, _ := measure.MustParse("first_only").Value(&measure.Topic{Ranked: []float64{1}, Gold: []float64{1}})
	fmt.Println(v)
	// Output: 1
}
