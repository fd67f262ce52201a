package exact

import (
	"math"
	"math/rand/v2"
	"testing"
)

func random(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

var kernels = []struct {
	name      string
	one, four func(out, rows, queries []float32, dim int)
}{{"plain", oneGo, fourGo}, {"fastest", dotOne, dotFour}}

// TestKernels holds every kernel to the bound that the search relies on, for all shapes.
func TestKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, k := range kernels {
		for _, dim := range []int{1, 2, 7, 8, 9, 15, 16, 31, 32, 33, 40, 63, 64, 100, 127, 128, 300, 384, 1023} {
			for _, n := range []int{1, 2, 3, 8, 13} {
				rows, queries := random(r, n*dim), random(r, group*dim)
				one, four := make([]float32, n), make([]float32, group*n)
				k.four(four, rows, queries, dim)
				for j := range group {
					query := queries[j*dim : (j+1)*dim]
					k.one(one, rows, query, dim)
					for i := range n {
						row := rows[i*dim : (i+1)*dim]
						want := dot64(row, query)
						bound := slack(dim) * math.Sqrt(dot64(row, row)*dot64(query, query))
						if d := math.Abs(float64(one[i]) - want); !(d <= bound) {
							t.Fatalf("%s, one: dim %d, row %d of %d: off by %g, bound %g", k.name, dim, i, n, d, bound)
						}
						if d := math.Abs(float64(four[j*n+i]) - want); !(d <= bound) {
							t.Fatalf("%s, four: dim %d, row %d of %d, query %d: off by %g, bound %g", k.name, dim, i, n, j, d, bound)
						}
					}
				}
			}
		}
	}
}

// TestSameBits: vector instructions give the double-precision sums that plain code gives, to the last bit.
func TestSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		n := lanes * (1 + r.IntN(60))
		a, b := random(r, n), random(r, n)
		for i := range a {
			a[i] *= float32(math.Pow(2, float64(r.IntN(60)-30))) // sums that round at every step
		}
		var plain, fast [lanes]float64
		lanes64Go(&plain, a, b)
		lanes64(&fast, a, b)
		if plain != fast {
			t.Fatalf("%d values: %v, want %v", n, fast, plain)
		}
	}
}

func BenchmarkKernels(b *testing.B) {
	const dim, n = 384, 256
	r := rand.New(rand.NewPCG(1, 1))
	rows, queries := random(r, n*dim), random(r, group*dim)
	out := make([]float32, group*n)
	for _, k := range kernels {
		b.Run(k.name+"/one", func(b *testing.B) {
			b.SetBytes(4 * n * dim)
			for b.Loop() {
				k.one(out[:n], rows, queries[:dim], dim)
			}
		})
		b.Run(k.name+"/four", func(b *testing.B) {
			b.SetBytes(4 * 4 * n * dim)
			for b.Loop() {
				k.four(out, rows, queries, dim)
			}
		})
	}
	b.Run("double", func(b *testing.B) {
		for b.Loop() {
			dot64(rows[:dim], queries[:dim])
		}
	})
}
