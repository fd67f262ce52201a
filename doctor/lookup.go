package doctor

import (
	"context"
	"strings"

	"github.com/assay-eval/assay"
)

// looked is what became of the labels in one index.
type looked struct {
	queries int      // with a relevant label
	lost    []string // ids of those of which no labelled text is there
	unknown int      // of which nothing was found in the part of the index that was read
	ids     []string // labelled chunk keys that no chunk has and whose text is nowhere either
}

// look finds for each labelled query whether one of its answers is in the index: by key, by place in a
// document, or by its words, as hits are matched with labels when a run is scored.
func (x *exam) look(ctx context.Context, s *System, l *listing) (*looked, error) {
	set, out := x.setup.Testset, &looked{}
	byID, byDocument := map[string]bool{}, map[string][]int{}
	for i := range l.chunks {
		byID[l.chunks[i].ID] = true
		byDocument[l.chunks[i].Document] = append(byDocument[l.chunks[i].Document], i)
	}
	has := func(t *assay.Target) bool {
		return byID[t.Chunk] || t.Anchored() && l.overlaps(byDocument[t.Document], t) || holding(l, t.Quote) != "" || l.holdsPart(t.Quote)
	}
	if !l.whole && s != nil {
		if err := x.fetchLabelled(ctx, s, byID); err != nil {
			return nil, err
		}
	}
	missing := map[string]bool{}
	for _, q := range set.Queries {
		labels := relevant(set, q.ID)
		if len(labels) == 0 {
			continue
		}
		out.queries++
		found := false
		for _, label := range labels {
			t := &label.Target
			switch {
			case has(t) || t.Chunk == "" && t.Quote == "" && !t.Anchored() && len(byDocument[t.Document]) > 0:
				found = true
			case t.Chunk != "" && l.whole && !missing[t.Chunk]:
				missing[t.Chunk] = true
				out.ids = append(out.ids, t.Chunk)
			}
		}
		switch {
		case found:
		case l.whole:
			out.lost = append(out.lost, q.ID)
		default:
			out.unknown++
		}
	}
	return out, nil
}

// fetchLabelled adds the labelled keys that the index has to those that were read.
func (x *exam) fetchLabelled(ctx context.Context, s *System, known map[string]bool) error {
	f, ok := assay.As[assay.ChunkFetcher](s.Store)
	if !ok {
		return nil
	}
	var keys []string
	for _, q := range x.setup.Testset.Queries {
		for _, label := range relevant(x.setup.Testset, q.ID) {
			if key := label.Target.Chunk; key != "" && !known[key] {
				keys = append(keys, key)
			}
		}
	}
	chunks, err := f.FetchChunks(ctx, keys, false)
	for _, c := range chunks {
		known[c.ID] = true
	}
	return err
}

// overlaps reports whether one of the chunks of a target's document reaches into its span.
func (l *listing) overlaps(chunks []int, t *assay.Target) bool {
	for _, i := range chunks {
		if s := l.chunks[i].Span; s != nil && s.Start < t.End && t.Start < s.End {
			return true
		}
	}
	return false
}

// holdsPart reports whether a chunk holds the beginning or the end of a quote: the rest is in its neighbour.
func (l *listing) holdsPart(quote string) bool {
	const part = 40 // bytes that no two places share by chance
	if len(quote) < 2*part {
		return false
	}
	return holding(l, strings.ToValidUTF8(quote[:part], "")) != "" || holding(l, strings.ToValidUTF8(quote[len(quote)-part:], "")) != ""
}
