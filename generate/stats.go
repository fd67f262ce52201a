package generate

import (
	"iter"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/assay-eval/assay"
)

// Terms counts the content words of a collection: what a simulated searcher knows of the world.
type Terms struct {
	Chunks int            // number of chunks
	Total  int            // occurrences of all content words
	Count  map[string]int // occurrences of a word in the collection
	DF     map[string]int // chunks that hold the word

	once sync.Once
	all  weighted
}

// CountTerms reads a collection once. The first error ends it.
func CountTerms(chunks iter.Seq2[assay.Chunk, error]) (*Terms, error) {
	t := &Terms{Count: map[string]int{}, DF: map[string]int{}}
	for c, err := range chunks {
		if err != nil {
			return nil, err
		}
		t.Chunks++
		seen := map[string]bool{}
		for _, w := range contentWords(c.Text) {
			t.Total++
			t.Count[w]++
			if !seen[w] {
				seen[w] = true
				t.DF[w]++
			}
		}
	}
	return t, nil
}

// cumulative is the distribution over the whole collection, in byte order of the words.
func (t *Terms) cumulative() weighted {
	t.once.Do(func() {
		total := 0.0
		for _, w := range slices.Sorted(maps.Keys(t.Count)) {
			total += float64(t.Count[w])
			t.all.words, t.all.sums = append(t.all.words, w), append(t.all.sums, total)
		}
	})
	return t.all
}

// p is the probability of a word in the collection.
func (t *Terms) p(w string) float64 { return float64(t.Count[w]) / float64(t.Total) }

// idf is log(N/df), 0 for a word of every chunk.
func (t *Terms) idf(w string) float64 {
	if t.DF[w] == 0 {
		return 0
	}
	return math.Log(float64(t.Chunks) / float64(t.DF[w]))
}
