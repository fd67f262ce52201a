package chroma

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/rest"
)

// TestContract runs the whole contract against a real server, once for each space, with the space written
// the new way and the old.
func TestContract(t *testing.T) {
	url := parts.Chroma(t)
	for space, distance := range map[string]string{"cosine": connector.Cosine, "l2": connector.Euclid, "ip": connector.Dot} {
		t.Run(space, func(t *testing.T) {
			chunks := connectortest.Chunks()
			name := fill(t, url, map[string]any{"configuration": map[string]any{"hnsw": map[string]any{"space": space}}}, chunks)
			(&connectortest.Suite{
				Open:     func(t *testing.T) assay.Retriever { return open(t, url, name) },
				Missing:  func(t *testing.T) assay.Retriever { return open(t, url, name+"_none") },
				Chunks:   chunks,
				Distance: distance,
				Refuses:  func(f *assay.Filter) bool { return refuses(f, false) },
			}).Run(t)
		})
	}
}

// refuses says it again, independently of the translator: no exists, and no bound under a not.
func refuses(f *assay.Filter, negated bool) bool {
	if f.Exists != nil || negated && (f.Gt != nil || f.Gte != nil || f.Lt != nil || f.Lte != nil) {
		return true
	}
	if f.Not != nil {
		return refuses(f.Not, !negated)
	}
	for _, subs := range [][]assay.Filter{f.And, f.Or} {
		for i := range subs {
			if refuses(&subs[i], negated) {
				return true
			}
		}
	}
	return false
}

func open(t *testing.T, url, name string) *Collection {
	t.Helper()
	c, err := New(Settings{URL: url, Tenant: "default_tenant", Database: "default_database", Collection: name, Key: "id", Text: "document",
		Document: "metadata.doc", Start: "metadata.start", End: "metadata.end", Page: 7,
		Remote: connector.Remote{Limits: connector.Limits{Timeout: 20 * time.Second}}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fill makes a collection of the chunks, with a client that may write, unlike this package's. The
// collection stays: it is the server that is thrown away, and Chroma 1.5 gives the lists in the metadata
// of a deleted collection to the next that is made.
func fill(t *testing.T, url string, settings map[string]any, chunks []assay.Chunk) string {
	t.Helper()
	client, err := rest.New(rest.Config{BaseURL: url, Timeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	settings["name"] = fmt.Sprintf("assay_test_%x", rand.Uint64())
	var made struct{ ID string }
	base := rest.Path("api", "v2", "tenants", "default_tenant", "databases", "default_database", "collections")
	if err := client.Do(t.Context(), "POST", base, settings, &made); err != nil {
		t.Fatal(err)
	}
	if len(chunks) == 0 {
		return settings["name"].(string)
	}
	var ids, documents []string
	var vectors []rest.Vector
	var metadatas []map[string]any
	for _, c := range chunks {
		m := map[string]any{"doc": c.Document, "start": c.Span.Start, "end": c.Span.End}
		for k, v := range c.Metadata {
			m[k] = v
		}
		ids, documents, vectors, metadatas = append(ids, c.ID), append(documents, c.Text), append(vectors, c.Vector), append(metadatas, m)
	}
	body := map[string]any{"ids": ids, "documents": documents, "embeddings": vectors, "metadatas": metadatas}
	if err := client.Do(t.Context(), "POST", base+rest.Path(made.ID, "add"), body, nil); err != nil {
		t.Fatal(err)
	}
	return settings["name"].(string)
}

func TestUnknownCollectionNamesThoseThatExist(t *testing.T) {
	url := parts.Chroma(t)
	name := fill(t, url, map[string]any{}, nil)
	_, err := open(t, url, strings.Replace(name, "assay_test", "asay_test", 1)).Search(t.Context(), assay.Request{Vector: []float32{1, 0}, K: 1})
	if assay.KindOf(err) != assay.KindNotFound || !strings.Contains(assay.Hint(err), name) {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}
}
