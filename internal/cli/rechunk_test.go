//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/shared"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// manual is the documentation of shared/data/claude_docs_rag as a corpus, and sixty questions whose answers are ranges of its
// text: whole sentences, parts of them, and ranges over several paragraphs, which no chunker respects.
func manual(t *testing.T) (documents []byte, queries []assay.Query, labels []assay.Label) {
	t.Helper()
	data, err := os.ReadFile(shared.Dir(t, "data", "claude_docs_rag", "anthropic_docs.json"))
	if err != nil {
		t.Fatal(err)
	}
	var docs []struct {
		Link string `json:"chunk_link"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &docs); err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	chance := rand.New(rand.NewPCG(7, 71))
	seen := map[string]bool{}
	for _, d := range docs {
		line, err := json.Marshal(map[string]string{"id": d.Link, "text": d.Text})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
		if len(queries) == 60 || len(d.Text) < 1000 {
			continue
		}
		doc := assay.Document{ID: d.Link, Text: d.Text}
		start := chance.IntN(len(d.Text) - 900)
		span := assay.Span{Start: start, End: start + 60 + chance.IntN(800)}
		for !runeStart(d.Text, span.Start) {
			span.Start++
		}
		for !runeStart(d.Text, span.End) {
			span.End++
		}
		a, err := anchor.New(&doc, span)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(d.Text, a.Quote) > 1 || seen[a.Quote] || strings.TrimSpace(a.Quote) == "" {
			continue
		}
		seen[a.Quote] = true
		text := fmt.Sprintf("What is said at place %d of the manual?", len(queries))
		q := assay.Query{ID: testset.QueryID(text, nil), Text: text}
		queries = append(queries, q)
		labels = append(labels, assay.Label{Query: q.ID, Event: assay.EventGrade, Grade: 3, By: assay.ByHuman, Who: "ann",
			Target: assay.Target{Document: a.Document, Version: a.Version, Start: a.Start, End: a.End, Quote: a.Quote, Before: a.Before, After: a.After}})
	}
	if len(queries) != 60 {
		t.Fatalf("%d questions", len(queries))
	}
	return lines.Bytes(), queries, labels
}

func runeStart(s string, i int) bool { return i >= len(s) || s[i]&0xC0 != 0x80 }

// chunked cuts documents.
func chunked(t *testing.T, file string, how corpus.Chunking) *corpus.Set {
	t.Helper()
	src, err := corpus.Open(corpus.Spec{Path: file, Chunk: how})
	if err != nil {
		t.Fatal(err)
	}
	set, err := corpus.Load(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestRechunked keeps one set of labels through chunkers of every kind, 150 words to 400 and back among them. Who retrieves
// everything finds all of the gold text, exactly, with every one of them; who retrieves what only touches it finds nothing.
func TestRechunked(t *testing.T) {
	documents, queries, labels := manual(t)
	file := filepath.Join(t.TempDir(), "docs.jsonl")
	if err := os.WriteFile(file, documents, 0o644); err != nil {
		t.Fatal(err)
	}
	set, err := testset.New(queries, labels)
	if err != nil {
		t.Fatal(err)
	}
	spanRecall := []measure.Measure{measure.MustParse("span_recall")}
	var first float64
	for i, how := range []corpus.Chunking{
		{By: corpus.ByFixed, Size: 150, Unit: corpus.Word}, {By: corpus.ByFixed, Size: 400, Unit: corpus.Word}, {By: corpus.ByFixed, Size: 150, Unit: corpus.Word},
		{By: corpus.ByFixed, Size: 150, Overlap: 40, Unit: corpus.Word}, {By: corpus.BySentence, Size: 150, Unit: corpus.Word},
		{By: corpus.ByHeading, Size: 300, Overlap: 40, Unit: corpus.Word}, {By: corpus.ByFixed, Size: 700, Unit: corpus.Byte}, {By: corpus.ByNone},
	} {
		chunks := chunked(t, file, how).Chunks()
		var everything, beside []assay.Result
		for j, q := range queries {
			gold := labels[j].Target.Span()
			all, touching := assay.Result{Query: q.ID}, assay.Result{Query: q.ID}
			for c := range chunks {
				chunk := &chunks[c]
				hit := assay.RankedHit{ID: chunk.ID, Document: chunk.Document, Start: &chunk.Span.Start, End: &chunk.Span.End, TextHash: chunk.Hash()}
				all.Hits = append(all.Hits, hit)
				if chunk.Document == labels[j].Target.Document && chunk.Span.Overlap(gold) == 0 {
					touching.Hits = append(touching.Hits, hit)
				}
			}
			// Ranges that end where the gold begins, and begin where it ends.
			for k, s := range []assay.Span{{Start: 0, End: gold.Start}, {Start: gold.End, End: gold.End + 10}} {
				touching.Hits = append(touching.Hits, assay.RankedHit{ID: fmt.Sprint("touch", k), Document: labels[j].Target.Document, Start: &s.Start, End: &s.End})
			}
			everything, beside = append(everything, all), append(beside, touching)
		}
		scores := func(results []assay.Result) *score.Scored {
			t.Helper()
			s, err := score.Score(set, func(yield func(assay.Result, error) bool) {
				for _, r := range results {
					if !yield(r, nil) {
						return
					}
				}
			}, nil, spanRecall, score.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := scores(everything)
		for _, q := range s.Queries {
			if q.Values[0] != 1 {
				t.Errorf("%+v: span recall of query %s over everything is %v", how, q.ID, q.Values[0])
			}
		}
		if m := s.Means[0]; m.Value != 1 || m.Scored != 60 {
			t.Errorf("%+v: the mean is %v over %d queries", how, m.Value, m.Scored)
		}
		if m := scores(beside).Means[0]; m.Value != 0 || m.Scored != 60 {
			t.Errorf("%+v: who touches the gold only has span recall %v", how, m.Value)
		}
		// Half of everything: the same chunker gives the same number again.
		for j := range everything {
			everything[j].Hits = everything[j].Hits[:len(everything[j].Hits)/2]
		}
		half := scores(everything).Means[0].Value
		if i == 0 {
			first = half
		} else if i == 2 && half != first {
			t.Errorf("150 words again: %v, before %v", half, first)
		}
		t.Logf("%d chunks: half of them hold %.4f of the gold", len(chunks), half)
	}
}

// TestRechunkedIntoAnotherStore ingests the same documents into a real Chroma collection, in chunks of 400 words without any
// offsets, and scores them with the labels as they are: they are found again by their text.
func TestRechunkedIntoAnotherStore(t *testing.T) {
	chroma, ollama := parts.Chroma(t), parts.Ollama(t)
	documents, queries, labels := manual(t)
	queries, labels = queries[:12], labels[:12]
	f := newFolder(t)
	f.write("docs.jsonl", string(documents))
	name := ingest(t, chroma, chunked(t, f.path("docs.jsonl"), corpus.Chunking{By: corpus.ByFixed, Size: 400, Unit: corpus.Word}).Chunks())
	f.write("assay.yaml", fmt.Sprintf(`corpus: {path: docs.jsonl, chunk: {by: fixed, size: 150, overlap: 0, unit: word}}
models: {minilm: {provider: ollama, model: %s, url: "%s"}}
systems:
  store: {retriever: {kind: chroma, url: "%s", collection: %s}, embed: minilm, k: 2000}
measures: [span_recall, recall@2000]
`, ollama.Embed, ollama.URL, chroma, name))
	var q, l strings.Builder
	for i := range queries {
		a, _ := json.Marshal(queries[i])
		b, _ := json.Marshal(labels[i])
		q.Write(append(a, '\n'))
		l.Write(append(b, '\n'))
	}
	f.write("testset/queries.jsonl", q.String())
	f.write("testset/labels.jsonl", l.String())
	p := f.run(exitOK, "run", "store", "--json")
	var doc runsView
	if err := json.Unmarshal(p.out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	m := doc.Runs[0].Measures[0]
	if m.Measure != "span_recall" || m.Mean == nil || *m.Mean != 1 || m.N != 12 {
		t.Errorf("span recall of everything in the store: %+v\n%s", m, &p.err)
	}
	if f.read("testset/labels.jsonl") != l.String() {
		t.Error("the labels were touched")
	}
}

// ingest makes a collection of chunks as many scripts do: a running number, the text, a vector.
func ingest(t *testing.T, url string, chunks []assay.Chunk) string {
	t.Helper()
	name := collectionNamed(t, url)
	base := url + "/api/v2/tenants/default_tenant/databases/default_database/collections"
	var made struct{ ID string }
	post(t, base, map[string]any{"name": name}, &made)
	chance := rand.New(rand.NewPCG(7, 72))
	var ids, texts []string
	var vectors [][]float32
	for i, c := range chunks {
		ids, texts = append(ids, fmt.Sprint("n", i)), append(texts, c.Text)
		v := make([]float32, 384)
		for d := range v {
			v[d] = float32(chance.NormFloat64())
		}
		vectors = append(vectors, v)
	}
	post(t, base+"/"+made.ID+"/add", map[string]any{"ids": ids, "documents": texts, "embeddings": vectors}, nil)
	return name
}
