package corpus_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
)

// group is the part of an id before the dash.
func group(c *assay.Chunk) string { name, _, _ := strings.Cut(c.Document, "-"); return name }

// grouped makes documents of ten chunks in groups of the given numbers of documents.
func grouped(documents ...int) (out []assay.Chunk) {
	for g, n := range documents {
		for d := range n {
			for c := range 10 {
				doc := fmt.Sprintf("%c-%d", 'a'+g, d)
				out = append(out, assay.Chunk{ID: fmt.Sprintf("%s#%d", doc, c), Document: doc, Text: strings.Repeat("word ", 1+c)})
			}
		}
	}
	return out
}

// TestGroups draws from groups of very different sizes: evenly or by size, nested, and never more of one
// group than it may have.
func TestGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 30), 1, 5).Draw(t, "documents")
		all := grouped(sizes...)
		opts := corpus.SampleOptions{By: group, Balanced: rapid.Bool().Draw(t, "balanced"), Seed: rapid.Uint64().Draw(t, "seed"), PerDocument: 10}
		opts.Size = rapid.IntRange(1, len(all)).Draw(t, "n")
		big := draw(t, all, opts)
		small := opts
		small.Size = rapid.IntRange(1, opts.Size).Draw(t, "small")
		if diff := cmp.Diff(chunkIDs(big.Chunks)[:small.Size], chunkIDs(draw(t, all, small).Chunks)); diff != "" {
			t.Fatalf("the smaller sample is not the beginning of the larger: %s", diff)
		}
		most := 0
		for _, g := range big.Groups {
			most = max(most, g.Drawn)
		}
		total := 0
		for i, g := range big.Groups {
			total += g.Drawn
			if g.Name != string(rune('a'+i)) || g.Eligible != 10*sizes[i] {
				t.Fatalf("group %d: %+v", i, g)
			}
			switch share := float64(opts.Size) * float64(g.Eligible) / float64(len(all)); {
			case opts.Balanced && g.Drawn < min(most-1, g.Eligible):
				t.Fatalf("%d of group %s, %d of another", g.Drawn, g.Name, most)
			// A round of the groups ends at different places for each, so that one may be one off its share for each other.
			case !opts.Balanced && math.Abs(float64(g.Drawn)-share) > float64(len(sizes)):
				t.Fatalf("%d of group %s, whose share is %.1f", g.Drawn, g.Name, share)
			}
		}
		if total != opts.Size || len(big.Chunks) != opts.Size {
			t.Fatalf("%d drawn, %d wanted", total, opts.Size)
		}
	})
}

// TestPerGroup asks for a number of each group; a small one gives what it has.
func TestPerGroup(t *testing.T) {
	s := draw(t, grouped(30, 1, 8), corpus.SampleOptions{By: group, Balanced: true, PerGroup: 20, PerDocument: 10})
	want := []corpus.Group{{Name: "a", Eligible: 300, Drawn: 25}, {Name: "b", Eligible: 10, Drawn: 10}, {Name: "c", Eligible: 80, Drawn: 25}}
	if diff := cmp.Diff(want, s.Groups); diff != "" || s.Size != 60 {
		t.Errorf("size %d (-want +got):\n%s", s.Size, diff)
	}
}

// TestDistinct plants near duplicates of every text: one of each is drawn, in nested samples, and texts that
// only hold another one are drawn beside it.
func TestDistinct(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const texts, copies = 60, 5
	var all []assay.Chunk
	for i := range texts {
		words := prose(rng, 80)
		for c := range copies {
			edited := append([]string(nil), words...)
			edited[rng.IntN(len(edited))] = "changed" // 5 of 76 shingles: similarity 0.87
			all = append(all, assay.Chunk{ID: fmt.Sprintf("%d#%d", i, c), Document: fmt.Sprint(i, c), Text: strings.Join(edited, " ")})
		}
		all = append(all, assay.Chunk{ID: fmt.Sprintf("%d#half", i), Document: fmt.Sprint(i, "half"), Text: strings.Join(words[:40], " ")})
	}
	for _, size := range []int{10, 50, 2 * texts, 3 * texts} {
		s := draw(t, all, corpus.SampleOptions{Size: size, Distinct: true, Seed: 9})
		if want := min(size, 2*texts); len(s.Chunks) != want {
			t.Fatalf("%d of %d drawn, %d passed over", len(s.Chunks), want, s.Repeats)
		}
		seen := map[string]bool{}
		for _, c := range s.Chunks {
			text, kind, _ := strings.Cut(c.ID, "#")
			if kind != "half" {
				kind = "whole"
			}
			if seen[text+kind] {
				t.Errorf("text %s twice", text)
			}
			seen[text+kind] = true
		}
		again := draw(t, all, corpus.SampleOptions{Size: size / 2, Distinct: true, Seed: 9})
		if diff := cmp.Diff(chunkIDs(s.Chunks)[:len(again.Chunks)], chunkIDs(again.Chunks)); diff != "" {
			t.Errorf("not nested: %s", diff)
		}
	}
	if s := draw(t, all, corpus.SampleOptions{Size: 3 * texts, Distinct: true, Seed: 9}); s.Repeats != len(all)-2*texts {
		t.Errorf("%d passed over", s.Repeats)
	}
}
