package stats

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchScores are graded scores of two systems, a third of the queries tied.
func benchScores(measures, queries int) (a, b [][]float64) {
	r := rand.New(rand.NewPCG(21, 22))
	for range measures {
		x, y := make([]float64, queries), make([]float64, queries)
		for i := range x {
			x[i] = r.Float64()
			y[i] = x[i]
			if r.IntN(3) > 0 {
				y[i] = r.Float64()
			}
		}
		a, b = append(a, x), append(b, y)
	}
	return a, b
}

// The target: 10,000 permutations of 1,000 queries, 5 measures, under 0.2 s on two cores.
func BenchmarkRandomization(b *testing.B) {
	for _, flips := range []int{10_000, DefaultFlips} {
		x, y := benchScores(5, 1000)
		b.Run(fmt.Sprintf("flips=%d/queries=1000/measures=5", flips), func(b *testing.B) {
			for b.Loop() {
				if _, err := ComparePairedAll(x, y, Design{}, Options{Flips: flips}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The target: 10,000 draws of 1,000 queries, 5 measures, under 0.2 s on two cores.
func BenchmarkBCa(b *testing.B) {
	for _, queries := range []int{50, 1000, 1999} {
		x, _ := benchScores(5, queries)
		b.Run(fmt.Sprintf("draws=10000/queries=%d/measures=5", queries), func(b *testing.B) {
			for b.Loop() {
				if _, err := SummarizeAll(x, Design{}, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The size of MS MARCO dev, where the expansion takes the place of draws.
func BenchmarkEdgeworth(b *testing.B) {
	x, _ := benchScores(5, 6980)
	for b.Loop() {
		if _, err := SummarizeAll(x, Design{}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkExactRandomization(b *testing.B) {
	r := rand.New(rand.NewPCG(23, 24))
	d := make([]float64, maxExact)
	for i := range d {
		d[i] = r.NormFloat64()
	}
	for b.Loop() {
		if _, exact := RandomizationTest(d, 100, 0); !exact {
			b.Fatal("not enumerated")
		}
	}
}

func BenchmarkKappa(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y := make([]int, 300), make([]int, 300)
	for i := range x {
		x[i] = r.IntN(4)
		y[i] = min(3, x[i]+r.IntN(2))
	}
	for b.Loop() {
		if _, err := CohenKappa(x, y, QuadraticWeights, Design{}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMinimumDetectable(b *testing.B) {
	for b.Loop() {
		MinimumDetectable(0.2, 200, 0.05, 0.8)
	}
}
