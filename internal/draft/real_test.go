package draft

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/discover"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/openai"
)

// notices are short passages with words that are all their own.
func notices() []string {
	var out []string
	for i, what := range []string{"backups are kept thirty days", "the mail queue is drained hourly", "invoices leave on Mondays", "Größere Anhänge werden abgewiesen",
		"sessions end after a night", "a deleted page rests in the bin", "the index is rebuilt at dawn", "passwords have twelve letters"} {
		out = append(out, fmt.Sprintf("Notice %d of the handbook: %s, unless an administrator says otherwise.", i, what))
	}
	return out
}

// embed asks the real model, as llama.cpp serves it.
func embed(t *testing.T, prefix string, texts []string) [][]float32 {
	t.Helper()
	c, err := openai.New(openai.Options{Server: rest.Config{BaseURL: parts.LlamaEmbed(t), Timeout: 5 * time.Minute}, Model: "all-minilm"})
	if err != nil {
		t.Fatal(err)
	}
	in := make([]string, len(texts))
	for i, text := range texts {
		in[i] = prefix + text
	}
	reply, err := c.Embed(t.Context(), assay.EmbedRequest{Texts: in, Role: assay.RoleDocument})
	if err != nil {
		t.Fatal(err)
	}
	return reply.Vectors
}

// fill makes a Chroma collection as an ingest script does.
func fill(t *testing.T, texts []string, vectors [][]float32) string {
	t.Helper()
	client, err := rest.New(rest.Config{BaseURL: parts.Chroma(t), Timeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("init_test_%x", rand.Uint64())
	base := "/api/v2/tenants/default_tenant/databases/default_database/collections"
	var made struct{ ID string }
	if err := client.Do(t.Context(), "POST", base, map[string]any{"name": name, "configuration": map[string]any{"hnsw": map[string]any{"space": "cosine"}}}, &made); err != nil {
		t.Fatal(err)
	}
	var ids []string
	var metadata []map[string]any
	list := make([]rest.Vector, len(vectors))
	for i := range texts {
		ids, list[i] = append(ids, fmt.Sprint("n", i)), vectors[i]
		metadata = append(metadata, map[string]any{"source": fmt.Sprintf("notice%d.md", i), "start": 0, "end": len(texts[i])})
	}
	body := map[string]any{"ids": ids, "documents": texts, "embeddings": list, "metadatas": metadata}
	if err := client.Do(t.Context(), "POST", base+"/"+made.ID+"/add", body, nil); err != nil {
		t.Fatal(err)
	}
	return name
}

// make makes a draft from the real servers and checks that it is a configuration.
func drafted(t *testing.T, dir, collection string, at ...string) *Draft {
	t.Helper()
	if at == nil {
		at = []string{parts.LlamaEmbed(t), parts.Chroma(t)}
	}
	o := Options{Found: discover.Look(t.Context(), discover.Options{At: at}), Collection: collection}
	o.Dir = dir
	d, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := config.Parse([]byte(d.YAML()), filepath.Join(dir, "assay.yaml"), nil, config.Validators{}); err != nil {
		t.Fatalf("%v\n%s", err, d.YAML())
	}
	return d
}

func folder(t *testing.T, texts []string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, "docs", fmt.Sprintf("notice%d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestModelIsRecognisedByItsVectors(t *testing.T) {
	texts := notices()
	d := drafted(t, folder(t, texts), fill(t, texts, embed(t, "", texts)))
	if e := d.Embedder; e == nil || e.Check != Reproduced || e.Cosine < 0.9999 || e.DocumentPrefix != "" || e.QueryPrefix != "" || e.Chunks != 5 {
		t.Errorf("%+v", e)
	}
	f := d.Store.Fields
	if !d.SameText || f.Document != "source" || f.Start != "start" || !f.ownText {
		t.Errorf("same text %v, %+v", d.SameText, f)
	}
	for _, n := range f.notes { // Größere tells bytes from characters
		if n.What == "place" && n.Status != Found {
			t.Errorf("%+v", n)
		}
	}
}

// A collection that was embedded with a prefix is recognised with it, and its queries get the one that belongs to it.
func TestPrefixIsRecognisedByTheVectors(t *testing.T) {
	texts := notices()
	d := drafted(t, t.TempDir(), fill(t, texts, embed(t, "search_document: ", texts)))
	e := d.Embedder
	if e == nil || e.Check != Reproduced || e.DocumentPrefix != "search_document: " || e.QueryPrefix != "search_query: " || e.Bare > sameModel {
		t.Fatalf("%+v", e)
	}
	if text := d.YAML(); !strings.Contains(text, `query_prefix: "search_query: "`) || !strings.Contains(text, "from: live") {
		t.Error(text)
	}
}

// Vectors of another model of the same dimension: numbers would mean nothing, so the system is not switched on.
func TestOtherModelStaysAComment(t *testing.T) {
	texts := notices()
	vectors := embed(t, "", texts)
	for i := range vectors { // another model: each dimension means something else
		v := vectors[i]
		for j := range v {
			v[j] *= float32(j*j%7) - 3
		}
	}
	dir := folder(t, texts)
	name := fill(t, texts, vectors)
	d := drafted(t, dir, name)
	text := d.YAML()
	if d.Live() || !strings.Contains(text, "\n  # live:") && !strings.Contains(text, "\n  #   live:") || !strings.Contains(text, "kind: bm25") || !strings.Contains(text, "from: corpus") {
		t.Errorf("%+v\n%s", d.Embedder, text)
	}
	if !strings.Contains(fmt.Sprint(d.Notes), "gives other vectors than are stored") {
		t.Error(d.Notes)
	}
}

// No model of the dimension, and no documents: there is nothing to measure, and the error says what to do.
func TestNothingToMeasure(t *testing.T) {
	texts := notices()[:2]
	name := fill(t, texts, [][]float32{{1, 0, 0}, {0, 1, 0}})
	o := Options{Found: discover.Look(t.Context(), discover.Options{At: []string{parts.LlamaEmbed(t), parts.Chroma(t)}}), Collection: name}
	o.Dir = t.TempDir()
	_, err := Make(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "3 dimensions") || !strings.Contains(assay.Hint(err), "--at") {
		t.Errorf("%v, %s", err, assay.Hint(err))
	}
	o.Collection += "x"
	if _, err := Make(t.Context(), o); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("a collection that is misspelt: %v", err)
	}
	if _, err := Make(t.Context(), Options{}); err == nil && !strings.Contains(assay.Hint(err), "assay demo") {
		t.Errorf("nothing at all: %v", err)
	}
}

// Documents of which the collection holds nothing are not what its labels would point into.
func TestOtherDocumentsStayAComment(t *testing.T) {
	texts := notices()
	dir := folder(t, []string{"# Something else\n\nThese words stand in no collection, and nobody will find them there."})
	d := drafted(t, dir, fill(t, texts, embed(t, "", texts)))
	if text := d.YAML(); d.SameText || !strings.Contains(text, "\n# corpus:") || !strings.Contains(text, "from: live") || strings.Contains(text, "bm25") {
		t.Errorf("%s", text)
	}
}

// Ollama with the same weights gives the vectors of llama.cpp back as well.
func TestSameModelOnAnotherServer(t *testing.T) {
	texts := notices()
	d := drafted(t, t.TempDir(), fill(t, texts, embed(t, "", texts)), parts.Ollama(t).URL, parts.Chroma(t))
	if e := d.Embedder; e == nil || e.Provider != discover.Ollama || e.Check != Reproduced {
		t.Errorf("%+v", e)
	}
	if d.Writer == nil || d.Writer.Model != parts.Ollama(t).Chat {
		t.Errorf("%+v", d.Writer)
	}
}

// table fills a table of a database of its own as LangChain does: text in a column, the rest in one of JSON.
func table(t *testing.T, texts []string, vectors [][]float32, index string) (url string) {
	t.Helper()
	url = parts.Database(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	run := func(sql string, args ...any) {
		if _, err := conn.Exec(t.Context(), sql, args...); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	run("create table chunks (id uuid primary key default gen_random_uuid(), document text, cmetadata jsonb, embedding vector(384))")
	for i, text := range texts {
		vector, err := rest.Marshal(rest.Vector(vectors[i]))
		if err != nil {
			t.Fatal(err)
		}
		run("insert into chunks (document, cmetadata, embedding) values ($1, $2, $3::text::vector)", text,
			map[string]any{"source": fmt.Sprintf("notice%d.md", i), "start": 0, "end": len(text)}, string(vector))
	}
	if index != "" {
		run(index)
	}
	return url
}

// A table is put under test as a collection is, and its index says how vectors are compared.
func TestPostgresTable(t *testing.T) {
	texts := notices()
	url := table(t, texts, embed(t, "", texts), "create index on chunks using hnsw (embedding vector_cosine_ops)")
	d := drafted(t, folder(t, texts), "", parts.LlamaEmbed(t), url)
	if !d.Live() || d.Embedder.Check != Reproduced || !d.SameText || d.Store.Distance != "cosine" {
		t.Fatalf("%+v\n%+v", d.Store, d.Embedder)
	}
	text := d.YAML()
	for _, want := range []string{"kind: pgvector", "url: " + url[:9], "table: chunks", "vector: embedding", "json: cmetadata", "text: document", "document: source", "start: start"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "distance:") {
		t.Errorf("the index knows the distance\n%s", text)
	}
	if text := drafted(t, folder(t, texts), "", parts.LlamaEmbed(t), table(t, texts, embed(t, "", texts), "")).YAML(); !strings.Contains(text, "distance: cosine   # GUESS") {
		t.Errorf("%s", text)
	}
}
