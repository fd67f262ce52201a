package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/internal/term"
)

// Every label that lies in a document of the corpus keeps what stands around it there, however it was made: without it,
// a short quote that moved is not found again.
func TestLabelsKeepTheirSurroundings(t *testing.T) {
	t.Chdir(t.TempDir())
	run := func(args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := Run(t.Context(), args, &term.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != 0 {
			t.Fatalf("%v ended with %d: %s%s", args, code, &out, &errs)
		}
	}
	run("demo", "d")
	t.Chdir("d")
	if err := os.RemoveAll("testset"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("pairs.jsonl", []byte(`{"query":"what do pages do","relevant_chunk_id":"admin/access.md#220-523"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	run("import", "pairs.jsonl")
	run("add", "who has access", "--relevant", "admin/access.md#525-672")
	run("generate", "--method", "known-item", "--sample", "12")
	data, err := os.ReadFile("testset/labels.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	labels := 0
	for line := range bytes.Lines(data) {
		var l assay.Label
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join("docs", filepath.FromSlash(l.Target.Document)))
		if err != nil {
			t.Fatal(err)
		}
		want, err := anchor.New(&assay.Document{ID: l.Target.Document, Text: string(text)}, l.Target.Span())
		if err != nil {
			t.Fatal(err)
		}
		got := assay.Anchor{Document: l.Target.Document, Version: l.Target.Version, Start: l.Target.Start, End: l.Target.End,
			Quote: l.Target.Quote, Before: l.Target.Before, After: l.Target.After}
		if got != want {
			t.Errorf("%s, by %s:\n got %+v\nwant %+v", l.Query, l.Who, got, want)
		}
		labels++
	}
	if labels != 14 {
		t.Errorf("%d labels", labels)
	}
}
