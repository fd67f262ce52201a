package draft

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/llm"
)

// What stands before queries follows from what was seen before the stored texts, and from the model's card.
func TestQueryPrefixes(t *testing.T) {
	for name, c := range map[string]struct {
		model, seen string
		check       Check
		query, doc  string
	}{
		"the family's own":                     {"nomic-embed-text", "search_document: ", Reproduced, "search_query: ", "search_document: "},
		"embedded without, against the card":   {"nomic-embed-text", "", Reproduced, "", ""},
		"not tried: by the card":               {"nomic-embed-text:v1.5", "", Unchecked, "search_query: ", "search_document: "},
		"queries only":                         {"mxbai-embed-large", "", Reproduced, "Represent this sentence for searching relevant passages: ", ""},
		"a family of instructions":             {"qwen3-embedding:0.6b", "", Reproduced, "Instruct: " + llm.DefaultTask + "\nQuery:", ""},
		"no family, no prefix":                 {"all-minilm", "", Reproduced, "", ""},
		"no family, and a prefix all the same": {"all-minilm", "passage: ", Reproduced, "query: ", "passage: "},
	} {
		e := &Embedder{Model: c.model, DocumentPrefix: c.seen, Check: c.check}
		e.family, e.known = llm.FindPrefix(c.model)
		e.prefixes()
		if e.QueryPrefix != c.query || e.DocumentPrefix != c.doc {
			t.Errorf("%s: %q and %q, want %q and %q", name, e.QueryPrefix, e.DocumentPrefix, c.query, c.doc)
		}
		d := &Draft{}
		d.prefixNotes(e)
		if len(d.Notes) != 1 || c.query == "" && d.Notes[0].Status != Unknown || c.query != "" && d.Notes[0].Status != Guessed {
			t.Errorf("%s: %v", name, d.Notes)
		}
	}
}

// The model's own prefix is tried first, then none, then those of others.
func TestPrefixesTried(t *testing.T) {
	e := &Embedder{}
	e.family, e.known = llm.FindPrefix("multilingual-e5-large")
	if got := strings.Join(e.documentPrefixes()[:2], "|"); got != "passage: |" {
		t.Errorf("%q", got)
	}
	if got := (&Embedder{}).documentPrefixes(); got[0] != "" || len(got) < 4 {
		t.Errorf("%q", got)
	}
}
