package main

import (
	"math"
	"math/rand/v2"
)

// scenario is a distribution of per-query scores, or of paired differences, whose
// mean is known.
type scenario struct {
	name string
	mean float64
	draw func(r *rand.Rand) float64
}

// sample draws n values.
func (s scenario) sample(r *rand.Rand, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = s.draw(r)
	}
	return xs
}

// beta draws from Beta(a, b) for whole a and b.
func beta(r *rand.Rand, a, b int) float64 {
	gamma := func(k int) (g float64) {
		for range k {
			g += r.ExpFloat64()
		}
		return g
	}
	x, y := gamma(a), gamma(b)
	return x / (x + y)
}

// hits draws from the binomial distribution.
func hits(r *rand.Rand, n int, p float64) float64 {
	k := 0
	for range n {
		if r.Float64() < p {
			k++
		}
	}
	return float64(k)
}

func bernoulli(p float64) scenario {
	return scenario{"0/1, mean " + share(p), p, func(r *rand.Rand) float64 { return hits(r, 1, p) }}
}

// graded are scores of one system that are not 0/1.
var graded = []scenario{
	{"nDCG-like: 20 % at 0, 15 % at 1, rest between", 0.15 + 0.65*2/3, func(r *rand.Rand) float64 {
		switch u := r.Float64(); {
		case u < 0.20:
			return 0
		case u < 0.35:
			return 1
		}
		return beta(r, 2, 1)
	}},
	{"reciprocal rank, cut at 10", 0.85 * reciprocalMean(), func(r *rand.Rand) float64 {
		if r.Float64() < 0.15 {
			return 0
		}
		rank := 1
		for rank < 10 && r.Float64() < 0.5 {
			rank++
		}
		return 1 / float64(rank)
	}},
	{"recall of 3 items, mean .6", 0.6, func(r *rand.Rand) float64 { return hits(r, 3, 0.6) / 3 }},
	{"recall of 3 items, mean .93", 0.93, func(r *rand.Rand) float64 { return hits(r, 3, 0.93) / 3 }},
	{"precision at 10, low", 1.0 / 7, func(r *rand.Rand) float64 { return hits(r, 10, beta(r, 1, 6)) / 10 }},
	{"mostly 0: 70 % at 0, rest small", 0.1, func(r *rand.Rand) float64 {
		if r.Float64() < 0.7 {
			return 0
		}
		return beta(r, 1, 2)
	}},
	{"mostly 1: 80 % at 1, rest between", 0.8 + 0.2*2/3, func(r *rand.Rand) float64 {
		if r.Float64() < 0.8 {
			return 1
		}
		return beta(r, 2, 1)
	}},
}

// reciprocalMean is the mean of 1/rank when each rank stops with probability ½.
func reciprocalMean() float64 {
	mean := 0.0
	for rank := 1; rank < 10; rank++ {
		mean += math.Ldexp(1, -rank) / float64(rank)
	}
	return mean + math.Ldexp(1, -9)/10
}

// binaryMeans are the success rates of the 0/1 scenarios.
var binaryMeans = []float64{0.5, 0.8, 0.9, 0.97}
