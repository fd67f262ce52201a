package score_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/score"
)

// cuts is the chunking of one document.
type cuts []assay.Span

func (c cuts) Best(document string, span assay.Span) (best assay.Span, ok bool) {
	for _, s := range c {
		if s.Overlap(span) > best.Overlap(span) {
			best = s
		}
	}
	return best, document == "d"
}

// TestWideLabels: labels made on large chunks fall out of an index of small ones, and the warning counts them.
func TestWideLabels(t *testing.T) {
	text := strings.Repeat("word ", 40)
	target := func(start, end int) assay.Target {
		return assay.Target{Document: "d", Version: "v", Start: start, End: end, Quote: text[start:end]}
	}
	set := newSet(t, []assay.Query{{ID: "q1", Text: "one"}, {ID: "q2", Text: "two"}},
		label("q1", 3, target(0, 100)), label("q1", 0, target(100, 200)), // an irrelevant one counts for nothing
		label("q2", 3, target(0, 25)), label("q2", 3, assay.Target{Document: "d"}))
	results := []assay.Result{{Query: "q1", Hits: []assay.RankedHit{at("a", "d", 0, 50), at("b", "d", 50, 100)}}, {Query: "q2", Hits: []assay.RankedHit{at("a", "d", 0, 50)}}}
	for name, c := range map[string]struct {
		cuts cuts
		want string
	}{
		"halves":         {cuts{{Start: 0, End: 50}, {Start: 50, End: 100}}, "(1 of 3)"},
		"three quarters": {cuts{{Start: 0, End: 75}, {Start: 75, End: 100}}, ""},
		"a byte less":    {cuts{{Start: 0, End: 74}, {Start: 74, End: 100}}, "(1 of 3)"},
		"as labelled":    {cuts{{Start: 0, End: 100}}, ""},
		"nothing there":  {cuts{{Start: 150, End: 160}}, "(1 of 3)"}, // a hit has the other one all the same
	} {
		s := mustScore(t, set, nil, measures(t, "recall@10"), score.Options{Chunking: c.cuts}, results...)
		text, warned := hasWarning(s, "wide_labels")
		if warned != (c.want != "") || !strings.Contains(text, c.want) {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
	if s := mustScore(t, set, nil, measures(t, "recall@10"), score.Options{}, results...); slices.ContainsFunc(s.Warnings, func(w assay.Warning) bool { return w.Code == "wide_labels" }) {
		t.Error("warned of an index whose chunks are not known")
	}
}

// TestWideMeansNoChunkEarnsIt: exactly the warned labels are those for which every chunk of the index, taken as
// a ranking by itself, scores 0.
func TestWideMeansNoChunkEarnsIt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const length = 120
		var c cuts
		for at := 0; at < length; {
			end := min(length, at+rapid.IntRange(1, 60).Draw(rt, "width"))
			c = append(c, assay.Span{Start: at, End: end})
			at = end
		}
		start := rapid.IntRange(0, length-1).Draw(rt, "start")
		gold := assay.Span{Start: start, End: rapid.IntRange(start+1, length).Draw(rt, "end")}
		set := newSet(t, []assay.Query{{ID: "q", Text: "q"}},
			label("q", 3, assay.Target{Document: "d", Version: "v", Start: gold.Start, End: gold.End, Quote: strings.Repeat("x", gold.Len())}))
		found := false
		for _, s := range c {
			r := mustScore(t, set, nil, measures(t, "recall@1"), score.Options{}, assay.Result{Query: "q", Hits: []assay.RankedHit{at("c", "d", s.Start, s.End)}})
			found = found || value(t, r, "recall@1") == 1
		}
		r := mustScore(t, set, nil, measures(t, "recall@1"), score.Options{Chunking: c}, assay.Result{Query: "q"})
		if _, warned := hasWarning(r, "wide_labels"); warned == found {
			rt.Errorf("gold %v in %v: warned %v, found by some chunk %v (best %v)", gold, c, warned, found, anchor.Full)
		}
	})
}
