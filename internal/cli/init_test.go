//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/demo"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/ollama"
	"github.com/assay-eval/assay/llm/openai"
)

// handbook puts the first pages of the demo's handbook into a folder and, by paragraphs, into a real Chroma, with the
// vectors of a real Ollama. It returns the folder and the collection's name.
func handbook(t *testing.T, pages ...string) (dir, collection string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "docs"), demo.Docs()); err != nil {
		t.Fatal(err)
	}
	var ids, texts []string
	var metadata []map[string]any
	for _, page := range pages {
		data, err := os.ReadFile(filepath.Join(dir, "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		for n, text := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
			ids, texts, metadata = append(ids, fmt.Sprintf("%s-%d", page, n)), append(texts, text), append(metadata, map[string]any{"file": page})
		}
	}
	part := parts.Ollama(t)
	model, err := ollama.New(ollama.Options{Server: rest.Config{BaseURL: part.URL, Timeout: 2 * time.Minute}, Model: part.Embed})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := model.Embed(t.Context(), assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
	if err != nil {
		t.Fatal(err)
	}
	vectors := make([]rest.Vector, len(reply.Vectors))
	for i, v := range reply.Vectors {
		vectors[i] = v
	}
	client, err := rest.New(rest.Config{BaseURL: parts.Chroma(t), Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	collection = fmt.Sprintf("init_cli_%x", rand.Uint64())
	const base = "/api/v2/tenants/default_tenant/databases/default_database/collections"
	var made struct{ ID string }
	if err := client.Do(t.Context(), "POST", base, map[string]any{"name": collection, "configuration": map[string]any{"hnsw": map[string]any{"space": "cosine"}}}, &made); err != nil {
		t.Fatal(err)
	}
	body := map[string]any{"ids": ids, "documents": texts, "embeddings": vectors, "metadatas": metadata}
	if err := client.Do(t.Context(), "POST", base+"/"+made.ID+"/add", body, nil); err != nil {
		t.Fatal(err)
	}
	return dir, collection
}

// TestInitEndToEnd: what init writes is accepted as it stands, searched and run.
func TestInitEndToEnd(t *testing.T) {
	dir, collection := handbook(t, "guide/pages.md", "admin/backup.md")
	f := &folder{TB: t, dir: dir}
	got := f.run(0, "init", "--at", parts.Ollama(t).URL, "--at", parts.Chroma(t), "--collection", collection, "--json").out.String()
	var doc struct {
		Schema   string
		Written  bool
		SameText bool `json:"same_text"`
		Embedder struct {
			Check  string
			Cosine float64
		}
		Config string
	}
	if err := json.Unmarshal([]byte(got), &doc); err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	if doc.Schema != "assay/init/v1" || !doc.Written || !doc.SameText || doc.Embedder.Check != "reproduced" || doc.Embedder.Cosine < 0.9999 {
		t.Errorf("%+v", doc)
	}
	if written := f.read("assay.yaml"); written != doc.Config || !strings.Contains(written, "document: metadata.file") {
		t.Errorf("%s", written)
	}
	f.run(0, "config", "check")
	if hits := f.run(0, "search", "live", "how long does a deleted page stay in the bin", "-k", "1").out.String(); !strings.Contains(hits, "stays there for 30 days") {
		t.Errorf("%s", hits)
	}
	f.run(0, "add", "how long does a deleted page stay in the bin", "--relevant", "guide/pages.md")
	if out := f.run(0, "run").out.String(); !strings.Contains(out, "live: run ") || !strings.Contains(out, "lexical: run ") {
		t.Errorf("%s", out)
	}
}

// TestInitPostgres: the same for a table, with the model in a llama.cpp server and the password's variable in the file.
func TestInitPostgres(t *testing.T) {
	texts := []string{"Backups are kept for thirty days, on two machines.", "The mail queue is drained every hour.", "A deleted page stays in the bin for a month."}
	model, err := openai.New(openai.Options{Server: rest.Config{BaseURL: parts.LlamaEmbed(t), Timeout: 5 * time.Minute}, Model: "all-minilm"})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := model.Embed(t.Context(), assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
	if err != nil {
		t.Fatal(err)
	}
	url := parts.Database(t)
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
	run("create table notes (id int primary key, body text, source text, embedding vector(384))")
	for i, v := range reply.Vectors {
		vector, err := rest.Marshal(rest.Vector(v))
		if err != nil {
			t.Fatal(err)
		}
		run("insert into notes values ($1, $2, $3, $4::text::vector)", i, texts[i], fmt.Sprintf("page%d.md", i), string(vector))
	}
	f := newFolder(t)
	f.env = []string{"DATABASE_URL=" + strings.Replace(url, "assay@", "assay:hunter2@", 1), "OPENAI_BASE_URL=" + parts.LlamaEmbed(t),
		"OLLAMA_HOST=127.0.0.1:1", "QDRANT_URL=http://127.0.0.1:1", "CHROMA_URL=http://127.0.0.1:1"}
	p := f.run(0, "init")
	written := f.read("assay.yaml")
	if !strings.Contains(written, "connection: {env: DATABASE_URL}") || strings.Contains(written+p.out.String()+p.err.String(), "hunter2") {
		t.Errorf("%s\n%s%s", written, &p.out, &p.err)
	}
	f.run(0, "config", "check")
	if hits := f.run(0, "search", "live", "how long is a page that was deleted kept", "-k", "1").out.String(); !strings.Contains(hits, "stays in the bin") {
		t.Errorf("%s", hits)
	}
	f.run(0, "add", "how long is a page that was deleted kept", "--relevant", "2", "--against", "live")
	if out := f.run(0, "run").out.String(); !strings.Contains(out, "live: run ") {
		t.Errorf("%s", out)
	}
}

// TestInitNeverOverwrites: whatever is there stays, a broken file and a link into nowhere included.
func TestInitNeverOverwrites(t *testing.T) {
	dir := t.TempDir()
	f := &folder{TB: t, dir: dir}
	f.write("docs/a.md", "# A\n\nSome words.")
	f.write("assay.yaml", "mine")
	f.says(f.run(2, "init", "--offline"), "is not overwritten")
	if got := f.read("assay.yaml"); got != "mine" {
		t.Errorf("%q", got)
	}
	if err := os.Remove(filepath.Join(dir, "assay.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "assay.yaml")); err != nil {
		t.Fatal(err)
	}
	f.says(f.run(2, "init", "--offline"), "is not overwritten")
	if _, err := os.Stat(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("wrote through a link")
	}
}
