package doctor_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/doctor"
)

// reranker serves the rerank endpoint; score is of each text for the query.
func reranker(t *testing.T, score func(query string, texts []string) []float64) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Query     string   `json:"query"`
			Documents []string `json:"documents"`
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var results []map[string]any
		for i, s := range score(req.Query, req.Documents) {
			results = append(results, map[string]any{"index": i, "relevance_score": s})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"results": results}) // the client may be gone
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// No registry has a rerank model here: the real MiniLM stands behind the endpoint, and scores by cosine.
func byMeaning(t *testing.T) func(query string, texts []string) []float64 {
	return func(query string, texts []string) []float64 {
		v := minilm(t, append([]string{query}, texts...))
		out := make([]float64, len(texts))
		for i := range texts {
			for j := range v[0] {
				out[i] += float64(v[0][j]) * float64(v[i+1][j])
			}
		}
		return out
	}
}

func TestRerank(t *testing.T) {
	name := collection(t, "cosine", handbook())
	set := labels(assay.Target{Chunk: "h-01"}, assay.Target{Chunk: "h-03"}, assay.Target{Chunk: "h-05"}, assay.Target{Chunk: "h-07"}, assay.Target{Chunk: "h-09"})
	for i, text := range []string{"how long are backups kept", "who sets up single sign-on", "when is the search index rebuilt", "what is in an export", "how are requests counted for rate limits"} {
		set.Queries[i].Text = text
	}
	honest := byMeaning(t)
	for what, c := range map[string]struct {
		score func(string, []string) []float64
		want  want
	}{
		"healthy":  {honest, want{status: doctor.OK, found: "2 of 2 obvious answers come first, and 5 of 5 labelled passages before two others"}},
		"constant": {func(_ string, texts []string) []float64 { return make([]float64, len(texts)) }, want{doctor.Fault, "no_order", "0 of 2", "--reranking"}},
		"upside down": {func(q string, texts []string) []float64 {
			s := honest(q, texts)
			for i := range s {
				s[i] = -s[i]
			}
			return s
		}, want{doctor.Fault, "no_order", "0 of 2", "is served as one"}},
		"another language": {func(q string, texts []string) []float64 { // good on what is obvious, bad on the person's own
			s := honest(q, texts)
			for i := range s {
				if q != "What is the capital of France?" && q != "How long does it take to boil an egg?" {
					s[i] = -s[i]
				}
			}
			return s
		}, want{doctor.Warning, "below_chance", "0 of 5 labelled", "without rerank"}},
	} {
		t.Run(what, func(t *testing.T) {
			r := examine(t, withModel(chromaSystem(t, name, "}, rerank: {model: rr"), fmt.Sprintf("rr: {provider: rerank, model: rr, url: %q}", reranker(t, c.score))),
				doctor.Options{Only: []string{"rerank"}}, func(s *doctor.Setup) { s.Testset = set })
			c.want.check(t, finding(t, r, "rerank", "model rr"))
		})
	}
}
