package corpus_test

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
)

// seq yields chunks in order.
func seq(chunks []assay.Chunk) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// population makes documents of very different sizes with chunks of very different lengths.
func population(docs int) (out []assay.Chunk) {
	rng := rand.New(rand.NewPCG(1, 1))
	for d := range docs {
		for c := range 1 + rng.IntN(1+rng.IntN(40)) {
			doc := fmt.Sprintf("doc%d", d)
			out = append(out, assay.Chunk{ID: fmt.Sprintf("%s#%d", doc, c), Document: doc, Text: strings.Repeat("x", 1<<rng.IntN(1+rng.IntN(12)))})
		}
	}
	return out
}

func draw(t tb, chunks []assay.Chunk, opts corpus.SampleOptions) *corpus.Sample {
	t.Helper()
	s, err := corpus.Draw(context.Background(), seq(chunks), opts)
	if err != nil {
		t.Fatalf("draw: %v", err)
	}
	return s
}

func chunkIDs(chunks []assay.Chunk) (out []string) {
	for _, c := range chunks {
		out = append(out, c.ID)
	}
	return out
}

func TestSampleIsNestedCappedAndIndifferentToOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := population(rapid.IntRange(1, 60).Draw(t, "docs"))
		seed := rapid.Uint64().Draw(t, "seed")
		most := rapid.IntRange(1, 5).Draw(t, "per document")
		n := rapid.IntRange(1, len(all)+5).Draw(t, "n")
		big := draw(t, all, corpus.SampleOptions{Size: n, Seed: seed, PerDocument: most})
		small := draw(t, all, corpus.SampleOptions{Size: rapid.IntRange(1, n).Draw(t, "small"), Seed: seed, PerDocument: most})
		if diff := cmp.Diff(chunkIDs(big.Chunks)[:len(small.Chunks)], chunkIDs(small.Chunks)); diff != "" {
			t.Fatalf("the smaller sample is not the beginning of the larger: %s", diff)
		}
		shuffled := slices.Clone(all)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again := draw(t, shuffled, corpus.SampleOptions{Size: n, Seed: seed, PerDocument: most})
		if diff := cmp.Diff(big, again); diff != "" {
			t.Fatalf("the order of chunks matters: %s", diff)
		}
		perDoc, sizes := map[string]int{}, map[string]int{}
		for _, c := range big.Chunks {
			perDoc[c.Document]++
		}
		for _, c := range all {
			sizes[c.Document]++
		}
		possible := 0
		for d, size := range sizes {
			possible += min(size, most)
			if perDoc[d] > most {
				t.Fatalf("%d chunks of %s", perDoc[d], d)
			}
		}
		if len(big.Chunks) != min(n, possible) || big.Missing != 0 || big.Eligible != len(all) || big.Documents != len(sizes) {
			t.Fatalf("%d of %d drawn, %d possible: %+v", len(big.Chunks), n, possible, big)
		}
	})
}

// TestSampleIsProportional: over many seeds every chunk is drawn about equally often where no limit
// binds, documents by their size, and within one sample the classes of length keep their shares.
func TestSampleIsProportional(t *testing.T) {
	all := population(300)
	const n, seeds = 60, 400
	drawn := map[string]int{}
	for seed := range uint64(seeds) {
		s := draw(t, all, corpus.SampleOptions{Size: n, Seed: seed})
		for _, c := range s.Chunks {
			drawn[c.ID]++
		}
		for _, st := range s.Strata {
			want := float64(n) * float64(st.Eligible) / float64(len(all))
			if math.Abs(float64(st.Drawn)-want) > 1.5 {
				t.Fatalf("seed %d: %d drawn of the class from %d bytes, its share is %.1f", seed, st.Drawn, st.MinBytes, want)
			}
		}
	}
	want := float64(n*seeds) / float64(len(all))
	var chi float64
	for _, c := range all {
		d := float64(drawn[c.ID]) - want
		chi += d * d / want
	}
	// Chi-square over len(all) cells: mean len(all), standard deviation sqrt(2 len(all)); stratification
	// can only make the counts more even than independent draws.
	if df := float64(len(all)); chi > df+5*math.Sqrt(2*df) {
		t.Errorf("chi-square %.0f over %d chunks", chi, len(all))
	}
	bySize := map[bool][2]int{} // of documents above and below ten chunks: chunks, times drawn
	sizes := map[string]int{}
	for _, c := range all {
		sizes[c.Document]++
	}
	for _, c := range all {
		v := bySize[sizes[c.Document] > 10]
		bySize[sizes[c.Document] > 10] = [2]int{v[0] + 1, v[1] + drawn[c.ID]}
	}
	big, small := bySize[true], bySize[false]
	if r := float64(big[1]) / float64(big[0]) / (float64(small[1]) / float64(small[0])); r < 0.95 || r > 1.05 {
		t.Errorf("a chunk of a large document is drawn %.3f times as often as one of a small document", r)
	}
}

func TestSampleSeedsDiffer(t *testing.T) {
	all := population(100)
	one := draw(t, all, corpus.SampleOptions{Size: 20, Seed: 1})
	two := draw(t, all, corpus.SampleOptions{Size: 20, Seed: 2})
	if slices.Equal(chunkIDs(one.Chunks), chunkIDs(two.Chunks)) {
		t.Error("two seeds draw the same sample")
	}
}

func TestSampleCountsALiveDocumentOnce(t *testing.T) {
	var x index
	for i := range 50 {
		x = append(x, assay.Chunk{ID: fmt.Sprint(i), Text: "some text", Document: "one.md"})
	}
	src := corpus.FromIndex(x, "q")
	s, err := corpus.Draw(t.Context(), src.Chunks(t.Context()), corpus.SampleOptions{Size: 10})
	if err != nil || len(s.Chunks) != 3 || s.Documents != 1 {
		t.Errorf("%d chunks of %d documents, %v", len(s.Chunks), s.Documents, err)
	}
}

func TestSampleRefusesAndReports(t *testing.T) {
	all := population(5)
	if _, err := corpus.Draw(t.Context(), seq(all), corpus.SampleOptions{}); err == nil {
		t.Error("a sample of nothing is drawn")
	}
	never := func(*assay.Chunk) bool { return false }
	if _, err := corpus.Draw(t.Context(), seq(all), corpus.SampleOptions{Size: 3, Eligible: never}); err == nil || assay.Hint(err) == "" {
		t.Errorf("nothing eligible: %v", err)
	}
	long := func(c *assay.Chunk) bool { return len(c.Text) >= 64 }
	for _, c := range draw(t, all, corpus.SampleOptions{Size: 9, Eligible: long}).Chunks {
		if len(c.Text) < 64 {
			t.Errorf("drew %s of %d bytes", c.ID, len(c.Text))
		}
	}
	// An index that loses its chunks between the passes.
	pass := 0
	shrinking := func(yield func(assay.Chunk, error) bool) {
		pass++
		for _, c := range all[:len(all)/pass] {
			if !yield(c, nil) {
				return
			}
		}
	}
	s, err := corpus.Draw(t.Context(), shrinking, corpus.SampleOptions{Size: 1000, PerDocument: 1000})
	if err != nil || s.Missing == 0 || s.Missing+len(s.Chunks) != len(all) {
		t.Errorf("missing %d, got %d of %d, %v", s.Missing, len(s.Chunks), len(all), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := corpus.Draw(ctx, seq(all), corpus.SampleOptions{Size: 1}); err == nil {
		t.Error("drawn although cancelled")
	}
}

// BenchmarkDraw300k samples 300,000 chunks of 2 KB, 600 MB of text, made as they are read. It reports the
// most heap seen in use.
func BenchmarkDraw300k(b *testing.B) {
	prose := strings.Repeat("The quick brown fox jumps over the lazy dog, again and again. ", 40)
	var peak uint64
	made := func(yield func(assay.Chunk, error) bool) {
		for i := range 300_000 {
			if i%50_000 == 0 {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapInuse+m.StackInuse)
			}
			doc := fmt.Sprintf("folder/document-%d.md", i/12)
			c := assay.Chunk{ID: fmt.Sprintf("%s#%d-%d", doc, i, i+2000), Document: doc, Text: strings.Clone(prose[:1000+i%1000])}
			if !yield(c, nil) {
				return
			}
		}
	}
	for b.Loop() {
		s, err := corpus.Draw(b.Context(), made, corpus.SampleOptions{Size: 300, Seed: 1})
		if err != nil || len(s.Chunks) != 300 {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(peak)/(1<<20), "MB-peak")
}
