package corpus_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
)

var _ assay.Twins = new(corpus.Twins)

func TestTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	w := prose(rng, 100)
	base := strings.Join(w, " ")
	tail := func(n int) string { return strings.Join(append(slices.Clone(w[:100-n]), prose(rng, n)...), " ") }
	for name, tt := range map[string]struct {
		text string
		same bool
	}{
		"equal":                    {base, true},
		"case and punctuation":     {strings.ToUpper(strings.ReplaceAll(base, " ", ", ")) + "!", true},
		"a tail of 10":             {tail(10), true},                                        // 86 of 106 windows: 0.81
		"a tail of 16":             {tail(16), true},                                        // 80 of 112: 0.714
		"a tail of 17":             {tail(17), false},                                       // 79 of 113: 0.699
		"contained":                {strings.Join(w[:60], " "), false},                      // 56 of 96, all of its own
		"containing":               {base + " " + strings.Join(prose(rng, 60), " "), false}, // 96 of 156, all of the other's
		"a longer one, then equal": {strings.Join(prose(rng, 50), " ") + " " + base, false},
		"said twice":               {base + " " + base, true}, // the windows over the seam are all that it adds
		"other":                    {strings.Join(prose(rng, 100), " "), false},
		"no words":                 {"…", false},
		"empty":                    {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			var twins corpus.Twins
			twins.Add("?!")
			twins.Add(strings.Join(prose(rng, 40), " "))
			twins.Add(base)
			n, ok := twins.Of(tt.text)
			if ok != tt.same || ok && n != 2 {
				t.Errorf("near-duplicate %v of text %d, want %v", ok, n, tt.same)
			}
		})
	}
}

// similarity is the Jaccard coefficient of five words in a row, counted plainly.
func similarity(a, b string) (both, all int) {
	x, y := windows(a), windows(b)
	for w := range x {
		if y[w] {
			both++
		}
	}
	return both, len(x) + len(y) - both
}

// TestTwinsAreExact: the nearest of the texts, counted plainly, the first on a tie, whatever was asked before.
func TestTwinsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		base := prose(rng, 60)
		draw := func() string {
			w := slices.Clone(base[:rapid.IntRange(0, 60).Draw(t, "words")])
			for range rapid.IntRange(0, 4).Draw(t, "edits") {
				if len(w) > 0 {
					w[rng.IntN(len(w))] = prose(rng, 1)[0]
				}
			}
			return strings.Repeat(strings.Join(w, " ")+" ", rapid.IntRange(1, 3).Draw(t, "times"))
		}
		var twins corpus.Twins
		var texts []string
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			texts = append(texts, draw())
			twins.Add(texts[len(texts)-1])
		}
		for range 5 {
			text := draw()
			want, most := -1, 0.0
			for i, other := range texts {
				both, all := similarity(text, other)
				sim := 0.0
				if text == other {
					sim = 2
				} else if all > 0 {
					sim = float64(both) / float64(all)
				}
				if sim >= corpus.NearDuplicate && sim > most {
					want, most = i, sim
				}
			}
			if got, ok := twins.Of(text); ok != (want >= 0) || ok && got != want {
				t.Fatalf("Of(%q) is %d, %v; want %d of %q", text, got, ok, want, texts)
			}
		}
	})
}

// BenchmarkTwins is what one query costs: a labelled passage of 250 words and ten hits.
func BenchmarkTwins(b *testing.B) {
	rng := rand.New(rand.NewPCG(8, 8))
	var texts []string
	for range 11 {
		texts = append(texts, strings.Join(prose(rng, 250), " "))
	}
	b.ReportAllocs()
	for b.Loop() {
		var twins corpus.Twins
		twins.Add(texts[0])
		for _, hit := range texts[1:] {
			if _, ok := twins.Of(hit); ok {
				b.Fatal("unrelated texts are near-duplicates")
			}
		}
	}
}
