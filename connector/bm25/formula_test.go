package bm25_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25"
	"github.com/assay-eval/assay/connector/bm25/analyze"
	"pgregory.net/rapid"
)

// TestLuceneScores compares with what Apache Lucene 9.12 found among 300 sentences so short that its
// document lengths are exact (analyze/testdata/golden.sh). Its scores are single precision.
func TestLuceneScores(t *testing.T) {
	f, err := os.Open("analyze/testdata/small.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var chunks []assay.Chunk
	var queries []string
	for s := bufio.NewScanner(f); s.Scan(); {
		switch f := strings.Split(s.Text(), "\t"); f[0] {
		case "D":
			chunks = append(chunks, assay.Chunk{ID: f[1], Text: f[2]})
		case "Q":
			queries = append(queries, f[1])
		}
	}
	golden := map[int]map[string]float64{}
	hits, err := os.ReadFile("analyze/testdata/small.hits.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(hits)) {
		f := strings.Fields(line)
		q, _ := strconv.Atoi(f[0])
		score, _ := strconv.ParseFloat(f[2], 64)
		if golden[q] == nil {
			golden[q] = map[string]float64{}
		}
		golden[q][f[1]] = score
	}
	x := build(t, chunks, bm25.Default())
	for i, q := range queries {
		found := search(t, x, q, 1000)
		if len(found) != len(golden[i]) {
			t.Errorf("query %d: %d hits, Lucene has %d", i, len(found), len(golden[i]))
		}
		for _, h := range found {
			if want := golden[i][h.ID]; math.Abs(h.Score-want) > 2e-6*want {
				t.Errorf("query %d, %s: score %.9g, Lucene's %.9g", i, h.ID, h.Score, want)
			}
		}
	}
}

// corpus draws a small collection whose words repeat, and a query over the same words.
func corpus(t *rapid.T) ([]assay.Chunk, string) {
	words := rapid.SampledFrom(strings.Fields("cell cells protein the gene genes α-actin binding bind of tumour mice zz"))
	ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c0-9é]{1,3}`), 1, 40, rapid.ID[string]).Draw(t, "ids")
	chunks := make([]assay.Chunk, len(ids))
	for i, id := range ids {
		text := rapid.SliceOfN(words, 0, 30).Draw(t, "text")
		chunks[i] = assay.Chunk{ID: id, Text: strings.Join(text, " "), Metadata: map[string]any{"group": int64(i % 3)}}
	}
	return chunks, strings.Join(rapid.SliceOfN(words, 1, 8).Draw(t, "query"), " ")
}

func config(t *rapid.T) bm25.Config {
	cfg := bm25.Default()
	cfg.K1 = rapid.SampledFrom([]float64{0, 0.9, 1.2, 3}).Draw(t, "k1")
	cfg.B = rapid.SampledFrom([]float64{0, 0.4, 0.75, 1}).Draw(t, "b")
	cfg.Workers = rapid.IntRange(1, 4).Draw(t, "workers")
	return cfg
}

func mustBuild(t *rapid.T, chunks []assay.Chunk, cfg bm25.Config) *bm25.Index {
	x, err := bm25.Build(context.Background(), stream(chunks), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func mustSearch(t *rapid.T, x *bm25.Index, req assay.Request) []assay.Hit {
	res, err := x.Search(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return res.Hits
}

// keys renders a ranking with all bits of its scores.
func keys(hits []assay.Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = fmt.Sprintf("%s %x", h.ID, math.Float64bits(h.Score))
	}
	return out
}

// TestFormula recomputes every score from the definition, in double precision and with no index.
func TestFormula(t *testing.T) {
	english, err := analyze.New("english")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		chunks, query := corpus(t)
		cfg := config(t)
		terms := make([][]string, len(chunks))
		df := map[string]int{}
		n, total := 0, 0
		for i, c := range chunks {
			terms[i] = english.Terms(c.Text)
			total += len(terms[i])
			if len(terms[i]) > 0 {
				n++
			}
			unique := slices.Compact(slices.Sorted(slices.Values(terms[i])))
			for _, term := range unique {
				df[term]++
			}
		}
		want := map[string]float64{}
		for i, c := range chunks {
			for _, term := range english.Terms(query) {
				tf := 0.0
				for _, other := range terms[i] {
					if other == term {
						tf++
					}
				}
				if tf > 0 {
					idf := math.Log(1 + (float64(n-df[term])+0.5)/(float64(df[term])+0.5))
					want[c.ID] += idf * tf / (tf + cfg.K1*(1-cfg.B+cfg.B*float64(len(terms[i]))*float64(n)/float64(total)))
				}
			}
		}
		got := mustSearch(t, mustBuild(t, chunks, cfg), assay.Request{Text: query, K: 100})
		if len(got) != len(want) {
			t.Fatalf("%d hits, want %d", len(got), len(want))
		}
		for _, h := range got {
			if math.Abs(h.Score-want[h.ID]) > 1e-8 {
				t.Fatalf("%s: score %.12f, want %.12f", h.ID, h.Score, want[h.ID])
			}
		}
		inOrder := slices.IsSortedFunc(got, func(a, b assay.Hit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
		})
		if !inOrder {
			t.Fatalf("not by score, then id, descending: %v", keys(got))
		}
	})
}
