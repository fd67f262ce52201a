package bm25_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestOrderDoesNotMatter: any order of the chunks and any number of workers give the same bits.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chunks, query := corpus(t)
		cfg := config(t)
		want := keys(mustSearch(t, mustBuild(t, chunks, cfg), assay.Request{Text: query, K: 100}))
		shuffled := rapid.Permutation(chunks).Draw(t, "order")
		words := strings.Join(rapid.Permutation(strings.Fields(query)).Draw(t, "words"), " ")
		cfg.Workers = 5 - cfg.Workers
		got := keys(mustSearch(t, mustBuild(t, shuffled, cfg), assay.Request{Text: words, K: 100}))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("-first +second:\n%s", diff)
		}
	})
}

// TestSciFactTwice does the same on the real collection, with two indexes built in different orders.
func TestSciFactTwice(t *testing.T) {
	c := collection(t)
	first := build(t, c.Chunks, titleAndText())
	shuffled := append([]assay.Chunk(nil), c.Chunks...)
	rand.New(rand.NewPCG(7, 7)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	cfg := titleAndText()
	cfg.Workers = 7
	second := build(t, shuffled, cfg)
	for _, q := range c.Queries {
		if diff := cmp.Diff(keys(search(t, first, q.Text, 1000)), keys(search(t, second, q.Text, 1000))); diff != "" {
			t.Fatalf("query %s (-first +second):\n%s", q.ID, diff)
		}
	}
}

// TestFilterAndDepth: a filter leaves out what does not match and moves nothing else, and a smaller k is
// the beginning of a larger.
func TestFilterAndDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chunks, query := corpus(t)
		x := mustBuild(t, chunks, config(t))
		full := mustSearch(t, x, assay.Request{Text: query, K: len(chunks)})
		k := rapid.IntRange(1, len(chunks)).Draw(t, "k")
		filter := &assay.Filter{Field: "group", In: []any{int64(0), int64(2)}}
		var want []assay.Hit
		for _, h := range full {
			if filter.Match(h.Metadata) {
				want = append(want, h)
			}
		}
		want = want[:min(k, len(want))]
		got := mustSearch(t, x, assay.Request{Text: query, K: k, Filter: filter})
		if diff := cmp.Diff(keys(want), keys(got)); diff != "" {
			t.Fatalf("filtered (-want +got):\n%s", diff)
		}
		got = mustSearch(t, x, assay.Request{Text: query, K: k})
		if diff := cmp.Diff(keys(full[:min(k, len(full))]), keys(got)); diff != "" {
			t.Fatalf("k = %d (-want +got):\n%s", k, diff)
		}
	})
}

// TestManyWindows crosses the boundaries of the blocks that are scored at a time.
func TestManyWindows(t *testing.T) {
	c := collection(t)
	chunks := large(c, 20_000)
	x := build(t, chunks, bm25.Default())
	for _, q := range c.Queries[:20] {
		deep := search(t, x, q.Text, len(chunks))
		for _, k := range []int{1, 10, 1000} {
			if diff := cmp.Diff(keys(deep[:min(k, len(deep))]), keys(search(t, x, q.Text, k))); diff != "" {
				t.Fatalf("query %s, k = %d (-deep +shallow):\n%s", q.ID, k, diff)
			}
		}
		for i := 1; i < len(deep); i++ {
			if a, b := deep[i-1], deep[i]; a.Score < b.Score || a.Score == b.Score && a.ID < b.ID {
				t.Fatalf("query %s: rank %d (%v, %s) before rank %d (%v, %s)", q.ID, i, a.Score, a.ID, i+1, b.Score, b.ID)
			}
		}
	}
}

// TestRepeatedWords: scores beyond any real query's keep order and depth.
func TestRepeatedWords(t *testing.T) {
	var chunks []assay.Chunk
	for i := range 1000 {
		chunks = append(chunks, assay.Chunk{ID: fmt.Sprintf("%04d", i), Text: strings.Repeat("rare ", 1+i%50) + strings.Repeat("x ", i%7)})
		chunks = append(chunks, assay.Chunk{ID: fmt.Sprintf("o%04d", i), Text: strings.Repeat("other ", 100)})
	}
	x := build(t, chunks, bm25.Default())
	once := search(t, x, "rare", 500)
	many := search(t, x, strings.Repeat("rare ", bm25.MaxQueryWords), 500)
	for i, h := range many {
		if h.ID != once[i].ID || h.Score != once[i].Score*bm25.MaxQueryWords {
			t.Fatalf("rank %d: %s %v, want %s %v", i+1, h.ID, h.Score, once[i].ID, once[i].Score*bm25.MaxQueryWords)
		}
	}
}

func TestRefusals(t *testing.T) {
	x := build(t, []assay.Chunk{{ID: "a", Text: "hello"}, {ID: "b", Text: "of the"}}, bm25.Default())
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, tc := range map[string]struct {
		ctx  context.Context
		req  assay.Request
		kind assay.Kind
	}{
		"no text":       {req: assay.Request{Vector: []float32{1}, K: 1}, kind: assay.KindInvalid},
		"k 0":           {req: assay.Request{Text: "hello"}, kind: assay.KindInvalid},
		"native filter": {req: assay.Request{Text: "hello", K: 1, Filter: &assay.Filter{And: []assay.Filter{{Native: []byte("{}")}}}}, kind: assay.KindInvalid},
		"bad filter":    {req: assay.Request{Text: "hello", K: 1, Filter: &assay.Filter{}}, kind: assay.KindInvalid},
		"long query":    {req: assay.Request{Text: strings.Repeat("hello ", bm25.MaxQueryWords+1), K: 1}, kind: assay.KindInvalid},
		"canceled":      {ctx: canceled, req: assay.Request{Text: "hello", K: 1}, kind: assay.KindCanceled},
	} {
		ctx := tc.ctx
		if ctx == nil {
			ctx = context.Background()
		}
		res, err := x.Search(ctx, tc.req)
		if assay.KindOf(err) != tc.kind || res.Hits != nil {
			t.Errorf("%s: got %v, %v; want kind %s", name, res.Hits, err, tc.kind)
		}
	}
	for _, query := range []string{"the", "unknown", "?!", " "} {
		if hits := search(t, x, query, 5); len(hits) != 0 {
			t.Errorf("%q found %v", query, hits)
		}
	}
}

func TestBuildRefusals(t *testing.T) {
	boom := errors.New("disk on fire")
	one := []assay.Chunk{{ID: "a", Text: "x"}}
	for name, tc := range map[string]struct {
		chunks []assay.Chunk
		change func(*bm25.Config)
		fail   error
		says   string
	}{
		"nothing":   {says: "no chunks"},
		"no id":     {chunks: []assay.Chunk{{ID: "a"}, {Text: "x"}}, says: "chunk 2 has no id"},
		"twice":     {chunks: []assay.Chunk{{ID: "a"}, {ID: "b"}, {ID: "a"}}, says: `two chunks have the id "a"`},
		"k1":        {chunks: one, change: func(c *bm25.Config) { c.K1 = math.NaN() }, says: "k1 is NaN"},
		"b":         {chunks: one, change: func(c *bm25.Config) { c.B = 1.5 }, says: "b is 1.5"},
		"analyzer":  {chunks: one, change: func(c *bm25.Config) { c.Analyzer = "englsh" }, says: `did you mean "english"?`},
		"in stream": {chunks: one, fail: boom, says: "disk on fire"},
	} {
		cfg := bm25.Default()
		if tc.change != nil {
			tc.change(&cfg)
		}
		_, err := bm25.Build(context.Background(), func(yield func(assay.Chunk, error) bool) {
			for _, c := range tc.chunks {
				if !yield(c, nil) {
					return
				}
			}
			if tc.fail != nil {
				yield(assay.Chunk{}, tc.fail)
			}
		}, cfg)
		if err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: got %v, want %q in it", name, err, tc.says)
		}
	}
}

func TestPowers(t *testing.T) {
	x := build(t, []assay.Chunk{
		{ID: "b", Text: "two", Metadata: map[string]any{"lang": "en"}},
		{ID: "a", Text: "one", Title: "T", Document: "d", Span: &assay.Span{Start: 1, End: 4}, Vector: []float32{1}},
		{ID: "c", Text: "the"},
	}, bm25.Default())
	var ids []string
	for c, err := range x.ListChunks(context.Background(), assay.ListOptions{WithVectors: true}) {
		if err != nil || c.Vector != nil {
			t.Fatal(c, err)
		}
		ids = append(ids, c.ID)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, ids); diff != "" {
		t.Error(diff)
	}
	n, err := x.Count(context.Background(), &assay.Filter{Field: "lang", Eq: "en"})
	if n != 1 || err != nil {
		t.Errorf("count: %d, %v", n, err)
	}
	in, err := x.Inspect(context.Background())
	if err != nil || in.Count != 3 || !in.Ready || in.Config["analyzer"] != "english" || len(in.Warnings) != 1 {
		t.Errorf("inspection: %+v, %v", in, err)
	}
	want := []assay.Hit{{ID: "a", Text: "one", Title: "T", Document: "d", Span: &assay.Span{Start: 1, End: 4}}}
	got := search(t, x, "one", 5)
	want[0].Score = got[0].Score
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
