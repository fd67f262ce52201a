//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// embedding is an OpenAI-compatible server whose vectors are drawn from the text. It never answers a call with
// more than most texts, as a CPU that is too slow for a batch does not before the deadline.
func embedding(t testing.TB, most int) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/embeddings") {
			http.NotFound(w, r)
			return
		}
		var req struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if len(req.Input) > most {
			<-r.Context().Done()
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var data []item
		for i, text := range req.Input {
			h := fnv.New32a()
			_, _ = h.Write([]byte(text))
			v := h.Sum32()
			data = append(data, item{i, []float32{float32(v % 97), float32(v % 89), 1}})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "model": "m"})
	}))
	t.Cleanup(s.Close)
	return s
}

// denseProject is a project of n pages, searched by vectors.
func denseProject(t testing.TB, n int, url, model string) *folder {
	t.Helper()
	f := newFolder(t)
	for i := range n {
		f.write(fmt.Sprintf("docs/%02d.md", i), fmt.Sprintf("# Page %d\n\nThe pump in cellar %d is serviced in spring.\n", i, i))
	}
	f.write("assay.yaml", fmt.Sprintf(`corpus: {path: docs}
models: {m: {provider: openai, model: m, url: "%s/v1"%s}}
systems: {dense: {retriever: {kind: exact}, embed: m}}
run: {retries: 0}
`, url, model))
	return f
}

// TestSlowEmbedding: where a batch takes longer than it may, the hint names the two settings that help, and one
// of them does. What was embedded is not asked for again.
func TestSlowEmbedding(t *testing.T) {
	f := denseProject(t, 9, embedding(t, 3).URL, ", timeout: 1s")
	f.says(f.run(exitFailed, "search", "dense", "which pump"), "a call embeds up to 16 texts in at most 1s", "models.m.batch lower or models.m.timeout higher")
	f.run(exitOK, "search", "dense", "which pump", "--set", "models.m.batch=3")
}

// TestSearchWhereNothingMayBeWritten: a cache saves calls and decides nothing.
func TestSearchWhereNothingMayBeWritten(t *testing.T) {
	f := denseProject(t, 2, embedding(t, 100).URL, "")
	if err := os.Chmod(f.dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(f.dir, 0o755) })
	p := f.prepare("search", "dense", "which pump")
	f.asNobody(p)
	f.launch(p)
	if f.result(p); p.code != exitOK || strings.Count(p.out.String(), "\n") != 3 {
		t.Errorf("ended with %d\n%s%s", p.code, &p.out, &p.err)
	}
	f.says(p, "warning: the answers of models are not kept", "permission denied")
	if p := f.run(exitOK, "search", "dense", "which pump"); os.Geteuid() == 0 && strings.Contains(p.err.String(), "not kept") {
		t.Errorf("warned where it may write:\n%s", &p.err)
	}
}

// TestUncheckedIDs: without a corpus, the import says that ids were not looked up and how they can be.
func TestUncheckedIDs(t *testing.T) {
	f := newFolder(t)
	f.write("pairs.jsonl", `{"query":"how long are backups kept","relevant_chunk_id":"a-1"}`+"\n")
	f.write("assay.yaml", "systems:\n  live: {retriever: {kind: qdrant, collection: docs, text: payload.text}}\n  app: {retriever: {kind: command, command: cat}}\n")
	f.says(f.run(exitOK, "import", "pairs.jsonl", "-q"), "ids were not looked up", "there is no corpus; --against live looks them up in that index")
	f.write("assay.yaml", "systems:\n  app: {retriever: {kind: command, command: cat}}\n")
	f.says(f.run(exitOK, "import", "pairs.jsonl", "-q"), "no system whose chunks can be listed")
	if p := f.run(exitOK, "import", "pairs.jsonl", "--no-check"); strings.Contains(p.err.String(), "--against") {
		t.Errorf("advice that was not asked for:\n%s", &p.err)
	}
}
