package doctor

import (
	"context"
	"errors"
	"fmt"
)

var duplicates = Check{
	Name: "duplicates",
	Asks: "is the same text in the index several times?",
	Effect: "copies take ranks from each other and from what is new: the top holds fewer different passages than it seems, and plain ids " +
		"count the copy of a right answer as wrong",
	Of: "corpus, systems that can list",
	run: func(ctx context.Context, x *exam) error {
		if c := x.setup.Corpus; c != nil {
			f := unchecked(errDown)
			if !x.down[corpusSubject] {
				f = x.duplicates(ctx, nil)
			}
			x.add(corpusSubject, c.Where, f)
		}
		return x.systems(ctx, live, one(x.duplicates))
	},
}

// The shares of chunks that are copies: above the first a warning, from the second on something was most
// likely ingested twice.
const (
	someCopies = 0.01
	manyCopies = 0.2
)

// duplicates looks at a system's store, or at the corpus for nil.
func (x *exam) duplicates(ctx context.Context, s *System) Finding {
	if x.setup.Classes == nil {
		return unchecked(errors.New("nothing is there to compare texts with"))
	}
	l, err := x.listOf(ctx, s)
	if err != nil {
		return unchecked(err)
	}
	var texts []string
	var at []int
	for i := range l.chunks {
		if l.chunks[i].Text != "" {
			texts, at = append(texts, l.chunks[i].Text), append(at, i)
		}
	}
	if len(texts) == 0 {
		return unchecked(errors.New("no chunk has a text"))
	}
	copies, equal := 0, 0
	example := ""
	for i, c := range x.setup.Classes(texts) {
		if c == i {
			continue
		}
		if copies++; texts[i] == texts[c] {
			equal++
		}
		if example == "" {
			example = fmt.Sprintf("%s is %s again", l.chunks[at[i]].ID, l.chunks[at[c]].ID)
		}
	}
	share := float64(copies) / float64(len(texts))
	f := Finding{Status: OK, Found: fmt.Sprintf("%s repeat another (%.1f %%)", l.of(copies), 100*share),
		Figures: map[string]float64{"copies": float64(copies), "equal": float64(equal), "chunks": float64(len(texts)), "share": share}}
	if share < someCopies {
		return f
	}
	f.Status, f.Cause = Warning, "copies"
	f.Found = fmt.Sprintf("%s repeat another to the word or nearly so (%.1f %%), %d of them exactly: %s", l.of(copies), 100*share, equal, example)
	f.Fix = "leave copies out when you ingest; until then read the headline measures, which count near-duplicates as one, and not metrics_raw"
	if share >= manyCopies {
		f.Status, f.Cause = Fault, "ingested_twice"
		f.Fix = "build the index anew, with ids made from document and place (or from the text's hash) so that a second ingestion overwrites the first"
	}
	return f
}

// listOf reads the chunks of a system, or of the corpus for nil.
func (x *exam) listOf(ctx context.Context, s *System) (*listing, error) {
	if s == nil {
		return x.listCorpus(ctx)
	}
	return x.list(ctx, s)
}
