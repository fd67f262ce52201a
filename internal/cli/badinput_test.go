//go:build unix

package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/parts"
)

// TestBadDocuments: what cannot be read is named with its reason and left out; a corpus of nothing else is an
// error.
func TestBadDocuments(t *testing.T) {
	f := newFolder(t)
	f.write("assay.yaml", "corpus: {path: docs}\n")
	f.says(f.run(exitUsage, "search", "lexical", "backups"), "docs does not exist", "corpus.path is relative")
	if err := os.Mkdir(f.path("docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.says(f.run(exitUsage, "search", "lexical", "backups"), "has no documents", "hint:")
	f.write("docs/empty.md", "")
	f.write("docs/invalid.md", "abc \xff\xfe def\n")
	f.write("docs/huge.md", "")
	if err := os.Truncate(f.path("docs/huge.md"), 1<<30); err != nil { // sparse
		t.Fatal(err)
	}
	reasons := []string{"empty.md: empty", "invalid.md: invalid UTF-8: byte 0xff at offset 4", "huge.md: 1024.0 MiB, more than"}
	f.says(f.run(exitUsage, "search", "lexical", "backups"), "all 3 files or records were skipped")
	f.write("docs/good.md", "# Backups\n\nBackups are kept for thirty days on the second site.\n")
	p := f.run(exitOK, "search", "lexical", "backups")
	f.says(p, reasons...)
	if !strings.Contains(p.out.String(), "thirty days") {
		t.Errorf("found %s", &p.out)
	}
}

// TestLabelsOfAnotherIndex: a query set whose ids match nothing gives a number that means nothing, and says so.
func TestLabelsOfAnotherIndex(t *testing.T) {
	s := newService(t)
	f := newFolder(t)
	f.write("assay.yaml", s.config("workers: 2"))
	f.write("pairs.jsonl", `{"query":"how long are backups kept","relevant_chunk_id":"other-1"}`+"\n"+`{"query":"who opens the door","relevant_chunk_id":"other-2"}`+"\n")
	f.run(exitOK, "import", "pairs.jsonl")
	f.says(f.run(exitOK, "run", "app"), "no retrieved id matches any label id", "other-1")
	g := newFolder(t)
	g.write("docs/a.md", "# Backups\n\nBackups are kept for thirty days.\n")
	g.write("assay.yaml", "corpus: {path: docs}\n")
	g.write("pairs.jsonl", f.read("pairs.jsonl"))
	g.says(g.run(exitUsage, "import", "pairs.jsonl"), "other-1", "a.md#")
	if g.read("testset/queries.jsonl") != "" {
		t.Error("a refused import wrote queries")
	}
}

// TestBadReplies takes every recorded reply of the real model by itself: none makes a query, a crash or a
// second call, and each is kept with its reason.
func TestBadReplies(t *testing.T) {
	n := len(newWriter(t).replies)
	reasons := map[string]bool{}
	for only := 1; only <= n; only++ {
		s := newWriter(t)
		s.only = only
		f := newFolder(t)
		f.write("docs/a.md", "# Pumps\n\nThe pump in the cellar is serviced every spring by the same two people from town.\n")
		f.write("assay.yaml", s.config(1))
		f.says(f.run(exitFailed, "generate"), "1 query is missing", "rejects.jsonl has the reasons")
		rejects := records[generate.Reject](f, "testset/rejects.jsonl")
		if len(rejects) != 1 || rejects[0].Reason == "" || f.read("testset/queries.jsonl") != "" {
			t.Fatalf("reply %d: rejects %+v", only, rejects)
		}
		reasons[strings.SplitN(rejects[0].Rule+" "+rejects[0].Reason, ":", 2)[0]] = true
		f.run(exitFailed, "generate")
		if calls := len(s.soFar()); calls != 1 {
			t.Errorf("reply %d: %d calls", only, calls)
		}
	}
	for _, want := range []string{"reply truncated", "reply empty"} {
		if !reasons[want] {
			t.Errorf("no recorded reply is %q, only %v", want, reasons)
		}
	}
}

// TestBadCollection: what does not fit is refused before a query is sent, by a real Chroma.
func TestBadCollection(t *testing.T) {
	chroma, ollama := parts.Chroma(t), parts.Ollama(t)
	f := newFolder(t)
	f.write("assay.yaml", fmt.Sprintf(`models: {minilm: {provider: ollama, model: %s, url: "%s"}}
systems:
  narrow: {retriever: {kind: chroma, url: "%s", collection: %s}, embed: minilm}
  absent: {retriever: {kind: chroma, url: "%s", collection: assay_cli_no_such}, embed: minilm}
  down: {retriever: {kind: chroma, url: "http://127.0.0.1:9", collection: x}, embed: minilm}
run: {retries: 0}
`, ollama.Embed, ollama.URL, chroma, collection(t, chroma, 3), chroma))
	f.write("q.txt", "how long are backups kept\n")
	f.run(exitOK, "import", "q.txt")
	f.says(f.run(exitUsage, "run", "narrow"), "gives vectors of 384 dimensions, and the index holds vectors of 3", "embed: MODEL")
	f.says(f.run(exitUsage, "run", "absent"), "assay_cli_no_such", "does not exist", "other collections")
	f.says(f.run(exitFailed, "run", "down"), "connection refused", "start the server")
	if _, err := os.Stat(f.path("runs")); err == nil {
		t.Error("a run was begun that cannot work")
	}
	// Each system's error keeps its own hint, and the gravest code is that of the command.
	f.says(f.run(exitUsage, "run"), "system narrow:", "embed: MODEL", "system absent:", "other collections", "system down:", "start the server")
}
