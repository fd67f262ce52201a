package generate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

// offer takes queries through rules one after another and returns the reasons, "" for those that joined.
func offer(rules []generate.SetRule, queries ...assay.Query) []string {
	var out []string
	for i := range queries {
		reason := ""
		for _, r := range rules {
			if reason = r.Check(&queries[i]); reason != "" {
				break
			}
		}
		if reason == "" {
			for _, r := range rules {
				r.Count(&queries[i])
			}
		}
		out = append(out, reason)
	}
	return out
}

func texts(list ...string) []assay.Query {
	var out []assay.Query
	for _, t := range list {
		out = append(out, assay.Query{Text: t})
	}
	return out
}

func TestDuplicates(t *testing.T) {
	filtered := assay.Query{Text: "How long are backups kept?", Filter: &assay.Filter{Field: "lang", Eq: "de"}}
	queries := append(texts(
		"How long are backups kept?",
		"how long are BACKUPS kept",       // the same but for case and marks
		"How long are the backups kept?",  // one word more
		"How long are pages kept?",        // another thing
		"Who may restore a deleted page?", // nothing in common
		"Who may restore deleted pages?",  // nearly the same
		"备份保留多久？", "备份保留多久", "备份存放在哪里？",   // Chinese has no spaces
	), filtered, filtered)
	got := offer(generate.SetRules(100, nil), queries...)
	var refused []int
	for i, reason := range got {
		if strings.Contains(reason, "is as good as") {
			refused = append(refused, i)
		} else if reason != "" {
			t.Errorf("%q: %s", queries[i].Text, reason)
		}
	}
	if want := []int{1, 2, 5, 7, 10}; !slices.Equal(refused, want) {
		t.Errorf("refused %v, want %v: %q", refused, want, got)
	}
}

// TestDuplicatesAgainstPairs compares the index with the coefficient of every pair, from its definition.
func TestDuplicatesAgainstPairs(t *testing.T) {
	grams := func(text string) map[string]bool {
		r := []rune(" " + text + " ")
		out := map[string]bool{}
		for i := range max(1, len(r)-3) {
			out[string(r[i:min(len(r), i+4)])] = true
		}
		return out
	}
	jaccard := func(a, b string) float64 {
		x, y, both := grams(a), grams(b), 0
		for g := range x {
			if y[g] {
				both++
			}
		}
		return float64(both) / float64(len(x)+len(y)-both)
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"backup", "backups", "restore", "page", "pages", "kept"})
		var list []string
		for _, ws := range rapid.SliceOfN(rapid.SliceOfN(word, 1, 4), 1, 8).Draw(t, "queries") {
			list = append(list, strings.Join(ws, " "))
		}
		got := offer(generate.SetRules(1000, nil), texts(list...)...)
		var joined []string
		for i, text := range list {
			twin := slices.ContainsFunc(joined, func(j string) bool { return jaccard(j, text) >= 0.7 })
			if refused := got[i] != ""; refused != twin {
				t.Fatalf("%q beside %q: refused %t", text, joined, refused)
			}
			if !twin {
				joined = append(joined, text)
			}
		}
	})
}

// TestCoverageIsCapped: of 20 wanted, 3 may be made of the words of their source.
func TestCoverageIsCapped(t *testing.T) {
	var queries []assay.Query
	for i := range 5 {
		queries = append(queries, assay.Query{Text: strings.Repeat(string(rune('a'+i)), 9), Leakage: &assay.Leakage{ContentCoverage: 0.81}})
	}
	queries = append(queries, assay.Query{Text: "zzzzzzzzz", Leakage: &assay.Leakage{ContentCoverage: 0.8}})
	got := offer(generate.SetRules(20, nil), queries...)
	for i, want := range []bool{false, false, false, true, true, false} {
		if refused := got[i] != ""; refused != want {
			t.Errorf("query %d: %q", i, got[i])
		}
	}
}

// TestMixHolds: however skewed the queries that are offered are, no category of the set exceeds its share by
// more than five points, and those that no share is declared for stay out.
func TestMixHolds(t *testing.T) {
	const want = 40
	p := &generate.Planner{Styles: []generate.Share{{Value: "keywords", Share: 0.25}, {Value: "question", Share: 0.75}}}
	rapid.Check(t, func(t *rapid.T) {
		styles := rapid.SliceOfN(rapid.SampledFrom([]string{"keywords", "question", "question", "typo"}), 60, 200).Draw(t, "styles")
		rules := slices.DeleteFunc(generate.SetRules(want, p), func(r generate.SetRule) bool { return r.Name != "mix" })
		var queries []assay.Query
		for i, s := range styles {
			queries = append(queries, assay.Query{Text: fmt.Sprint(i), Origin: &assay.Origin{Style: s}})
		}
		counts := map[string]int{}
		for i, reason := range offer(rules, queries...) {
			if reason == "" {
				counts[styles[i]]++
			}
		}
		offered := func(s string) (n int) {
			for _, v := range styles {
				if v == s {
					n++
				}
			}
			return n
		}
		for s, most := range map[string]int{"keywords": 12, "question": 32, "typo": 0} {
			if counts[s] != min(most, offered(s)) {
				t.Fatalf("%d %s of %d offered, want at most %d", counts[s], s, offered(s), most)
			}
		}
	})
}

// TestExistingQueriesCount: a generation that goes on knows what is in the set: duplicates of any query, and
// the mix of its own kind.
func TestExistingQueriesCount(t *testing.T) {
	w := &generate.LLMWriter{Chat: model(12)}
	own, foreign := w.Origin(), assay.Origin{Method: "import"}
	existing := []assay.Query{{Text: "Which box downstairs is called 0?", Origin: &foreign}, {Text: "other", Origin: &own}}
	counted := map[string]int{}
	rules := append(generate.SetRules(10, nil), generate.SetRule{Name: "own", Check: func(*assay.Query) string { return "" }, Count: func(q *assay.Query) { counted[q.Text]++ }})
	var refused []string
	_, err := generate.Run(t.Context(), generate.Options{
		Writer: w, SetRules: rules, Chunks: chunks(1), Want: 1, Existing: existing,
		Keep:   func(a generate.Accepted) error { t.Errorf("kept %q", a.Query.Text); return nil },
		Reject: func(r generate.Reject) error { refused = append(refused, r.Rule); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"duplicate"}, refused); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{"other": 1}, counted); diff != "" {
		t.Error(diff)
	}
}
