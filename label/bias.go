package label

import (
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
)

// Rate is a share with its Wilson interval at 95 %, [0, 1] when N is 0.
type Rate struct {
	K int `json:"k"`
	N int `json:"n"`
	stats.Interval
}

func (r *Rate) count(hit bool) {
	r.N++
	if hit {
		r.K++
	}
}

func (r *Rate) close() {
	r.Interval = stats.Wilson(float64(r.K), float64(r.N), stats.DefaultConfidence)
}

// Probe is a query with the passages that a bias check may use for it.
type Probe struct {
	Query    string // text
	Unlike   Passage
	Passages [2]Passage
}

// Probes draws up to n probes from what was pooled: for each a query, a passage that was pooled for other queries only, and
// two passages that were pooled for the query itself. Queries take turns in an order drawn by seed.
func (p *Pool) Probes(texts func(query string) string, n int, seed uint64) []Probe {
	all := append(append([]Item{}, p.Items...), p.Judged...)
	Shuffle(all, seed)
	of := map[string][]Item{}
	pooled := map[string]map[string]bool{} // query → item's passage
	var order []string
	for _, it := range all {
		if of[it.Query] == nil {
			order = append(order, it.Query)
			pooled[it.Query] = map[string]bool{}
		}
		of[it.Query] = append(of[it.Query], it)
		pooled[it.Query][it.Passage.Text] = true
	}
	chance := rand.New(rand.NewPCG(seed, 17))
	var out []Probe
	for round := 0; len(out) < n; round++ {
		before := len(out)
		for _, q := range order {
			items := of[q]
			if len(out) == n || 2*round+1 >= len(items) {
				continue
			}
			unlike, ok := stranger(all, pooled[q], chance)
			if !ok {
				continue
			}
			out = append(out, Probe{Query: texts(q), Unlike: unlike, Passages: [2]Passage{items[2*round].Passage, items[2*round+1].Passage}})
		}
		if len(out) == before {
			break
		}
	}
	return out
}

// stranger draws a passage that is not among those given.
func stranger(items []Item, known map[string]bool, chance *rand.Rand) (Passage, bool) {
	start := chance.IntN(len(items))
	for i := range items {
		if it := &items[(start+i)%len(items)]; !known[it.Passage.Text] {
			return it.Passage, true
		}
	}
	return Passage{}, false
}
