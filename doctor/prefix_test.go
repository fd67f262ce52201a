package doctor_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/doctor"
	"github.com/assay-eval/assay/internal/parts"
)

// nomic is an assay.yaml in which the real llama.cpp server, which takes any name for its model, is asked for
// nomic-embed-text; settings go to the model.
func nomic(t *testing.T, collection, settings string) string {
	return fmt.Sprintf(`models:
  nomic: {provider: openai, model: "nomic-embed-text:v1.5", url: %q%s}
systems:
  live: {retriever: {kind: chroma, url: %q, collection: %s}, embed: nomic}
`, parts.LlamaEmbed(t), settings, parts.Chroma(t), collection)
}

func questions() *doctor.Testset {
	set := labels(assay.Target{Chunk: "h-01"}, assay.Target{Chunk: "h-03"}, assay.Target{Chunk: "h-05"}, assay.Target{Chunk: "h-07"},
		assay.Target{Chunk: "h-09"}, assay.Target{Chunk: "h-12"})
	for i, text := range []string{"how long are backups kept", "who sets up single sign-on", "when is the search index rebuilt", "what is in an export",
		"how are requests counted for rate limits", "what happens when a webhook fails"} {
		set.Queries[i].Text = text
	}
	return set
}

func TestPrefix(t *testing.T) {
	plain := collection(t, "cosine", handbook())
	prefixed := collection(t, "cosine", embeddedAs(handbook(), func(s string) string { return "search_document: " + s }))
	const both = `, query_prefix: "search_query: ", document_prefix: "search_document: "`
	const line = `query_prefix: "search_query: ", document_prefix: "search_document: " (in models.nomic)`
	for name, c := range map[string]struct {
		collection, settings string
		set                  *doctor.Testset
		want                 want
	}{
		"healthy":                       {prefixed, both, questions(), want{status: doctor.OK, found: "has those it was trained with"}},
		"forgotten, the index has them": {prefixed, "", questions(), want{doctor.Warning, "missing", "on 6 labelled queries among 12 passages the mean reciprocal rank is", line + "; the collection " + prefixed + " is already embedded like that"}},
		"forgotten on both sides":       {plain, "", questions(), want{doctor.Warning, "missing", "on 6 labelled queries among 12 passages", line + ", and embed the chunks of the collection " + plain + " again with it: they were embedded without"}},
		"query side only":               {prefixed, `, document_prefix: "search_document: "`, questions(), want{doctor.Warning, "missing", `and has "" and "search_document: "`, `query_prefix: "search_query: " (in models.nomic)`}},
		"exchanged":                     {prefixed, `, document_prefix: "search_query: ", query_prefix: "search_document: "`, questions(), want{doctor.Warning, "swapped", "mean reciprocal rank", line}},
		"without labels":                {plain, "", nil, want{doctor.Warning, "missing", "not measured: fewer than 5 labelled queries", line}},
	} {
		t.Run(name, func(t *testing.T) {
			r := examine(t, nomic(t, c.collection, c.settings), doctor.Options{Only: []string{"prefix"}}, func(s *doctor.Setup) { s.Testset = c.set })
			f := finding(t, r, "prefix", "model nomic")
			if f.Status == doctor.Fault { // MiniLM stands behind the name: which way the figures go is its own affair
				f.Status = doctor.Warning
			}
			c.want.check(t, f)
		})
	}
	r := examine(t, chromaSystem(t, plain, ""), doctor.Options{Only: []string{"prefix"}})
	want{status: doctor.OK, found: "all-minilm is not known to need any"}.check(t, finding(t, r, "prefix", "model minilm"))
}

// trained is MiniLM as it would be had it been trained with prefixes: a text without its prefix is half lost.
type trained struct{ assay.Embedder }

func (m trained) Embed(ctx context.Context, r assay.EmbedRequest) (assay.EmbedReply, error) {
	texts := make([]string, len(r.Texts))
	for i, text := range r.Texts {
		var ok bool
		for _, prefix := range []string{"search_query: ", "search_document: "} {
			if texts[i], ok = strings.CutPrefix(text, prefix); ok {
				break
			}
		}
		if !ok {
			texts[i] = "a text about something, " + text[:min(5, len(text))]
		}
	}
	r.Texts = texts
	return m.Embedder.Embed(ctx, r)
}

// joining is a model whose tokenizer takes "query:what" for one word, as one of SentencePiece may.
type joining struct{ assay.Embedder }

func (m joining) Embed(ctx context.Context, r assay.EmbedRequest) (assay.EmbedReply, error) {
	texts := slices.Clone(r.Texts)
	for i, text := range texts {
		if strings.HasPrefix(text, "search_") && !strings.Contains(text, "y: ") {
			texts[i] = "an unknown word, " + text[len(text)/2:]
		}
	}
	r.Texts = texts
	return m.Embedder.Embed(ctx, r)
}

// A prefix without its last blank is right where the tokenizer drops blanks, as MiniLM's does, and wrong where it does not.
func TestPrefixBlank(t *testing.T) {
	prefixed := collection(t, "cosine", embeddedAs(handbook(), func(s string) string { return "search_document: " + s }))
	const settings = `, query_prefix: "search_query:", document_prefix: "search_document: "`
	o := doctor.Options{Only: []string{"prefix"}}
	want{status: doctor.OK, found: "has those it was trained with"}.check(t, finding(t, examine(t, nomic(t, prefixed, settings), o), "prefix", "model nomic"))
	r := examine(t, nomic(t, prefixed, settings), o, func(s *doctor.Setup) { s.Models[0].Embedder = joining{s.Models[0].Embedder} })
	want{doctor.Warning, "blank", `and has "search_query:"`, `query_prefix: "search_query: " (in models.nomic)`}.check(t, finding(t, r, "prefix", "model nomic"))
}

// What the prefixes are worth decides between a warning and a fault.
func TestPrefixEffect(t *testing.T) {
	yaml := nomic(t, collection(t, "cosine", handbook()), "")
	r := examine(t, yaml, doctor.Options{Only: []string{"prefix"}}, func(s *doctor.Setup) {
		s.Testset = questions()
		s.Models[0].Embedder = trained{s.Models[0].Embedder}
	})
	f := finding(t, r, "prefix", "model nomic")
	want{doctor.Fault, "missing", "mean reciprocal rank", "query_prefix"}.check(t, f)
	if with, as := f.Figures["mrr_with_prefixes"], f.Figures["mrr"]; with < 0.8 || as > with-0.2 || f.Figures["margin_with_prefixes"] <= f.Figures["margin"] {
		t.Errorf("figures %v", f.Figures)
	}
}
