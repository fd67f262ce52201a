package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

var text = Check{
	Name: "text",
	Asks: "does each chunk come with its text?",
	Effect: "labels match by key alone, so they die with the next re-ingest; nothing can be generated, reranked or judged, " +
		"and a chunk without text answers nobody",
	Of: "corpus, systems that can list",
	run: func(ctx context.Context, x *exam) error {
		if c := x.setup.Corpus; c != nil {
			f := unchecked(errDown)
			if !x.down[corpusSubject] {
				f = x.textOf(ctx, nil)
			}
			x.add(corpusSubject, c.Where, f)
		}
		return x.systems(ctx, live, one(x.textOf))
	},
}

// textOf looks at the texts of a system's store, or of the corpus for nil.
func (x *exam) textOf(ctx context.Context, s *System) Finding {
	l, err := x.listOf(ctx, s)
	if err != nil && s != nil {
		return x.textOfHits(ctx, s, err)
	}
	if err != nil {
		return unchecked(err)
	}
	empty := 0
	for i := range l.chunks {
		if strings.TrimSpace(l.chunks[i].Text) == "" {
			empty++
		}
	}
	figures := map[string]float64{"empty": float64(empty), "chunks": float64(len(l.chunks))}
	switch {
	case empty == 0:
		f := healthy("all %d chunks have one", len(l.chunks))
		if !l.whole {
			f = healthy("the first %d chunks have one", len(l.chunks))
		}
		f.Figures = figures
		return f
	case s == nil || empty < len(l.chunks):
		return Finding{Status: Warning, Cause: "some_empty", Figures: figures, Found: l.of(empty) + " have no text: " + firstEmpty(l),
			Fix: "re-ingest these, or delete them: they take up ranks"}
	}
	return s.noText(l, figures)
}

// textOfHits looks at what comes back to a query, for a system that cannot list its chunks.
func (x *exam) textOfHits(ctx context.Context, s *System, why error) Finding {
	queries := x.queries(ctx, s, 1)
	if len(queries) == 0 || s.Embed != nil && x.down[s.Embed.subject()] {
		return unchecked(why)
	}
	resp, err := s.Whole.Search(ctx, assay.Request{Text: queries[0].Text, Filter: queries[0].Filter, K: s.K})
	if err != nil {
		return unchecked(err)
	}
	empty := 0
	for _, h := range resp.Hits {
		if strings.TrimSpace(h.Text) == "" {
			empty++
		}
	}
	switch {
	case len(resp.Hits) == 0:
		return unchecked(fmt.Errorf("a query finds nothing: see %s", repeats.Name))
	case empty == 0:
		return healthy("all %d hits of a query have one", len(resp.Hits))
	}
	return Finding{Status: Warning, Cause: "hits_without_text", Found: fmt.Sprintf("%d of the %d hits of a query come without text", empty, len(resp.Hits)),
		Fix: fmt.Sprintf("have the service return each chunk's text, and name its place: text: in systems.%s.retriever", s.Name)}
}

// noText is the finding of an index in which no chunk has a text, with the field that looks like it.
func (s *System) noText(l *listing, figures map[string]float64) Finding {
	f := Finding{Status: Fault, Cause: "no_text", Figures: figures, Found: fmt.Sprintf("no chunk has a text under %q", s.Fields.Text)}
	if s.Fields.Text == "" {
		f.Found = "no text: names the field that holds the chunk's text"
	}
	likely, names := textField(l.chunks)
	if s.Fields.Text == "" && s.Kind == "qdrant" && likely == "" {
		f.Status = Warning // an index of keys alone, as somebody may want it
	}
	switch {
	case likely != "":
		f.Fix = fmt.Sprintf("text: %s%s (in systems.%s.retriever); that field holds %d letters on average", s.Fields.Prefix, likely, s.Name, meanLength(l.chunks, likely))
	case len(names) > 0:
		f.Fix = fmt.Sprintf("ingest the text with each chunk, and name its field: text: in systems.%s.retriever; the chunks have the fields %s", s.Name, strings.Join(names, ", "))
	default:
		f.Fix = fmt.Sprintf("ingest the text with each chunk, and name its field: text: in systems.%s.retriever; the chunks have no fields at all", s.Name)
	}
	return f
}

func firstEmpty(l *listing) string {
	var ids []string
	for i := range l.chunks {
		if strings.TrimSpace(l.chunks[i].Text) == "" {
			ids = append(ids, l.chunks[i].ID)
		}
	}
	return some(ids)
}

// textField guesses which field of the metadata holds the text: the one whose values are longest, if they
// are as long as a sentence. names are all fields seen.
func textField(chunks []assay.Chunk) (likely string, names []string) {
	const sentence = 25 // letters on average
	seen := map[string]bool{}
	for i := range chunks {
		for name := range chunks[i].Metadata {
			seen[name] = true
		}
	}
	names = slices.Sorted(maps.Keys(seen))
	best := sentence
	for _, name := range names {
		if n := meanLength(chunks, name); n > best {
			likely, best = name, n
		}
	}
	return likely, names
}

// meanLength is the mean length in bytes of a field's text over all chunks.
func meanLength(chunks []assay.Chunk, field string) int {
	sum := 0
	for i := range chunks {
		if s, ok := chunks[i].Metadata[field].(string); ok {
			sum += len(s)
		}
	}
	return sum / max(1, len(chunks))
}

// some shows the first few of a list.
func some(list []string) string {
	const shown = 3
	if len(list) <= shown {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:shown], ", "), len(list)-shown)
}
