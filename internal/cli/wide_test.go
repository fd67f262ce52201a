//go:build unix

package cli

import (
	"fmt"
	"strings"
	"testing"
)

// TestLabelsWiderThanChunks: queries were written about whole pages, and the pages are cut by sentence now. Recall
// falls to nothing, for which no retriever is to blame, and the run says so.
func TestLabelsWiderThanChunks(t *testing.T) {
	f := newFolder(t)
	for i, thing := range strings.Fields("backups pumps doors badges servers cellars windows ladders") {
		f.write(fmt.Sprintf("docs/%s.md", thing), fmt.Sprintf("All %s are looked after by the people of team %d. The %s need a check every spring, when the weather allows it. "+
			"Whoever finds %s that are broken calls the desk. New %s are ordered in autumn, and stand in the yard until winter.\n", thing, i, thing, thing, thing))
	}
	const sentences = "corpus.chunk={by: sentence, size: 10, overlap: 0, unit: word}"
	f.write("assay.yaml", "corpus: {path: docs, chunk: {by: none}}\nmeasures: [recall@10, span_recall@10]\n")
	f.run(exitOK, "generate", "--method", "known-item", "--sample", "8")
	if p := f.run(exitOK, "run"); strings.Contains(p.err.String(), "wider than") {
		t.Errorf("a false alarm:\n%s", &p.err)
	}
	p := f.run(exitOK, "run", "--set", sentences)
	f.says(p, "100.0 % of the relevant passages (8 of 8) are wider than this index cuts", "span_recall@k", "narrower evidence")
	if !strings.Contains(p.out.String(), "recall@10\t0.0000") {
		t.Errorf("recall is\n%s", &p.out)
	}
}
