//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/demo"
	"github.com/assay-eval/assay/internal/parts"
)

// TestKilledGenerating kills a generation at fifty random moments. A chunk that was asked about is not asked
// about again, whatever the reply was, and the test set is that of a generation nobody killed.
func TestKilledGenerating(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const sample, kills = 45, 50
	s := newWriter(t)
	project := func() *folder {
		f := newFolder(t)
		if err := os.CopyFS(f.path("docs"), demo.Docs()); err != nil {
			t.Fatal(err)
		}
		f.write("assay.yaml", s.config(sample))
		return f
	}
	unbroken, f := project(), project()
	want := unbroken.run(exitOK, "generate")
	s.forget()
	s.delay = 12 * time.Millisecond
	got, killed := s.kill(f, rand.New(rand.NewPCG(7, 52)), kills, 4, 12*time.Millisecond, "generate")
	t.Logf("%d kills, %d calls, unbroken: %s", killed, len(s.soFar()), &want.out)
	if !strings.Contains(got.out.String(), fmt.Sprintf("%d in the test set", sample)) {
		t.Errorf("it says %s", &got.out)
	}
	if diff := cmp.Diff(timeless[assay.Query](unbroken, "testset/queries.jsonl"), timeless[assay.Query](f, "testset/queries.jsonl")); diff != "" {
		t.Errorf("queries (-unbroken +killed):\n%s", diff)
	}
	if diff := cmp.Diff(timeless[assay.Label](unbroken, "testset/labels.jsonl"), timeless[assay.Label](f, "testset/labels.jsonl")); diff != "" {
		t.Errorf("labels (-unbroken +killed):\n%s", diff)
	}
	labelled := map[string]bool{}
	for _, l := range records[assay.Label](f, "testset/labels.jsonl") {
		labelled[l.Query] = true
	}
	for _, q := range records[assay.Query](f, "testset/queries.jsonl") {
		if !labelled[q.ID] {
			t.Errorf("query %s has no label", q.ID)
		}
	}
	rejects := timeless[generate.Reject](f, "testset/rejects.jsonl")
	if diff := cmp.Diff(timeless[generate.Reject](unbroken, "testset/rejects.jsonl"), rejects); diff != "" {
		t.Errorf("rejects (-unbroken +killed):\n%s", diff)
	}
	rules := map[string]bool{}
	for _, r := range rejects {
		rules[r.(map[string]any)["rule"].(string)] = true
	}
	if !rules["reply"] || !rules["evidence"] {
		t.Errorf("the sample met the rules %v only, so that not every kind of reply was killed", rules)
	}
}

// timeless are the records of a file without their times.
func timeless[T any](f *folder, name string) []any {
	f.Helper()
	records[T](f, name) // each line is whole and of its type
	out := records[any](f, name)
	for _, r := range out {
		delete(r.(map[string]any), "time")
		delete(r.(map[string]any), "created")
	}
	return out
}

// TestKilledBetweenRealServers puts counting proxies before Ollama and Chroma and kills a run that embeds
// and searches, one call after another: no embedding and no search that was finished is asked for again.
func TestKilledBetweenRealServers(t *testing.T) {
	chroma, ollama := parts.Chroma(t), parts.Ollama(t)
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const kills = 12
	var calls traffic
	f := newFolder(t)
	f.write("assay.yaml", fmt.Sprintf(`models: {minilm: {provider: ollama, model: %s, url: "%s"}}
systems: {docs: {retriever: {kind: chroma, url: "%s", collection: %s}, embed: minilm, k: 5}}
run: {workers: 1}
`, ollama.Embed, calls.proxy(t, ollama.URL, embedCall), calls.proxy(t, chroma, searchCall), collection(t, chroma, 384)))
	questions, err := demo.Questions()
	if err != nil {
		t.Fatal(err)
	}
	var pairs strings.Builder
	for i, q := range questions[:40] {
		line, err := json.Marshal(map[string]string{"query": q.Query, "relevant_chunk_id": fmt.Sprint("c", i)})
		if err != nil {
			t.Fatal(err)
		}
		pairs.Write(append(line, '\n'))
	}
	f.write("pairs.jsonl", pairs.String())
	f.run(exitOK, "import", "pairs.jsonl")
	if _, killed := calls.kill(f, rand.New(rand.NewPCG(7, 53)), kills, 9, 20*time.Millisecond, "run"); killed < kills {
		t.Fatalf("it ended before it was killed, after %d kills", killed)
	}
	if got := len(f.rankings(f.onlyRun())); got != 40 {
		t.Errorf("%d rankings", got)
	}
	t.Logf("%d calls for 40 queries and %d kills", len(calls.soFar()), kills)
}

func embedCall(path string, body []byte) string {
	if path != "/api/embed" {
		return ""
	}
	return "embed " + string(body)
}

func searchCall(path string, body []byte) string {
	if !strings.HasSuffix(path, "/query") {
		return ""
	}
	return "search " + string(body)
}

// collection makes a Chroma collection of forty items with vectors of that many dimensions.
func collection(t testing.TB, url string, dimension int) string {
	t.Helper()
	base := url + "/api/v2/tenants/default_tenant/databases/default_database/collections"
	name := collectionNamed(t, url)
	var made struct{ ID string }
	post(t, base, map[string]any{"name": name}, &made)
	chance := rand.New(rand.NewPCG(7, 54))
	var ids, texts []string
	var vectors [][]float32
	for i := range 40 {
		ids, texts = append(ids, fmt.Sprint("c", i)), append(texts, fmt.Sprint("text ", i))
		v := make([]float32, dimension)
		for d := range v {
			v[d] = float32(chance.NormFloat64())
		}
		vectors = append(vectors, v)
	}
	post(t, base+"/"+made.ID+"/add", map[string]any{"ids": ids, "documents": texts, "embeddings": vectors}, nil)
	return name
}

// collectionNamed is a name that no other test has; the collection is removed when the test ends.
func collectionNamed(t testing.TB, url string) string {
	t.Helper()
	name := fmt.Sprintf("assay_cli_%08x", rand.Uint32())
	t.Cleanup(func() {
		req, err := http.NewRequest(http.MethodDelete, url+"/api/v2/tenants/default_tenant/databases/default_database/collections/"+name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			resp.Body.Close()
		}
	})
	return name
}

func post(t testing.TB, url string, body, out any) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(url, "application/json", strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode > 299 {
		t.Fatalf("%s: %s", url, resp.Status)
	}
	if out != nil {
		if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
			t.Fatal(err)
		}
	}
}
