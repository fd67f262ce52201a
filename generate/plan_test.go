package generate_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

func planner(seed uint64, n int) (*generate.Planner, []assay.Chunk) {
	cs := chunks(n)
	for i := range cs {
		cs[i].Metadata = map[string]any{"lang": []string{"de", "en"}[i%2], "tags": []any{"a", "b"}, "empty": []any{}, "deep": map[string]any{"year": float64(2020 + i%3)}}
	}
	p := &generate.Planner{Seed: seed, PerChunk: 1,
		Styles:       []generate.Share{{Value: "keywords", Share: 0.3}, {Value: "question", Share: 0.6}, {Value: "typo", Share: 0.1}},
		Lengths:      []generate.Share{{Value: "long", Share: 0.25}, {Value: "short", Share: 0.75}},
		Unanswerable: 0.1, Filter: generate.FilterPlan{Fields: []string{"lang", "deep.year", "tags", "empty"}, Share: 0.4}}
	p.Place(cs)
	return p, cs
}

// TestPlansHaveTheDeclaredMix: the shares hold to four queries at every length of the sample from ten on,
// whatever the seed (3.1 is the most that was seen; independent draws would be off by thirty); and two mixes are independent, so that half of a small share is not always the same.
func TestPlansHaveTheDeclaredMix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, cs := planner(rapid.Uint64().Draw(t, "seed"), 400)
		counts := map[string]float64{}
		for i := range cs {
			plan := p.Plan(&cs[i], 0)
			counts[string(plan.Style)]++
			counts[plan.Length]++
			if plan.Style == generate.StyleKeywords && plan.Length == "long" {
				counts["keywords and long"]++
			}
			if plan.Unanswerable {
				counts["unanswerable"]++
			}
			if plan.Filter != nil {
				counts["filtered"]++
			}
			n := float64(i + 1)
			for name, share := range map[string]float64{"keywords": 0.3, "question": 0.6, "typo": 0.1, "short": 0.75, "unanswerable": 0.1, "filtered": 0.4} {
				if n >= 10 && math.Abs(counts[name]-share*n) > 4 {
					t.Fatalf("%g of the first %g queries are %s, share %g", counts[name], n, name, share)
				}
			}
		}
		if got := counts["keywords and long"] / 400; math.Abs(got-0.3*0.25) > 0.03 {
			t.Fatalf("share %g of long keyword queries, want %g", got, 0.3*0.25)
		}
	})
}

// TestPlansAreRepeatableAndNested: a chunk's plan is the same in a larger sample, and in another process.
func TestPlansAreRepeatableAndNested(t *testing.T) {
	small, cs := planner(7, 20)
	large, _ := planner(7, 60)
	other, _ := planner(8, 20)
	differ := false
	for i := range cs {
		if diff := cmp.Diff(small.Plan(&cs[i], 0), large.Plan(&cs[i], 0)); diff != "" {
			t.Errorf("chunk %d (-small +large):\n%s", i, diff)
		}
		differ = differ || !cmp.Equal(small.Plan(&cs[i], 0), other.Plan(&cs[i], 0))
	}
	if !differ {
		t.Error("another seed plans the same")
	}
}

// TestFiltersMatchTheirSource: a value comes from the chunk's own metadata, so that the filter lets the chunk
// through; an empty list gives none.
func TestFiltersMatchTheirSource(t *testing.T) {
	p, cs := planner(3, 300)
	fields := map[string]int{}
	for i := range cs {
		f := p.Plan(&cs[i], 0).Filter
		if f == nil {
			continue
		}
		fields[f.Field]++
		if !f.Match(cs[i].Metadata) {
			t.Errorf("%s keeps %v out", f, cs[i].Metadata)
		}
	}
	for _, want := range []string{"lang", "deep.year", "tags"} {
		if fields[want] == 0 {
			t.Errorf("no filter by %s: %v", want, fields)
		}
	}
	if fields["empty"] > 0 {
		t.Error("a filter from an empty list")
	}
}

func TestOtherLanguage(t *testing.T) {
	p := &generate.Planner{Styles: []generate.Share{{Value: "other-language", Share: 1}}, Languages: []string{"de", "en"}}
	for text, want := range map[string]string{
		"The ferry leaves every two hours and the dogs travel free.": "de",
		"Die Fähre fährt alle zwei Stunden und Hunde reisen frei.":   "en",
	} {
		if got := p.Plan(&assay.Chunk{ID: text, Text: text}, 0).Language; got != want {
			t.Errorf("%q asks for %q, want %q", text, got, want)
		}
	}
}

// TestRealisedMix counts by hand.
func TestRealisedMix(t *testing.T) {
	p := &generate.Planner{Styles: []generate.Share{{Value: "keywords", Share: 0.5}, {Value: "question", Share: 0.25}, {Value: "typo", Share: 0.25}}}
	style := func(s string) *assay.Origin { return &assay.Origin{Style: s} }
	got := p.RealisedMix([]assay.Query{
		{Text: "backup days", Origin: style("keywords")}, {Text: "how long?", Origin: style("question")}, {Text: "how far?", Origin: style("question")}, {Text: "x y", Origin: style("keywords")},
	})
	var lines []string
	for _, r := range got {
		wanted := "-"
		if r.Wanted != nil {
			wanted = fmt.Sprint(*r.Wanted)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %g %d", r.Mix, r.Value, wanted, r.Share, r.N))
	}
	if diff := cmp.Diff([]string{
		"style keywords 0.5 0.5 2", "style question 0.25 0.5 2", "style typo 0.25 0 0",
		"opening how - 0.5 2", "opening backup - 0.25 1", "opening x - 0.25 1",
	}, lines); diff != "" {
		t.Error(diff)
	}
}
