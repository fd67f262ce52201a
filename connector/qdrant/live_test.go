package qdrant

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/rest"
)

// TestContractLive runs the whole contract against the server at ASSAY_QDRANT_URL, in a collection of its
// own that is deleted again, once for each distance.
func TestContractLive(t *testing.T) {
	url := parts.Qdrant(t)
	for _, distance := range []string{"Cosine", "Dot", "Euclid", "Manhattan"} {
		t.Run(distance, func(t *testing.T) {
			chunks := connectortest.Chunks()
			collection := fill(t, url, distance, chunks)
			open := func(collection string) func(*testing.T) assay.Retriever {
				return func(t *testing.T) assay.Retriever {
					c, err := New(Settings{URL: url, Collection: collection, Key: "payload.key", Text: "payload.text", Document: "payload.doc",
						Start: "payload.start", End: "payload.end", Page: 7, Remote: connector.Remote{Limits: connector.Limits{Timeout: 20 * time.Second}}})
					if err != nil {
						t.Fatal(err)
					}
					return c
				}
			}
			(&connectortest.Suite{Open: open(collection), Missing: open(collection + "_none"), Chunks: chunks, Distance: vectorParams{Distance: distance}.distance()}).Run(t)
		})
	}
}

// fill makes a collection of the chunks, with a client that may write, unlike this package's.
func fill(t *testing.T, url, distance string, chunks []assay.Chunk) string {
	t.Helper()
	client, err := rest.New(rest.Config{BaseURL: url, Timeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("assay_test_%x", rand.Uint64())
	do := func(method, path string, body any) {
		t.Helper()
		if err := client.Call(t.Context(), rest.Request{Method: method, Path: path, Query: map[string][]string{"wait": {"true"}}, Body: body}, nil); err != nil {
			t.Fatal(err)
		}
	}
	do("PUT", rest.Path("collections", name), map[string]any{"vectors": map[string]any{"size": connectortest.Dimension, "distance": distance}})
	t.Cleanup(func() {
		if err := client.Do(t.Context(), "DELETE", rest.Path("collections", name), nil, nil); err != nil {
			t.Logf("the collection %s stays: %v", name, err)
		}
	})
	var list []map[string]any
	for i, c := range chunks {
		payload := map[string]any{"key": c.ID, "text": c.Text, "doc": c.Document, "start": c.Span.Start, "end": c.Span.End}
		for k, v := range c.Metadata {
			payload[k] = v
		}
		list = append(list, map[string]any{"id": i + 1, "vector": rest.Vector(c.Vector), "payload": payload})
	}
	do("PUT", rest.Path("collections", name, "points"), map[string]any{"points": list})
	return name
}
