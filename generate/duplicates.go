package generate

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// Two questions are near-duplicates from this share of common character 4-grams on.
const (
	duplicateGrams = 4
	duplicateShare = 0.7
)

// duplicates refuses a question that the set has already in all but a few letters: the Jaccard coefficient
// of their character 4-grams is exact, by an index from grams to questions, and needs no hashing at the size
// of a test set. The same words under another filter are another query.
func duplicates() SetRule {
	index := map[string][]int{} // gram → questions that have it
	var texts, filters []string
	var sizes []int
	return SetRule{
		Name:  "duplicate",
		Every: true,
		Check: func(q *assay.Query) string {
			grams := gramsOf(q.Text)
			shared := map[int]int{}
			best, most := -1, 0.0
			for g := range grams {
				for _, i := range index[g] {
					shared[i]++
				}
			}
			for i := range texts {
				j := float64(shared[i]) / float64(len(grams)+sizes[i]-shared[i])
				if filters[i] == q.Filter.String() && j >= duplicateShare && j > most {
					best, most = i, j
				}
			}
			if best < 0 {
				return ""
			}
			return fmt.Sprintf("is as good as %q, which the test set has", texts[best])
		},
		Count: func(q *assay.Query) {
			grams := gramsOf(q.Text)
			for g := range grams {
				index[g] = append(index[g], len(texts))
			}
			texts, filters, sizes = append(texts, q.Text), append(filters, q.Filter.String()), append(sizes, len(grams))
		},
	}
}

// gramsOf are the character 4-grams of a text's words, with a space at either end so that short texts have
// some.
func gramsOf(text string) map[string]bool {
	runes := []rune(" " + strings.Join(Words(text), " ") + " ")
	out := map[string]bool{}
	for i := range max(1, len(runes)-duplicateGrams+1) {
		out[string(runes[i:min(len(runes), i+duplicateGrams)])] = true
	}
	return out
}

// alike reports whether two texts are near-duplicates.
func alike(a, b string) bool {
	x, y := gramsOf(a), gramsOf(b)
	shared := 0
	for g := range x {
		if y[g] {
			shared++
		}
	}
	return float64(shared) >= duplicateShare*float64(len(x)+len(y)-shared)
}
