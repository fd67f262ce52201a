package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// fixture is 300 queries of three measures in 60 documents.
func fixture() (a, b [][]float64, d Design) {
	r := rand.New(rand.NewPCG(11, 12))
	a, b = make([][]float64, 3), make([][]float64, 3)
	for i := range 300 {
		for m := range a {
			x := math.Round(r.Float64()*100) / 100
			a[m], b[m] = append(a[m], x), append(b[m], math.Round((x*0.9+0.08*r.Float64())*100)/100)
		}
		d.Clusters = append(d.Clusters, string(rune('A'+i/5)))
		d.Weights = append(d.Weights, 1+float64(i%4))
	}
	return a, b, d
}

// The numbers must not depend on how many processors there are, run after run.
func TestSameBytesOnAnyNumberOfProcessors(t *testing.T) {
	a, b, d := fixture()
	all := func() string {
		o := Options{Draws: 3000, Flips: 5000, Seed: 42}
		times := Design{Clusters: d.Clusters}
		out := []any{
			must(SummarizeAll(a, d, o))(t),
			must(SummarizeAll(a, Design{}, o))(t),
			must(ComparePairedAll(a, b, d, o))(t),
			must(ComparePairedAll(a, b, Design{}, o))(t),
			must(SummarizeQuantile(a[0], 0.95, times, o))(t),
			must(CohenKappa(raterA, raterB, QuadraticWeights, Design{}, o))(t),
			must(KrippendorffAlpha(reliability, OrdinalScale, Design{}, o))(t),
		}
		return string(must(json.Marshal(out))(t))
	}
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	one := all()
	for _, processors := range []int{2, 3, 16} {
		runtime.GOMAXPROCS(processors)
		if got := all(); got != one {
			t.Fatalf("with %d processors\n%s\nwith one\n%s", processors, got, one)
		}
	}
}

// A change of the streams changes every number users have stored: it must be wanted.
func TestStreamsStayTheSame(t *testing.T) {
	indices := make([]uint32, 9)
	fillIndices(stream(1, forBootstrap, 0), indices, 1000)
	if want := []uint32{999, 913, 220, 729, 326, 321, 649, 823, 572}; !slices.Equal(indices, want) {
		t.Errorf("indices %v, want %v", indices, want)
	}
	a, b, _ := fixture()
	s := must(Summarize(a[0], Design{}, Options{Seed: 1}))(t)
	c := must(ComparePaired(a[0], b[0], Design{}, Options{Seed: 1}))(t)
	// Not bit for bit: math.Exp differs in the last place between architectures.
	nearInterval(t, "summary", s.Interval, 0.467, 0.5334404683411463, 1e-12)
	nearInterval(t, "comparison", c.Interval, 0.004797297297297298, 0.01352112676056338, 1e-12)
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(20) {
		for _, p := range []purpose{forBootstrap, forFlips} {
			for block := range 50 {
				w := stream(seed, p, block).Uint64()
				if seen[w] != "" {
					t.Fatalf("seed %d, purpose %x, block %d repeats another stream", seed, p, block)
				}
				seen[w] = "seen"
			}
		}
	}
}

// Indices must be uniform, for sizes that do not divide 2^32 and odd lengths too.
func TestFillIndicesIsUniform(t *testing.T) {
	const draws = 210_001
	for _, n := range []uint32{1, 2, 3, 7, 10} {
		indices := make([]uint32, draws)
		fillIndices(stream(5, forBootstrap, int(n)), indices, n)
		counts := make([]float64, n)
		for _, i := range indices {
			counts[i]++
		}
		expected, chi2 := float64(draws)/float64(n), 0.0
		for _, c := range counts {
			chi2 += (c - expected) * (c - expected) / expected
		}
		if chi2 > 30 { // beyond the 99.9 % point of χ² with 9 degrees of freedom
			t.Errorf("n = %d: counts %v", n, counts)
		}
	}
	// A quarter of all words is rejected for this n; kept, they would give every third
	// index twice its share.
	const large = 3 << 30
	indices := make([]uint32, 3001)
	fillIndices(stream(5, forBootstrap, 1), indices, large)
	thirds := 0
	for _, i := range indices {
		if i >= large {
			t.Fatalf("index %d of %d", i, uint32(large))
		}
		if i%3 == 0 {
			thirds++
		}
	}
	if thirds < 900 || thirds > 1100 {
		t.Errorf("%d of 3001 indices are multiples of 3", thirds)
	}
}

func TestEachBlockRunsEveryBlockOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100} {
		ran := make([]atomic.Int32, n)
		eachBlock(n, func() func(int) { return func(b int) { ran[b].Add(1) } })
		for b := range ran {
			if got := ran[b].Load(); got != 1 {
				t.Errorf("%d blocks: block %d ran %d times", n, b, got)
			}
		}
	}
}

// A sign table must sum what plain addition sums, whatever the number of units.
func TestSignTable(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{1, 7, 8, 9, 21} {
		values := make([]float64, n)
		for i := range values {
			values[i] = r.NormFloat64()
		}
		table := newSignTable(values)
		for range 50 {
			got, want := 0.0, 0.0
			for g := range table {
				mask := byte(r.Uint32())
				got += table[g][mask]
				for bit := range 8 {
					if u := 8*g + bit; u < n && mask>>bit&1 == 1 {
						want += values[u]
					}
				}
			}
			if math.Abs(got-want) > 1e-12 {
				t.Fatalf("n = %d: table %v, plain %v", n, got, want)
			}
		}
	}
}
