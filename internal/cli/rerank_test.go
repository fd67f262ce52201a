//go:build unix

package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/parts"
)

// rerankProject has pages about ships and a system that searches and reranks by the endpoint at url.
func rerankProject(t *testing.T, url string) *folder {
	f := newFolder(t)
	for i := range 8 {
		f.write(fmt.Sprintf("docs/p%d.md", i), fmt.Sprintf("The ship number %d sails to harbour %s with %s.\n", i, strings.Repeat("far ", i), []string{"iron", "bread"}[i%2]))
	}
	f.write("assay.yaml", `corpus: {path: docs, chunk: {by: none}}
models: {r: {provider: rerank, model: all-minilm, url: "`+url+`"}}
systems:
  plain: {retriever: {kind: bm25}, k: 8}
  second: {retriever: {kind: bm25}, k: 3, rerank: {model: r, depth: 8}}
measures: [recall@3]
`)
	f.run(exitOK, "add", "ships with bread", "--relevant", "p1.md")
	return f
}

// TestRerankStage runs a rerank stage on a real server: what is kept are the best of its scores among the
// candidates of the search, and the stage has a time of its own.
func TestRerankStage(t *testing.T) {
	f := rerankProject(t, parts.LlamaRerank(t)+"/rerank")
	f.run(exitOK, "run", "second")
	results := f.rankings(f.onlyRun())
	whole := records[assay.Result](f, f.onlyRun()+"/results.jsonl")
	if len(results) != 1 || len(results[0].Hits) != 3 {
		t.Fatalf("%+v", results)
	}
	for i := 1; i < 3; i++ {
		if results[0].Hits[i].Score > results[0].Hits[i-1].Score {
			t.Errorf("not in the order of the reranker: %+v", results[0].Hits)
		}
	}
	if tm := whole[0].Timings; tm.Rerank <= 0 || tm.Search <= 0 || tm.Rerank >= tm.Total {
		t.Errorf("timings %+v", tm)
	}
	p := f.run(exitOK, "search", "second", "ships with bread")
	f.says(p, "rerank")
}

// TestRerankFaults: a reply that does not say which score belongs to which text fails the query. Nothing is
// guessed, and nothing is scored 0.
func TestRerankFaults(t *testing.T) {
	for name, reply := range map[string]string{
		"missing":      `{"results":[]}`,
		"out of range": `{"results":[{"index":0,"relevance_score":1},{"index":8,"relevance_score":1}]}`,
		"twice":        `{"results":[{"index":0,"relevance_score":1},{"index":0,"relevance_score":1}]}`,
		"no index":     `[{"score":1},{"score":2},{"score":3},{"score":4},{"score":5},{"score":6},{"score":7},{"score":8}]`,
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, reply) }))
			defer s.Close()
			f := rerankProject(t, s.URL)
			f.run(exitIncomplete, "run", "second")
			whole := records[assay.Result](f, f.onlyRun()+"/results.jsonl")
			if len(whole) != 1 || whole[0].Error == nil || whole[0].Error.Kind != assay.KindMalformed || len(whole[0].Hits) != 0 ||
				!strings.Contains(whole[0].Error.Message, "the scores cannot be matched to the texts") {
				t.Errorf("%+v", whole)
			}
		})
	}
}
