package project

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// Bounds of what is shown of foreign text.
const (
	shownHits  = 10
	shownText  = 200 // runes of a passage
	shownQuote = 120 // runes of a gold text
)

// explain finds the rankings of a few queries among results, with what each hit earns.
func explain(set *testset.Set, results iter.Seq2[assay.Result, error], texts score.Passages, opts score.Options, queries []string) (map[string]compare.Ranking, error) {
	out := map[string]compare.Ranking{}
	for r, err := range results {
		if err != nil {
			return nil, err
		}
		if !slices.Contains(queries, r.Query) {
			continue
		}
		e := score.Explain(set, r, texts, opts)
		ranking := compare.Ranking{Hits: []compare.Hit{}, Omitted: max(0, len(e.Hits)-shownHits)}
		for _, h := range e.Hits[:min(len(e.Hits), shownHits)] {
			hit := compare.Hit{ID: h.Hit.ID, Document: h.Hit.Document, Judged: h.Judged, Grade: h.Grade, Repeat: h.Repeat}
			if texts != nil {
				text, _ := texts.Text(h.Hit.TextHash)
				hit.Text = term.Shorten(text, shownText)
				hit.Cut = strings.HasSuffix(hit.Text, "…") && !strings.HasSuffix(text, "…")
				hit.Text = strings.TrimSuffix(hit.Text, "…")
			}
			ranking.Hits = append(ranking.Hits, hit)
		}
		for i := range e.Missed {
			ranking.Missed = append(ranking.Missed, targetName(&e.Missed[i].Target))
		}
		out[r.Query] = ranking
	}
	return out, nil
}

// GoldNames are short names of what is relevant to a query: where it stands and how it begins.
func GoldNames(set *testset.Set, query string) []string {
	out := []string{}
	for _, l := range set.Labels(query) {
		if l.Grade >= assay.RelevantGrade {
			out = append(out, targetName(&l.Target))
		}
	}
	return out
}

func targetName(t *assay.Target) string {
	if t.Quote != "" {
		return fmt.Sprintf("%s: %q", cmp.Or(t.Document, t.Chunk), term.Shorten(t.Quote, shownQuote))
	}
	return cmp.Or(t.Chunk, t.Document)
}
