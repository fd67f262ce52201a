package score_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25"
	"github.com/assay-eval/assay/internal/scifact"
	"github.com/assay-eval/assay/internal/shared"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
	"github.com/assay-eval/assay/trec"
	"github.com/assay-eval/assay/trec/evaluate"
)

// abstracts is SciFact as a corpus in which every abstract is one chunk.
func abstracts(c *scifact.Collection) *index {
	x := &index{chunks: map[string]assay.Chunk{}, documents: map[string]assay.Document{}}
	for _, chunk := range c.Chunks {
		chunk.Document, chunk.Version, chunk.Span = chunk.ID, chunk.Hash(), &assay.Span{End: len(chunk.Text)}
		x.chunks[chunk.ID] = chunk
		x.documents[chunk.ID] = assay.Document{ID: chunk.ID, Text: chunk.Text}
	}
	return x
}

// TestSciFact: BM25 rankings of the 300 test claims against the real qrels, imported as they lie, give to
// the last bit what the same rankings give as TREC files, whichever way hits find their labels.
func TestSciFact(t *testing.T) {
	dir := shared.Dir(t, "data", "scifact")
	c, err := scifact.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	corpus := abstracts(c)
	results, passages := rankings(t, c)
	names := []string{"recall@10", "recall@100", "recall@1", "mrr@10", "ndcg@10", "p@10", "map", "success@5", "judged@10"}
	want := asFiles(t, dir, results, names)

	byText := make([]assay.Result, len(results))
	placed := make([]assay.Result, len(results))
	for i, r := range results {
		byText[i], placed[i] = r, r
		byText[i].Hits = append([]assay.RankedHit(nil), r.Hits...)
		placed[i].Hits = append([]assay.RankedHit(nil), r.Hits...)
		for j := range r.Hits {
			chunk := corpus.chunks[r.Hits[j].ID]
			byText[i].Hits[j].TextHash = passages.put(chunk.Text)
			placed[i].Hits[j] = at(chunk.ID, chunk.Document, 0, chunk.Span.End)
			placed[i].Hits[j].Score = r.Hits[j].Score
		}
	}
	for _, tc := range []struct {
		name    string
		lookup  testset.Lookup
		results []assay.Result
		way     score.Way
	}{
		{"keys only", nil, results, score.ByKey},
		{"texts", corpus, byText, score.ByKeyText},
		{"places", corpus, placed, score.ByPlace},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set, err := testset.OpenOrCreate(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			report, err := set.Import([]string{filepath.Join(dir, "queries-test.jsonl"), filepath.Join(dir, "qrels-test.tsv")}, testset.ImportOptions{Lookup: tc.lookup})
			if err != nil || report.NewQueries != 300 || report.NewLabels != 339 || report.Form != testset.FormBEIR || report.Unknown.Count != 0 {
				t.Fatalf("import: %+v, %v", report, err)
			}
			s := mustScore(t, set, passages, measures(t, names...), score.Options{K: 100}, tc.results...)
			for i, name := range names {
				if got := value(t, s, name); got != want[i] {
					t.Errorf("%s: %v by text, %v from files", name, got, want[i])
				}
				if raw, _ := s.RawMean(name); raw.Value != want[i] {
					t.Errorf("%s: %v by plain ids, %v from files", name, raw.Value, want[i])
				}
			}
			if share, ok := s.Resolved.Share(tc.way); !ok || share != 1 {
				t.Errorf("resolved %v, want all by %v", s.Resolved, tc.way)
			}
			if s.Counts != (score.Counts{Queries: 300, Scored: 300}) {
				t.Errorf("counts %+v", s.Counts)
			}
			// The published values of Lucene, whose lengths are rounded to a byte: 0.6789 and 0.9253.
			if n, r := value(t, s, "ndcg@10"), value(t, s, "recall@100"); math.Abs(n-0.6789) > 0.004 || math.Abs(r-0.9253) > 0.004 {
				t.Errorf("ndcg@10 %.4f, recall@100 %.4f", n, r)
			}
		})
	}
}

// rankings are BM25's top 100 for every claim. Scores are counted down by rank, so that no tie is broken
// one way here and another way in a file.
func rankings(t *testing.T, c *scifact.Collection) ([]assay.Result, texts) {
	t.Helper()
	cfg := bm25.Default()
	cfg.Text = bm25.TitleAndText
	x, err := bm25.Build(context.Background(), func(yield func(assay.Chunk, error) bool) {
		for _, chunk := range c.Chunks {
			if !yield(chunk, nil) {
				return
			}
		}
	}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	var results []assay.Result
	for _, q := range c.Queries {
		res, err := x.Search(context.Background(), assay.Request{Text: q.Text, K: 100})
		if err != nil {
			t.Fatal(err)
		}
		r := assay.Result{Query: q.ID}
		for i, h := range res.Hits {
			r.Hits = append(r.Hits, assay.RankedHit{ID: h.ID, Score: float64(1000 - i)})
		}
		results = append(results, r)
	}
	return results, texts{}
}

// asFiles scores the results through a TREC run file.
func asFiles(t *testing.T, dir string, results []assay.Result, names []string) []float64 {
	t.Helper()
	var b strings.Builder
	for _, r := range results {
		for i, h := range r.Hits {
			fmt.Fprintf(&b, "%s Q0 %s %d %g bm25\n", r.Query, h.ID, i+1, h.Score)
		}
	}
	path := filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	qrels, err := trec.ReadQrels(filepath.Join(dir, "qrels-test.tsv"), trec.Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := trec.OpenRun(path, trec.Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	set, err := measure.NewSet(measures(t, names...)...)
	if err != nil {
		t.Fatal(err)
	}
	res, err := evaluate.Run(context.Background(), qrels, run, set, evaluate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []float64
	for _, m := range res.Means {
		out = append(out, m.Value)
	}
	return out
}

// TestSciFactExportsAgain: the qrels come back from the set as they went in, to the grade.
func TestSciFactExportsAgain(t *testing.T) {
	dir := shared.Dir(t, "data", "scifact")
	set, err := testset.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Import([]string{filepath.Join(dir, "queries-test.jsonl"), filepath.Join(dir, "qrels-test.tsv")}, testset.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if _, err := set.ExportDir(out, testset.FormBEIR, nil); err != nil {
		t.Fatal(err)
	}
	lines := func(path string) map[string]bool {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		set := map[string]bool{}
		for line := range strings.Lines(string(data)) {
			set[strings.TrimSpace(line)] = true
		}
		return set
	}
	if diff := cmp.Diff(lines(filepath.Join(dir, "qrels-test.tsv")), lines(filepath.Join(out, "qrels", "test.tsv"))); diff != "" {
		t.Errorf("qrels (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(lines(filepath.Join(dir, "queries-test.jsonl")), lines(filepath.Join(out, "queries.jsonl")), cmp.Transformer("spaces", func(m map[string]bool) map[string]bool {
		bare := map[string]bool{}
		for line := range m {
			bare[strings.ReplaceAll(line, " ", "")] = true
		}
		return bare
	})); diff != "" {
		t.Errorf("queries (-want +got):\n%s", diff)
	}
}
