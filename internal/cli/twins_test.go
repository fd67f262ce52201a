//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/parts"
)

// copies are passages of which each is there three times: as it is (g0, g1, …), with its last words changed (t0, …; similar
// enough to count as the same), and, but for one word, inside a page of three times the length (c0, …; another passage).
func copies(n int) []assay.Chunk {
	chance := rand.New(rand.NewPCG(5, 51))
	said := func(words int) []string {
		out := make([]string, words)
		for i := range out {
			out[i] = fmt.Sprintf("%c%x", 'g'+rune(chance.IntN(19)), chance.IntN(1<<16))
		}
		return out
	}
	var out []assay.Chunk
	for i := range n {
		w := said(60)
		twin := append(slices.Clone(w[:56]), said(4)...) // 52 of 60 windows: 0.87
		page := append(slices.Clone(w), said(120)...)
		page[30] = said(1)[0]
		for kind, words := range map[string][]string{"g": w, "t": twin, "c": page} {
			out = append(out, assay.Chunk{ID: fmt.Sprint(kind, i), Text: strings.Join(words, " ")})
		}
	}
	slices.SortFunc(out, func(a, b assay.Chunk) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// ranked serves rankings: the path names a list, whose ids stand for those of the query's own passage.
func ranked(t *testing.T, chunks []assay.Chunk, lists map[string]string) string {
	t.Helper()
	texts := map[string]string{}
	for _, c := range chunks {
		texts[c.ID] = c.Text
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Q string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var n int
		if _, err := fmt.Sscanf(asked.Q, "question %d", &n); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		hits := []map[string]any{}
		for i, kind := range strings.Fields(lists[r.URL.Path]) {
			id := fmt.Sprint(kind, n)
			if kind == "x" {
				id = fmt.Sprint("c", (n+1)%(len(chunks)/3))
			}
			hits = append(hits, map[string]any{"id": id, "score": 10 - i, "text": texts[id]})
		}
		if err := json.NewEncoder(w).Encode(map[string]any{"hits": hits}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// metrics are the newest means and raw means of a system in the history.
func (f *folder) metrics(system string) (metrics, raw map[string]float64) {
	f.Helper()
	type record struct {
		System  string             `json:"system"`
		Metrics map[string]float64 `json:"metrics"`
		Raw     map[string]float64 `json:"metrics_raw"`
	}
	for _, r := range records[record](f, "eval_results.jsonl") {
		if r.System == system {
			metrics, raw = r.Metrics, r.Raw
		}
	}
	return metrics, raw
}

// decode reads the document that a command printed.
func decode[T any](t *testing.T, p *process) (out T) {
	t.Helper()
	if err := json.Unmarshal(p.out.Bytes(), &out); err != nil {
		t.Fatalf("%v: %v\n%s", p.Args, err, &p.out)
	}
	return out
}

// Without any corpus, behind a service that only searches: the near-duplicate of a labelled passage is its gold item, at its
// best rank, and a page that contains nearly all of it is not. People are shown it once.
func TestNearDuplicatesOfALiveSystem(t *testing.T) {
	const n, labelled = 14, 12
	chunks := copies(n)
	url := ranked(t, chunks, map[string]string{"/first": "t g x", "/page": "c t", "/twin": "t x", "/gold": "g x"})
	f := newFolder(t)
	f.write("assay.yaml", fmt.Sprintf(`systems:
  first: {retriever: {kind: http, url: "%[1]s/first", body: '{"q": {{json .Query}}}', hits: /hits}, k: 3}
  page: {retriever: {kind: http, url: "%[1]s/page", body: '{"q": {{json .Query}}}', hits: /hits}, k: 3}
  twin: {retriever: {kind: http, url: "%[1]s/twin", body: '{"q": {{json .Query}}}', hits: /hits}, k: 3}
  gold: {retriever: {kind: http, url: "%[1]s/gold", body: '{"q": {{json .Query}}}', hits: /hits}, k: 3}
measures: [mrr@3, recall@3]
`, url))
	var queries, labels strings.Builder
	for i := range n {
		fmt.Fprintf(&queries, `{"id":"q%d","text":"question %d"}`+"\n", i, i)
		if i >= labelled {
			continue
		}
		target := assay.Target{Chunk: fmt.Sprint("g", i)}
		if i%2 == 0 { // half of the labels quote their passage, as those of people do; the others know a key only
			target.Quote = chunks[slices.IndexFunc(chunks, func(c assay.Chunk) bool { return c.ID == target.Chunk })].Text
			target.TextHash = assay.HashText(target.Quote)
		}
		line, err := json.Marshal(assay.Label{Query: fmt.Sprint("q", i), Target: target, Event: assay.EventGrade, Grade: 3, By: assay.ByHuman, Who: "ann"})
		if err != nil {
			t.Fatal(err)
		}
		labels.Write(append(line, '\n'))
	}
	f.write("testset/queries.jsonl", queries.String())
	f.write("testset/labels.jsonl", labels.String())
	f.run(exitOK, "run")
	f.run(exitOK, "rescore", f.runOf("first")) // asks no system

	if m, raw := f.metrics("first"); m["mrr@3"] != 1 || m["recall@3"] != 1 || raw["mrr@3"] != 0.5 {
		t.Errorf("twin before gold: %v, by plain ids %v; want one item at rank 1, and the gold's own rank 2", m, raw)
	}
	// A label that knows a key alone learns its text from the run, which holds no labelled passage here.
	if m, _ := f.metrics("twin"); m["mrr@3"] != 0.5 {
		t.Errorf("twin without gold: %v; want it credited where the label knows its text", m)
	}
	if m, _ := f.metrics("page"); m["mrr@3"] != 0.25 {
		t.Errorf("page before twin: %v; want rank 2 where the label knows its text", m)
	}

	// Set against a run that retrieved the labelled passages, both are seen alike.
	type compared struct {
		Pairs []struct {
			Measures []struct {
				A float64 `json:"mean_a"`
				B float64 `json:"mean_b"`
			} `json:"measures"`
		} `json:"pairs"`
		Caveats []assay.Warning `json:"caveats"`
	}
	p := f.run(exitOK, "compare", "--json", f.runOf("gold"), f.runOf("twin"))
	if c := decode[compared](t, p); c.Pairs[0].Measures[0].A != 1 || c.Pairs[0].Measures[0].B != 1 || !strings.Contains(p.out.String(), "text_from_other_side") ||
		slices.ContainsFunc(c.Caveats, func(w assay.Warning) bool { return w.Code == "recorded_differs" }) {
		t.Errorf("twin against gold: %s", &p.out)
	}

	type pool struct {
		Items   int `json:"items"`
		Sources []struct {
			Judged float64 `json:"judged"`
		} `json:"sources"`
	}
	// Each query has its passage with its twin, and another one.
	if pool := decode[pool](t, f.run(exitOK, "label", "--dry-run", "--json", f.runOf("first"))); pool.Items != 2*n || pool.Sources[0].Judged < 0.57 || pool.Sources[0].Judged > 0.58 {
		t.Errorf("%+v; want %d items and 24 of 42 hits judged", pool, 2*n)
	}
}

// In a real Chroma collection, known to assay by its listing alone, thirty passages are twenty: labels imported against it
// credit either of two near-duplicates, and people judge them once.
func TestNearDuplicatesInChroma(t *testing.T) {
	chroma, ollama := parts.Chroma(t), parts.Ollama(t)
	const n = 10
	chunks := copies(n)
	number := map[string]int{}
	for i, c := range chunks {
		number[c.ID] = i
	}
	f := newFolder(t)
	f.write("assay.yaml", fmt.Sprintf(`models: {minilm: {provider: ollama, model: %s, url: "%s"}}
systems: {store: {retriever: {kind: chroma, url: "%s", collection: %s}, embed: minilm, k: 30}}
measures: [mrr@30, recall@30]
`, ollama.Embed, ollama.URL, chroma, ingest(t, chroma, chunks)))
	var questions strings.Builder
	for i := range n {
		fmt.Fprintf(&questions, `{"query":"question %d","relevant_chunk_id":"n%d"}`+"\n", i, number[fmt.Sprint("g", i)])
	}
	f.write("questions.jsonl", questions.String())
	f.run(exitOK, "import", "questions.jsonl", "--against", "store")
	f.run(exitOK, "run")

	texts := map[string]string{}
	for _, q := range records[assay.Query](f, "testset/queries.jsonl") {
		texts[q.ID] = q.Text
	}
	want, plain := 0.0, 0.0
	for _, r := range records[assay.Result](f, f.onlyRun()+"/results.jsonl") {
		rank := func(kind string) float64 {
			id := fmt.Sprint("n", number[kind+strings.TrimPrefix(texts[r.Query], "question ")])
			return float64(1 + slices.IndexFunc(r.Hits, func(h assay.RankedHit) bool { return h.ID == id }))
		}
		want += 1 / min(rank("g"), rank("t")) / n
		plain += 1 / rank("g") / n
	}
	m, raw := f.metrics("store")
	if !alike(m["mrr@30"], want) || !alike(raw["mrr@30"], plain) || alike(want, plain) || m["recall@30"] != 1 {
		t.Errorf("mrr@30 is %v and %v by plain ids; want %v and %v (%v)", m["mrr@30"], raw["mrr@30"], want, plain, m)
	}
	type pool struct {
		Items int `json:"items"`
	}
	if got := decode[pool](t, f.run(exitOK, "label", "--dry-run", "--depth", "30", "--json")).Items; got != 2*n*n {
		t.Errorf("%d items for %d queries, want %d passages of each", got, n, 2*n)
	}
}

func alike(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// runOf is the newest run of a system.
func (f *folder) runOf(system string) string {
	f.Helper()
	type run struct {
		ID     string `json:"id"`
		System string `json:"system"`
	}
	p := f.run(exitOK, "runs", "list", "--json")
	var doc struct{ Runs []run }
	if err := json.Unmarshal(p.out.Bytes(), &doc); err != nil {
		f.Fatal(err)
	}
	for _, r := range doc.Runs {
		if r.System == system {
			return r.ID
		}
	}
	f.Fatalf("no run of %s\n%s", system, &p.out)
	return ""
}
