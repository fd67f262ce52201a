package qdrant

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/internal/shared"
)

// The recordings are of Qdrant 1.17.1; their README says what each holds.

func replay(t *testing.T, collection string) *connectortest.Replay {
	t.Helper()
	names := []string{"server", "query", "filter", "named", "list", "errors"}
	if collection == "scifact" {
		names = append(names, "scifact") // large: 80 queries with 384 dimensions
	}
	var files []string
	for _, f := range names {
		files = append(files, shared.Dir(t, "fixtures", "qdrant", f+".jsonl"))
	}
	return connectortest.NewReplay(t, withoutDefaults, files...)
}

// withoutDefaults drops what means the same when it is left out, by Qdrant's API reference.
func withoutDefaults(path string, body map[string]any) {
	if body["with_vector"] == false {
		delete(body, "with_vector")
	}
	if strings.HasSuffix(path, "/query") && body["limit"] == json.Number("10") {
		delete(body, "limit")
	}
}

// recorded opens a collection over recorded traffic.
func recorded(t *testing.T, s Settings) assay.Retriever {
	t.Helper()
	if s.Collection == "" {
		s.Collection = "docs_v3"
	}
	s.URL, s.Transport = "http://qdrant.invalid:6333", replay(t, s.Collection)
	if s.Page == 0 {
		s.Page = 25
	}
	c, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// points are the 65 points behind most recordings. Their keys are chunk ids where byKey, else point ids.
func points(t *testing.T, byKey bool) []assay.Chunk {
	t.Helper()
	data, err := os.ReadFile(shared.Dir(t, "fixtures", "qdrant", "points_docs_v3.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		ID      id
		Vector  rest.Vector
		Payload map[string]any
	}
	if err := rest.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	var out []assay.Chunk
	for _, p := range list {
		c := assay.Chunk{ID: string(p.ID), Vector: p.Vector, Metadata: connector.Normalize(p.Payload)}
		if byKey {
			c.ID = c.Metadata["chunk_id"].(string)
		}
		c.Text, _ = c.Metadata["text"].(string)
		c.Document, _ = c.Metadata["path"].(string)
		if start, ok := c.Metadata["start"].(int64); ok {
			c.Span = &assay.Span{Start: int(start), End: int(c.Metadata["end"].(int64))}
		}
		out = append(out, c)
	}
	return out
}

// vectorAt is the vector of the point that a recording queries with.
func vectorAt(t *testing.T, id string) []float32 {
	t.Helper()
	for _, c := range points(t, false) {
		if c.ID == id {
			return c.Vector
		}
	}
	t.Fatalf("no point %s", id)
	return nil
}

func filter(t *testing.T, s string) *assay.Filter {
	t.Helper()
	f, err := assay.ParseFilter([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return f
}
