package rerank_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/rerank"
)

// TestRealServer speaks to llama.cpp's endpoint in both forms. The model behind it was not made to rank, so that the
// test is about which score belongs to which text, and not about which is best.
func TestRealServer(t *testing.T) {
	url := parts.LlamaRerank(t) + "/rerank"
	var texts []string
	for i := range 40 { // two batches
		texts = append(texts, fmt.Sprintf("Passage %d is about %s and %s.", i, []string{"ships", "bread", "law", "rain"}[i%4], []string{"Paris", "tax", "iron"}[i%3]))
	}
	var first []float64
	for _, form := range []rerank.Form{rerank.Documents, rerank.Texts, rerank.Auto} {
		m, err := rerank.New(rerank.Options{Server: rest.Config{BaseURL: url}, Model: "all-minilm", Form: form})
		if err != nil {
			t.Fatal(err)
		}
		scores, err := m.Rerank(t.Context(), "Which ships go to Paris?", texts)
		if err != nil || len(scores) != len(texts) {
			t.Fatalf("form %q: %d scores, %v", form, len(scores), err)
		}
		if first == nil {
			first = scores
		}
		turned, back := slices.Clone(texts), slices.Clone(scores)
		slices.Reverse(turned)
		slices.Reverse(back)
		again, err := m.Rerank(t.Context(), "Which ships go to Paris?", turned)
		if err != nil {
			t.Fatal(err)
		}
		for i := range texts {
			if math.Abs(again[i]-back[i]) > 1e-3 || math.Abs(scores[i]-first[i]) > 1e-3 {
				t.Errorf("form %q: text %d has score %v, %v when the texts are turned round", form, i, back[i], again[i])
			}
		}
		if slices.Max(scores)-slices.Min(scores) < 1e-3 {
			t.Errorf("form %q: all scores are %v", form, scores[0])
		}
	}
}

// TestRealServerRefusesLongTexts: llama.cpp takes 512 tokens and says so.
func TestRealServerRefusesLongTexts(t *testing.T) {
	m, err := rerank.New(rerank.Options{Server: rest.Config{BaseURL: parts.LlamaRerank(t) + "/rerank"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Rerank(t.Context(), "q", []string{"short", strings.Repeat("a long text ", 400)})
	if assay.KindOf(err) != assay.KindTruncated || !strings.Contains(err.Error(), "text 2 of 2") {
		t.Errorf("%v; kind %s", err, assay.KindOf(err))
	}
}

// TestRealServerWithoutReranker: what a server without a rerank model says.
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
