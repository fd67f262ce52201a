//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/parts"
)

// TestExchangeWithLiveIndex: in a project that has nothing but a live Chroma collection, the hints of import and export
// work as they are printed, without the embedding model, which is not running here; labels tied to text leave under the
// ids of that collection and come back as a folder.
func TestExchangeWithLiveIndex(t *testing.T) {
	dir, collection := handbook(t, "guide/pages.md")
	f := &folder{TB: t, dir: dir}
	f.write("assay.yaml", fmt.Sprintf(`version: 1
models:
  gone: {provider: ollama, model: all-minilm, url: "http://127.0.0.1:1"}
systems:
  live: {retriever: {kind: chroma, url: %q, collection: %s}, embed: gone}
`, parts.Chroma(t), collection))
	const id = "guide/pages.md-0"
	f.write("pairs.jsonl", `{"query":"what is a page","relevant_chunk_id":"`+id+`"}`+"\n")
	hinted := func(p *process) []string {
		t.Helper()
		_, after, _ := strings.Cut(p.err.String(), "assay "+p.Args[1])
		command, _, ok := strings.Cut(strings.ReplaceAll(after, "`", "\n"), "\n")
		if !ok || !strings.Contains(command, "--against live") {
			t.Fatalf("no command in\n%s", &p.err)
		}
		return append([]string{p.Args[1]}, strings.Fields(command)...)
	}
	f.run(0, hinted(f.run(0, "import", "pairs.jsonl"))...)
	if labels := f.read("testset/labels.jsonl"); !strings.Contains(labels, `"text_hash"`) {
		t.Errorf("labels were not looked up: %s", labels)
	}

	f.write("quotes.jsonl", `{"query":"how long do deleted pages stay","grade":3,"scale":"assay","target":{"document":"elsewhere.md","start":911,"end":978,"quote":"A deleted page goes to the space's bin and stays there for 30 days."}}`+"\n")
	if err := os.RemoveAll(filepath.Join(dir, "testset")); err != nil {
		t.Fatal(err)
	}
	f.run(0, "import", "quotes.jsonl", "--against", "live")
	f.run(0, hinted(f.run(2, "export", "--form", "trec", "--out", "trec"))...)
	qrels := f.read("trec/qrels.txt")
	if !strings.Contains(qrels, " 0 guide/pages.md-") {
		t.Errorf("qrels: %s", qrels)
	}
	if err := os.RemoveAll(filepath.Join(dir, "testset")); err != nil {
		t.Fatal(err)
	}
	if out := f.run(0, "import", "trec", "--against", "live").out.String(); !strings.Contains(out, "1 query (1 new), 1 label (1 new)") {
		t.Errorf("%s", out)
	}
}
