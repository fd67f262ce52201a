package llmtest

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/shared"
	"github.com/assay-eval/assay/internal/vector"
)

// sciFactWords keeps the sample to documents that stay below the 256 tokens at which the ready vectors
// were cut: scientific English has up to two WordPiece tokens a word.
const sciFactWords = 120

// SciFact embeds a seeded sample of n short documents of SciFact and returns the lowest cosine with the
// vectors that were computed from the published weights of all-MiniLM-L6-v2 (see the data's own README).
func SciFact(t testing.TB, e assay.Embedder, n int) float64 {
	t.Helper()
	texts, vectors := sciFact(t)
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(texts), func(i, j int) {
		texts[i], texts[j] = texts[j], texts[i]
		vectors[i], vectors[j] = vectors[j], vectors[i]
	})
	if len(texts) < n {
		t.Fatalf("only %d documents are short enough", len(texts))
	}
	r, err := e.Embed(t.Context(), assay.EmbedRequest{Texts: texts[:n], Role: assay.RoleDocument})
	if err != nil {
		t.Fatal(err)
	}
	lowest := 1.0
	for i, v := range r.Vectors {
		c := vector.Cosine(v, vectors[i])
		if !(c >= 0.999) {
			t.Errorf("cosine %.5f with the ready vector of %.60q", c, texts[i])
		}
		lowest = min(lowest, c)
	}
	return lowest
}

// sciFact reads the short documents and their vectors.
func sciFact(t testing.TB) (texts []string, vectors [][]float32) {
	t.Helper()
	const dim = 384
	raw, err := os.ReadFile(shared.Dir(t, "data", "scifact", "minilm.corpus.f32"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(shared.Dir(t, "data", "scifact", "corpus.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for row := 0; lines.Scan(); row++ {
		var doc struct{ Title, Text string }
		if err := json.Unmarshal(lines.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		text := doc.Title + " " + doc.Text
		if len(strings.Fields(text)) > sciFactWords {
			continue
		}
		v := make([]float32, dim)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*(row*dim+i):]))
		}
		texts, vectors = append(texts, text), append(vectors, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return texts, vectors
}
