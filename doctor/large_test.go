package doctor_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/exact"
	"github.com/assay-eval/assay/doctor"
)

// TestLargeIndex: of an index with more chunks than are read, the labelled ones are fetched by key, and what
// could not be looked up is not called missing.
func TestLargeIndex(t *testing.T) {
	chunks := make([]assay.Chunk, doctor.MaxListed+10)
	vectors := make([]float32, 0, 2*len(chunks))
	for i := range chunks {
		chunks[i] = assay.Chunk{ID: fmt.Sprintf("c-%06d", i), Text: fmt.Sprintf("text number %d", i)}
		vectors = append(vectors, 1, float32(i))
	}
	index, err := exact.FromVectors(chunks, vectors, exact.Config{})
	if err != nil {
		t.Fatal(err)
	}
	last := fmt.Sprintf("c-%06d", doctor.MaxListed+5)
	system := &doctor.System{Name: "large", Kind: "exact", Where: "assay.yaml:1", Store: index}
	found := examineSystem(t, system, labels(assay.Target{Chunk: last}), "gold")[1:] // behind that of the test set
	want{status: doctor.OK, found: "the answers of 1 labelled query are in it"}.check(t, found[0])
	found = examineSystem(t, system, labels(assay.Target{Chunk: last}, assay.Target{Quote: "nowhere to be seen"}), "gold")[1:] // behind that of the test set
	want{status: doctor.OK, found: "those of 1 others could not be looked up, as it has more than 20000 chunks"}.check(t, found[0])
	found = examineSystem(t, system, labels(assay.Target{Chunk: "gone"}), "gold")[1:] // behind that of the test set
	want{status: doctor.NotChecked, found: "could not be looked up"}.check(t, found[0])
	found = examineSystem(t, system, nil, "text")
	want{status: doctor.OK, found: "the first 20000 chunks have one"}.check(t, found[0])
}

// elsewhere finds a server of either kind, and notes what it is asked for.
func elsewhere(asked *string) func(context.Context, string) []string {
	return func(_ context.Context, kind string) []string {
		*asked += kind + " "
		return map[string][]string{"chroma": {"http://127.0.0.1:8000"}, "ollama": {"http://127.0.0.1:11434"}}[kind]
	}
}

func TestElsewhere(t *testing.T) {
	asked := ""
	r := examine(t, "models:\n  m: {provider: ollama, model: x, url: \"http://127.0.0.1:1\"}\nsystems:\n  live: {retriever: {kind: chroma, url: \"http://127.0.0.1:1\", collection: x}, embed: m}\nrun: {retries: 0}\n",
		doctor.Options{Only: []string{"reachability"}}, func(s *doctor.Setup) { s.Elsewhere = elsewhere(&asked) })
	want{doctor.Fault, string(assay.KindUnavailable), "nothing listens", "one of this kind answers at http://127.0.0.1:8000"}.check(t, finding(t, r, "reachability", "system live"))
	want{doctor.Fault, string(assay.KindUnavailable), "nothing listens", "one of this kind answers at http://127.0.0.1:11434"}.check(t, finding(t, r, "reachability", "model m"))
	if asked != "ollama chroma " {
		t.Errorf("asked for %q", asked)
	}
}
