package rerank_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/rerank"
)

// No rerank model is among the parts; what a real server without one says is still worth reading rightly.
func TestRealServerWithoutReranker(t *testing.T) {
	m, err := rerank.New(rerank.Options{Server: rest.Config{BaseURL: parts.LlamaEmbed(t) + "/rerank"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Rerank(t.Context(), "q", []string{"a", "b"})
	if assay.KindOf(err) != assay.KindInvalid || !strings.Contains(assay.Hint(err), "--reranking") {
		t.Errorf("%v; hint %q", err, assay.Hint(err))
	}
}
