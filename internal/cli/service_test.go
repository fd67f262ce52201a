//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/internal/demo"
)

// service is a retrieval service as people put one before their index: POST {"q","k"}, back come
// {"results":[{"id","score","text"}]}. It searches the demo's handbook and counts what it is asked.
type service struct {
	url    string
	chunks []assay.Chunk
	index  *bm25.Index
	delay  time.Duration // of every answer

	traffic // by query text

	guard sync.Mutex
	upset func(n int, w http.ResponseWriter, r *http.Request) bool
	base  int // calls before upset was set
}

func newService(t testing.TB) *service {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, demo.Docs()); err != nil {
		t.Fatal(err)
	}
	src, err := corpus.Open(corpus.Spec{Path: dir, Chunk: corpus.Chunking{By: corpus.ByFixed, Size: 40, Unit: corpus.Word}})
	if err != nil {
		t.Fatal(err)
	}
	s := &service{}
	for c, err := range src.Chunks(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		s.chunks = append(s.chunks, c)
	}
	if s.index, err = bm25.Build(t.Context(), each(s.chunks), bm25.Config{K1: 0.9, B: 0.4, Analyzer: "english"}); err != nil {
		t.Fatal(err)
	}
	s.url = s.serve(t, s)
	return s
}

// each yields the chunks as an index takes them.
func each(chunks []assay.Chunk) func(func(assay.Chunk, error) bool) {
	return func(yield func(assay.Chunk, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// fail has the service behave as f says from now on; f returns true when it has answered the n-th search
// (from 0) by itself. nil is a healthy service.
func (s *service) fail(f func(n int, w http.ResponseWriter, r *http.Request) bool) {
	s.guard.Lock()
	defer s.guard.Unlock()
	s.upset, s.base = f, len(s.soFar())
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Q string `json:"q"`
		K int    `json:"k"`
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.guard.Lock()
	upset, n := s.upset, s.note(req.Q)-s.base
	s.guard.Unlock()
	if upset != nil && upset(n, w, r) {
		return
	}
	if s.delay > 0 {
		time.Sleep(s.delay)
	}
	resp, err := s.index.Search(r.Context(), assay.Request{Text: req.Q, K: req.K})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"results": resp.Hits}) // the client may be dead
}

// config is an assay.yaml with the service as its one system, called app.
func (s *service) config(run string) string {
	return fmt.Sprintf(`systems:
  app: {retriever: {kind: http, url: "%s", body: '{"q": {{json .Query}}, "k": {{.K}}}', hits: /results, id: /id, score: /score, text: /text}, k: 5}
run: {%s}
`, s.url, run)
}

// project makes a project whose system is the service, with n queries, each of some words of a chunk
// that is labelled as relevant to it.
func (s *service) project(t testing.TB, n int, run string) *folder {
	t.Helper()
	f := newFolder(t)
	f.write("assay.yaml", s.config(run))
	var lines strings.Builder
	seen := map[string]bool{}
	for at := 0; len(seen) < n; at++ {
		if at == 40 {
			t.Fatalf("the handbook has words for %d queries only", len(seen))
		}
		for _, c := range s.chunks {
			words := strings.Fields(c.Text)
			if at+4 > len(words) || len(seen) == n {
				continue
			}
			q := strings.Join(words[at:at+4], " ")
			if !seen[q] {
				seen[q] = true
				line, err := json.Marshal(map[string]string{"query": q, "relevant_chunk_id": c.ID})
				if err != nil {
					t.Fatal(err)
				}
				lines.Write(append(line, '\n'))
			}
		}
	}
	f.write("pairs.jsonl", lines.String())
	f.run(0, "import", "pairs.jsonl")
	return f
}

// rankings are the results of a run as they are compared: the last line of each query, by query.
func (f *folder) rankings(run string) []assay.Result {
	f.Helper()
	last := map[string]assay.Result{}
	for _, r := range records[assay.Result](f, run+"/results.jsonl") {
		r.Timings, r.Attempts = assay.Timings{}, 0
		last[r.Query] = r
	}
	var out []assay.Result
	for _, r := range last {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b assay.Result) int { return strings.Compare(a.Query, b.Query) })
	return out
}
