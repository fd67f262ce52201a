package generate

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// TermModel is how a simulated searcher picks words from the document remembered.
type TermModel string

// The term models of Azzopardi, de Rijke and Balog, "Building simulated queries for known-item topics",
// SIGIR 2007.
const (
	Popular        TermModel = "popular"        // p(t|d) ∝ n(t,d)
	Uniform        TermModel = "uniform"        // p(t|d) = 1 / distinct terms of d
	Discriminative TermModel = "discriminative" // p(t|d) ∝ 1 / p(t)
	PopDisc        TermModel = "popdisc"        // p(t|d) ∝ n(t,d) · log(N / df(t))
)

// TermModels lists them.
var TermModels = []TermModel{Popular, Uniform, Discriminative, PopDisc}

// KnownItem simulates a person who has seen a chunk and half remembers its words. No model is needed.
// The queries are lexical: they measure how well a system finds words, and show differences in nothing
// else.
type KnownItem struct {
	Terms  *Terms
	Model  TermModel // "" is PopDisc
	Lambda float64   // share of words drawn from the whole collection: imperfect memory, 0 to 1
	Length float64   // mean number of words, Poisson; 0 is 4
	Seed   uint64
}

// Origin implements Writer.
func (k *KnownItem) Origin() assay.Origin {
	return assay.Origin{Method: "known-item", Model: string(k.model()), Seed: k.Seed}
}

func (k *KnownItem) model() TermModel {
	if k.Model == "" {
		return PopDisc
	}
	return k.Model
}

// Write implements Writer: p(t|q) = (1−λ)·p(t|d) + λ·p(t), drawn until the length is reached, each word
// once. Draws depend on the seed and the chunk's text only, so neither order nor company of the chunks
// changes a query.
func (k *KnownItem) Write(_ context.Context, chunk assay.Chunk, nth int) (Candidate, error) {
	c := Candidate{Chunk: chunk}
	weights := k.weights(chunk.Text)
	if len(weights.words) < 2 {
		return c, assay.Errorf(assay.KindEmpty, "generate", chunk.ID, "the chunk has %d content words; a query needs 2", len(weights.words))
	}
	rng := k.rand(chunk.Text, nth)
	want := min(max(2, poisson(rng, k.length())), len(weights.words))
	var query []string
	// Drawing a word again costs a try; the bound keeps a chunk of one dominant word from looping.
	for tries := 0; len(query) < want && tries < 100*want; tries++ {
		w := weights.draw(rng.Float64())
		if rng.Float64() < k.Lambda {
			w = k.background(rng)
		}
		if !slices.Contains(query, w) {
			query = append(query, w)
		}
	}
	c.Question = strings.Join(query, " ")
	c.Leakage = Measure(c.Question, chunk.Text)
	return c, nil
}

func (k *KnownItem) length() float64 {
	if k.Length > 0 {
		return k.Length
	}
	return 4
}

func (k *KnownItem) rand(text string, nth int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\x00%s\x00%s", nth, k.model(), text)
	return rand.New(rand.NewPCG(k.Seed, h.Sum64()))
}

// weighted is a distribution over words, in a fixed order, as cumulative sums.
type weighted struct {
	words []string
	sums  []float64
}

func (k *KnownItem) weights(text string) weighted {
	counts := map[string]int{}
	for _, w := range contentWords(text) {
		counts[w]++
	}
	var out weighted
	total := 0.0
	for _, w := range slices.Sorted(maps.Keys(counts)) {
		var weight float64
		switch k.model() {
		case Popular:
			weight = float64(counts[w])
		case Uniform:
			weight = 1
		case Discriminative:
			if p := k.Terms.p(w); p > 0 {
				weight = 1 / p
			}
		default:
			weight = float64(counts[w]) * k.Terms.idf(w)
		}
		if weight <= 0 {
			continue
		}
		total += weight
		out.words, out.sums = append(out.words, w), append(out.sums, total)
	}
	return out
}

func (w weighted) draw(u float64) string {
	i, _ := slices.BinarySearch(w.sums, u*w.sums[len(w.sums)-1])
	return w.words[min(i, len(w.words)-1)]
}

// background draws a word of the collection by its frequency.
func (k *KnownItem) background(rng *rand.Rand) string {
	all := k.Terms.cumulative()
	return all.draw(rng.Float64())
}

// poisson draws from a Poisson distribution by Knuth's product of uniforms, fine for small means.
func poisson(rng *rand.Rand, mean float64) int {
	limit, product, n := math.Exp(-mean), rng.Float64(), 0
	for product > limit {
		product *= rng.Float64()
		n++
	}
	return n
}
