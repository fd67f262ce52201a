package ledger

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// TestTextsBeyondMemory: what is not held is found in the file, and nothing else is.
func TestTextsBeyondMemory(t *testing.T) {
	run, lock, err := OpenStore(t.TempDir()).Create(RunInfo{System: "s"})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	w, err := run.Writer()
	if err != nil {
		t.Fatal(err)
	}
	const n = 100
	text := func(i int) string { return strings.Repeat(fmt.Sprintf("passage %d é ", i), 10) }
	for i := range n {
		if err := w.Write(assay.Result{Query: fmt.Sprint("q", i)}, []Passage{{Hash: assay.HashText(text(i)), Title: fmt.Sprint(i), Text: text(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	texts := run.Texts()
	texts.once.Do(func() { texts.read(20 * len(text(0))) })
	if len(texts.held) < 10 || len(texts.held) > 20 || len(texts.held)+len(texts.placed) != n {
		t.Fatalf("%d passages are held and %d placed", len(texts.held), len(texts.placed))
	}
	for i := range n {
		if p, ok := texts.Passage(assay.HashText(text(i))); !ok || p.Text != text(i) || p.Title != fmt.Sprint(i) {
			t.Errorf("passage %d: %v %+v", i, ok, p)
		}
	}
	if _, ok := texts.Text(assay.HashText("nobody's")); ok || texts.Err() != nil {
		t.Errorf("a text that the run does not have: %v, %v", ok, texts.Err())
	}
	if err := os.Truncate(run.path(passagesFile), 1000); err != nil {
		t.Fatal(err)
	}
	if _, ok := texts.Text(assay.HashText(text(n - 1))); ok || texts.Err() == nil {
		t.Errorf("a passage that was cut off: %v, %v", ok, texts.Err())
	}
}
