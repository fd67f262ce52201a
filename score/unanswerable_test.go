package score_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/score"
)

// scoredHit is a ranking of one hit.
func scoredHit(id string, s float64) []assay.RankedHit { return []assay.RankedHit{{ID: id, Score: s}} }

// TestUnanswerableApart: queries without an answer are in no mean, and the best scores of the others are
// above theirs in 4.5 of 6 pairs: 5 is above 3, ties with nothing and is above nothing found; by hand.
func TestUnanswerableApart(t *testing.T) {
	none := []string{assay.TagUnanswerable}
	set := newSet(t, []assay.Query{
		{ID: "a", Text: "a"}, {ID: "b", Text: "b"}, {ID: "u", Text: "u", Tags: none}, {ID: "v", Text: "v", Tags: none}, {ID: "w", Text: "w", Tags: none},
		{ID: "x", Text: "x", Tags: none},
	}, label("a", 3, assay.Target{Chunk: "p"}), label("b", 3, assay.Target{Chunk: "p"}),
		label("u", 0, assay.Target{Chunk: "p"}), label("x", 3, assay.Target{Chunk: "p"}))
	s := mustScore(t, set, texts{}, measures(t, "recall@10"), score.Options{},
		assay.Result{Query: "a", Hits: scoredHit("p", 5)}, assay.Result{Query: "b", Hits: scoredHit("p", 3)},
		assay.Result{Query: "u", Hits: scoredHit("q", 3)}, assay.Result{Query: "v"}, assay.Result{Query: "w", Hits: scoredHit("q", 4)},
		// Somebody found an answer after all: the label counts, not the tag.
		assay.Result{Query: "x", Hits: scoredHit("q", 1)})
	if got := value(t, s, "recall@10"); math.Abs(got-2.0/3) > 1e-12 {
		t.Errorf("recall@10 %g, want 2/3: a and b found theirs, x did not", got)
	}
	u := s.Unanswerable
	if u == nil || u.Queries != 3 || u.Empty != 1 || s.Counts.Unanswerable != 3 || s.Counts.NoGold+s.Counts.Unlabelled != 0 {
		t.Fatalf("%+v, counts %+v", u, s.Counts)
	}
	// a 5: above 3, nothing and 4 = 3; b 3: ties with 3, above nothing = 1.5; x 1: above nothing = 1; of 9 pairs.
	if want := 5.5 / 9; u.Separation == nil || math.Abs(*u.Separation-want) > 1e-12 {
		t.Errorf("separation %v, want %g", u.Separation, want)
	}
	if text, ok := hasWarning(s, "no_gold"); ok {
		t.Errorf("reproached for the unanswerable: %s", text)
	}
}

// TestSeparationAgainstPairs counts all pairs one by one.
func TestSeparationAgainstPairs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		scores := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 12)
		high, low := scores.Draw(rt, "with"), scores.Draw(rt, "without")
		var queries []assay.Query
		var labels []assay.Label
		var results []assay.Result
		add := func(id string, s int, tags ...string) {
			queries = append(queries, assay.Query{ID: id, Text: id, Tags: tags})
			results = append(results, assay.Result{Query: id, Hits: scoredHit("p", float64(s))})
		}
		for i, s := range high {
			id := string(rune('a' + i))
			add(id, s)
			labels = append(labels, label(id, 3, assay.Target{Chunk: "p"}))
		}
		for i, s := range low {
			add(string(rune('A'+i)), s, assay.TagUnanswerable)
		}
		want := 0.0
		for _, h := range high {
			for _, l := range low {
				switch {
				case h > l:
					want++
				case h == l:
					want += 0.5
				}
			}
		}
		want /= float64(len(high) * len(low))
		ms := measures(t, "recall@10")
		set := newSet(t, queries, labels...)
		s := mustScore(t, set, texts{}, ms, score.Options{}, results...)
		if got := *s.Unanswerable.Separation; math.Abs(got-want) > 1e-12 {
			rt.Fatalf("%g, want %g", got, want)
		}
	})
}
