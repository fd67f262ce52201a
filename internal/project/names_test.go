package project

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/testset"
)

// TestIDOf: a label is named by the chunk that holds its words now, whatever it was judged under.
func TestIDOf(t *testing.T) {
	const page = "# Pages\n\nDeleted pages stay in the bin for thirty days.\n\n# Drafts\n\nDrafts belong to you alone. Nobody else finds them.\n"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	src, err := corpus.Open(corpus.Spec{Path: dir, Chunk: corpus.Chunking{By: corpus.ByHeading}})
	if err != nil {
		t.Fatal(err)
	}
	set, err := corpus.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(set.Chunks()); n != 2 {
		t.Fatalf("%d chunks", n)
	}
	c := &Corpus{Set: set}
	pages, drafts := &set.Chunks()[0], &set.Chunks()[1]
	at := func(version, quote string) assay.Target {
		start := strings.Index(page, quote)
		return assay.Target{Document: "a.md", Version: version, Start: start, End: start + len(quote), Quote: quote}
	}
	moved := at("sha256:older", "thirty days")
	moved.Start, moved.End, moved.Before = 3, 14, "Deleted pages stay in the bin for "
	stale := at("sha256:older", "thirty days")
	stale.Quote, stale.Before = "ninety days", "kept for "
	underOther := at("", "Drafts belong to you alone.")
	underOther.Chunk = pages.ID
	for name, tc := range map[string]struct {
		target assay.Target
		id     string
		part   bool
	}{
		"in this version":            {at(drafts.Version, "Drafts belong to you alone."), drafts.ID, false},
		"of no version":              {at("", "thirty days"), pages.ID, false},
		"moved":                      {moved, pages.ID, false},
		"gone":                       {stale, "", false},
		"by its key":                 {assay.Target{Chunk: drafts.ID}, drafts.ID, false},
		"by the key of another text": {assay.Target{Chunk: drafts.ID, TextHash: "sha256:other"}, "", false},
		"under a chunk cut anew":     {underOther, drafts.ID, false},
		"words alone":                {assay.Target{Quote: "Nobody else finds them."}, drafts.ID, false},
		"words of nobody":            {assay.Target{Quote: "Nobody has this."}, "", false},
		"across chunks":              {at("", page[15:70]), pages.ID, true},
		"more of the second":         {at("", page[20:95]), drafts.ID, true},
		"a document":                 {assay.Target{Document: "a.md"}, "a.md", false},
		"a document that is gone":    {assay.Target{Document: "b.md", Start: 1, End: 12, Quote: "thirty days"}, pages.ID, false},
		"nothing of this":            {assay.Target{Chunk: "x"}, "", false},
	} {
		if id, part := c.IDOf(&tc.target); id != tc.id || part != tc.part {
			t.Errorf("%s: %q, part %v; want %q, %v", name, id, part, tc.id, tc.part)
		}
	}
}

// listed is an index of two chunks that know no documents.
type listed []assay.Chunk

func (l listed) ListChunks(context.Context, assay.ListOptions) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		for _, c := range l {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// TestIDOfLiveIndex: an index without documents is searched for the words, and a place in a document it claims to hold is
// believed only where the words stand.
func TestIDOfLiveIndex(t *testing.T) {
	span := assay.Span{Start: 0, End: 29}
	set, err := corpus.Load(context.Background(), corpus.FromIndex(listed{
		{ID: "p1", Text: "Deleted pages stay in the bin for thirty days."},
		{ID: "p2", Document: "b.md", Span: &span, Text: "Another text that stood here."},
	}, "live"))
	if err != nil {
		t.Fatal(err)
	}
	c := &Corpus{Set: set}
	var _ testset.Namer = c
	for want, target := range map[string]assay.Target{
		"p1": {Document: "a.md", Version: "sha256:1", Start: 900, End: 933, Quote: "stay in the bin for thirty days."},
		"p2": {Document: "b.md", Start: 8, End: 12, Quote: "text"},
		"":   {Document: "b.md", Start: 8, End: 12, Quote: "word"},
	} {
		if id, _ := c.IDOf(&target); id != want {
			t.Errorf("%+v is %q, want %q", target, id, want)
		}
	}
}
