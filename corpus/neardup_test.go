package corpus_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/corpus"
)

// prose makes n different words.
func prose(rng *rand.Rand, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("w%x", rng.Uint32N(1<<24))
	}
	return out
}

func TestClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	base := strings.Join(prose(rng, 100), " ")
	other := strings.Join(prose(rng, 100), " ")
	changed := func(words int) string { // the last words differ
		w := strings.Fields(base)
		return strings.Join(append(w[:100-words], prose(rng, words)...), " ")
	}
	for name, tt := range map[string]struct {
		a, b string
		same bool
	}{
		"equal":                      {base, base, true},
		"case and punctuation":       {base, "  " + strings.ToUpper(strings.ReplaceAll(base, " ", ", ")) + "!", true},
		"one word in the middle":     {base, strings.Replace(base, strings.Fields(base)[50], "changed", 1), true}, // 91 of 101
		"a tail of 10":               {base, changed(10), true},                                                   // 86 of 106: 0.81
		"a tail of 16":               {base, changed(16), true},                                                   // 80 of 112: 0.714
		"a tail of 17":               {base, changed(17), false},                                                  // 79 of 113: 0.699
		"a tail of 25":               {base, changed(25), false},                                                  // 71 of 121: 0.59
		"contained":                  {base, base + " " + other, false},
		"different":                  {base, other, false},
		"short and equal":            {"Retry later.", "retry LATER", true},
		"short and different":        {"Retry later.", "Retry now.", false},
		"no words":                   {"…!", "?!", false},
		"no words, equal":            {"…!", "…!", true},
		"empty":                      {"", base, false},
		"chinese, one of 60 changed": {strings.Repeat("备份保留三十天每天两点运", 1) + "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥金木水火土东西南北春夏秋冬风花雪月山川河流日月星辰天地", strings.Repeat("备份保留三十天每天两点运", 1) + "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥金木水火土东西南北春夏秋冬风花雪月山川河流日月星辰人地", true},
	} {
		t.Run(name, func(t *testing.T) {
			got := corpus.Classes([]string{other + " padding so that it differs", tt.a, tt.b})
			if same := got[1] == got[2]; same != tt.same {
				t.Errorf("classes %v", got)
			}
		})
	}
}

// TestClassesFindPlanted plants near duplicates of many similarities among unrelated texts.
func TestClassesFindPlanted(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var texts []string
	type pair struct{ a, b int }
	var planted []pair
	for range 1500 {
		w := prose(rng, 60+rng.IntN(200))
		texts = append(texts, strings.Join(w, " "))
		// k words changed at the end of n leave n-4-k of n-4+k five-word windows.
		if k := rng.IntN(1 + (len(w)-4)*3/17); rng.IntN(2) == 0 {
			copy(w[len(w)-k:], prose(rng, k))
			planted = append(planted, pair{len(texts) - 1, len(texts)})
			texts = append(texts, strings.Join(w, " "))
		}
	}
	got := corpus.Classes(texts)
	found := 0
	members := map[int]int{}
	for _, c := range got {
		members[c]++
	}
	for _, p := range planted {
		if got[p.a] == got[p.b] {
			found++
		}
	}
	if float64(found) < 0.99*float64(len(planted)) {
		t.Errorf("found %d of %d planted pairs", found, len(planted))
	}
	if len(members) < len(texts)-len(planted) {
		t.Errorf("%d classes of %d texts with %d pairs: unrelated texts were joined", len(members), len(texts), len(planted))
	}
}

// TestClassesAmongPagesOfOneTemplate: twelve pages share four fifths of their words, all pairs alike to 0.667, and one of them has
// a duplicate at 0.706 that is alike to the others to 0.694. Nearly every band that the two share is shared by the others too, so that who
// looks at the first few of a band only does not find it.
func TestClassesAmongPagesOfOneTemplate(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const groups, pages = 60, 12
	var texts []string
	var planted [][2]int
	for range groups {
		template := prose(rng, 104) // 100 windows
		of := len(texts) + rng.IntN(pages)
		for range pages {
			texts = append(texts, strings.Join(append(slices.Clone(template), prose(rng, 25)...), " "))
		}
		planted = append(planted, [2]int{of, len(texts)})
		texts = append(texts, strings.Join(append(strings.Fields(texts[of])[:105], prose(rng, 18)...), " ")) // 101 of 143
	}
	got := corpus.Classes(texts)
	found := 0
	for _, p := range planted {
		if got[p[0]] == got[p[1]] {
			found++
		}
	}
	if float64(found) < 0.95*groups {
		t.Errorf("found %d of %d duplicates", found, groups)
	}
}

// windows is the set of five words in a row, lower case, done plainly.
func windows(text string) map[string]bool {
	w := strings.Fields(strings.ToLower(text))
	n := min(5, len(w))
	out := map[string]bool{}
	for i := 0; n > 0 && i+n <= len(w); i++ {
		out[strings.Join(w[i:i+n], " ")] = true
	}
	return out
}

// TestClassesAreHonest: every member is within the threshold of its representative, counted plainly; the
// representative represents itself; the partition does not depend on order.
func TestClassesAreHonest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		base := prose(rng, 40)
		var texts []string
		for range rapid.IntRange(1, 30).Draw(t, "n") {
			w := slices.Clone(base[:rapid.IntRange(0, 40).Draw(t, "words")])
			for range rapid.IntRange(0, 3).Draw(t, "edits") {
				if len(w) > 0 {
					w[rng.IntN(len(w))] = prose(rng, 1)[0]
				}
			}
			texts = append(texts, strings.Join(w, " "))
		}
		class := corpus.Classes(texts)
		for i, c := range class {
			if class[c] != c {
				t.Fatalf("the representative %d of %d is in class %d", c, i, class[c])
			}
			a, b := windows(texts[i]), windows(texts[c])
			both := 0
			for w := range a {
				if b[w] {
					both++
				}
			}
			if all := len(a) + len(b) - both; texts[i] != texts[c] && float64(both) < corpus.NearDuplicate*float64(all) {
				t.Fatalf("%d of %d windows in common", both, all)
			}
		}
		order := rng.Perm(len(texts))
		shuffled := make([]string, len(texts))
		for to, from := range order {
			shuffled[to] = texts[from]
		}
		again := corpus.Classes(shuffled)
		for i := range order {
			for j := range order {
				if (again[i] == again[j]) != (class[order[i]] == class[order[j]]) {
					t.Fatalf("texts %d and %d are together in one order only", order[i], order[j])
				}
			}
		}
	})
}

// TestClassesDoNotChain: a chain of small changes from one text to another that shares nothing with it.
func TestClassesDoNotChain(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	w := prose(rng, 100)
	texts := []string{strings.Join(w, " ")}
	for i := range 20 {
		copy(w[i*5:], prose(rng, 5))
		texts = append(texts, strings.Join(w, " "))
	}
	got := corpus.Classes(texts)
	if got[0] == got[20] {
		t.Errorf("the ends of the chain are one class: %v", got)
	}
	joined := 0
	for i := range 20 {
		if got[i] == got[i+1] {
			joined++
		}
	}
	if joined < 5 {
		t.Errorf("only %d of 20 neighbours are together: %v", joined, got)
	}
}

// BenchmarkClasses100k classes 100,000 chunks of 300 words: unrelated ones with near duplicates among
// them, and pages of one template, each similar to all others but not enough.
const classTexts = 100_000

func BenchmarkClasses100k(b *testing.B) {
	for _, kind := range []string{"prose", "template"} {
		b.Run(kind, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(6, 6))
			shared := prose(rng, 240)
			texts := make([]string, classTexts)
			for i := range texts {
				switch {
				case kind == "template":
					texts[i] = strings.Join(append(shared[:240:240], prose(rng, 60)...), " ")
				case i%10 == 9:
					texts[i] = texts[i-1] + " and a tail"
				default:
					texts[i] = strings.Join(prose(rng, 300), " ")
				}
			}
			for b.Loop() {
				corpus.Classes(texts)
			}
		})
	}
}
