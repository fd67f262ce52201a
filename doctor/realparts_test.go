package doctor_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/doctor"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/ollama"
)

// The tests here plant a fault in real servers and look at what is reported, each beside a healthy set-up in
// which the same check is quiet.

// item is what a collection holds of one chunk.
type item struct {
	id, text string // an empty text is stored as none
	embed    string // what is embedded; the text when empty
	vector   []float32
	metadata map[string]any
}

// handbook are texts about different things, as a small collection holds them.
func handbook() []item {
	texts := []string{
		"Backups are kept for thirty days and then deleted by the nightly job of the archive.",
		"A page that was deleted goes to the bin of its space, where any editor can restore it.",
		"Single sign-on is set up by the administrator with the metadata file of the identity provider.",
		"Attachments larger than two hundred megabytes are refused unless the limit is raised.",
		"The search index is rebuilt every Sunday, and pages written meanwhile appear within a minute.",
		"Comments can be resolved, after which they are folded away and shown again on request.",
		"Every export holds the pages as Markdown files, with their pictures in a folder beside them.",
		"The phone app keeps the last two hundred pages so that they can be read on a plane.",
		"Rate limits count requests of one address within one minute, behind a proxy of the client.",
		"Templates are pages whose text is copied whenever somebody starts a page from them.",
		"A space can be archived, which makes all of it read-only without hiding it from search.",
		"Webhooks are sent once for each change and tried again for an hour when they fail.",
	}
	out := make([]item, len(texts))
	for i, text := range texts {
		out[i] = item{id: fmt.Sprintf("h-%02d", i+1), text: text, metadata: map[string]any{"source": fmt.Sprintf("page-%d.md", i/3+1)}}
	}
	return out
}

// known are vectors by text: the tests share a few texts, and the server embeds one at a time.
var known sync.Map

// minilm embeds with the real model, without a prefix. The vectors are the caller's to change.
func minilm(t *testing.T, texts []string) [][]float32 {
	t.Helper()
	var missing []string
	for _, text := range texts {
		if _, ok := known.Load(text); !ok {
			missing = append(missing, text)
		}
	}
	if len(missing) > 0 {
		o := parts.Ollama(t)
		c, err := ollama.New(ollama.Options{Server: rest.Config{BaseURL: o.URL, Timeout: time.Minute}, Model: o.Embed})
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Embed(t.Context(), assay.EmbedRequest{Texts: missing})
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range missing {
			known.Store(text, r.Vectors[i])
		}
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		v, _ := known.Load(text)
		out[i] = slices.Clone(v.([]float32))
	}
	return out
}

// remembering asks a real server each thing once in all tests, a batch as a batch: they examine much the same
// texts, and the server reads one at a time.
type remembering struct {
	model string
	assay.Embedder
}

var replies sync.Map

func (r remembering) Embed(ctx context.Context, req assay.EmbedRequest) (assay.EmbedReply, error) {
	key := r.model + "\x00" + strings.Join(req.Texts, "\x00")
	if reply, ok := replies.Load(key); ok {
		return copied(reply.(assay.EmbedReply)), nil
	}
	reply, err := r.Embedder.Embed(ctx, req)
	if err == nil {
		replies.Store(key, copied(reply))
	}
	return reply, err
}

// copied is a reply whose vectors may be changed.
func copied(r assay.EmbedReply) assay.EmbedReply {
	r.Vectors = slices.Clone(r.Vectors)
	for i := range r.Vectors {
		r.Vectors[i] = slices.Clone(r.Vectors[i])
	}
	return r
}

// collection makes a Chroma collection that is deleted again after the test and returns its name. Items
// without a vector are embedded.
func collection(t *testing.T, space string, items []item) string {
	t.Helper()
	return collectionWith(t, items, map[string]any{"configuration": map[string]any{"hnsw": map[string]any{"space": space}}})
}

// collectionWith makes a collection of the real Chroma with these members in the request.
func collectionWith(t *testing.T, items []item, body map[string]any) string {
	t.Helper()
	client, err := rest.New(rest.Config{BaseURL: parts.Chroma(t), Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	collections := rest.Path("api", "v2", "tenants", "default_tenant", "databases", "default_database", "collections")
	name := fmt.Sprintf("doctor-%x", rand.Uint64())
	var made struct{ ID string }
	body["name"] = name
	if err := client.Call(t.Context(), rest.Request{Method: "POST", Path: collections, Body: body}, &made); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Do(t.Context(), "DELETE", collections+"/"+name, nil, nil) }) // a collection that stays harms nobody
	if len(items) == 0 {
		return name
	}
	if err := client.Call(t.Context(), rest.Request{Method: "POST", Path: collections + "/" + made.ID + "/upsert", Body: rows(t, items)}, nil); err != nil {
		t.Fatal(err)
	}
	return name
}

// rows are items as Chroma takes them.
func rows(t *testing.T, items []item) map[string]any {
	t.Helper()
	var ids []string
	var documents, metadatas, vectors []any
	var open []string
	for _, it := range items {
		if it.vector == nil {
			if it.embed == "" {
				it.embed = it.text
			}
			open = append(open, it.embed)
		}
	}
	embedded := minilm(t, open)
	for _, it := range items {
		ids = append(ids, it.id)
		if it.text == "" {
			documents = append(documents, nil)
		} else {
			documents = append(documents, it.text)
		}
		if it.metadata == nil {
			metadatas = append(metadatas, nil)
		} else {
			metadatas = append(metadatas, it.metadata)
		}
		if it.vector == nil {
			it.vector, embedded = embedded[0], embedded[1:]
		}
		vectors = append(vectors, rest.Vector(it.vector))
	}
	return map[string]any{"ids": ids, "documents": documents, "metadatas": metadatas, "embeddings": vectors}
}

// chromaSystem is an assay.yaml over a collection, with MiniLM; more goes below the system's retriever.
func chromaSystem(t *testing.T, collection, more string) string {
	return fmt.Sprintf(`models:
  minilm: {provider: ollama, model: %s, url: %q}
systems:
  live: {retriever: {kind: chroma, url: %q, collection: %s%s}, embed: minilm}
`, parts.Ollama(t).Embed, parts.Ollama(t).URL, parts.Chroma(t), collection, more)
}

// withModel adds a model to an assay.yaml.
func withModel(yaml, model string) string {
	return strings.Replace(yaml, "models:\n", "models:\n  "+model+"\n", 1)
}

// examine makes checks on the set-up of an assay.yaml, changed before by the functions given.
func examine(t *testing.T, yaml string, o doctor.Options, change ...func(*doctor.Setup)) *doctor.Report {
	t.Helper()
	return examineIn(t, t.TempDir(), yaml, o, change...)
}

// examineIn makes checks in a project folder that may hold a test set and documents.
func examineIn(t *testing.T, dir, yaml string, o doctor.Options, change ...func(*doctor.Setup)) *doctor.Report {
	t.Helper()
	file := filepath.Join(dir, "assay.yaml")
	if err := os.WriteFile(file, []byte(yaml), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(file, nil, config.Validators{})
	if err != nil {
		t.Fatal(err)
	}
	p := project.Open(cfg, project.Options{})
	t.Cleanup(func() { _ = p.Close() }) // the folder goes, too
	setup := p.Setup(nil)
	for _, m := range setup.Models {
		if m.Embedder != nil {
			m.Embedder = remembering{m.Server + " " + m.Served, m.Embedder}
		}
	}
	for _, f := range change {
		f(setup)
	}
	r, err := doctor.Examine(t.Context(), setup, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// finding is the one finding of a check about a subject.
func finding(t *testing.T, r *doctor.Report, check, subject string) doctor.Finding {
	t.Helper()
	var found []doctor.Finding
	for _, f := range r.Findings {
		if f.Check == check && f.Subject == subject {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d findings of %s about %s in %+v", len(found), check, subject, r.Findings)
	}
	return found[0]
}
