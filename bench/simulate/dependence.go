package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
)

// clusterSizes gives every cluster 2 to 8 queries, 5 on average.
func clusterSizes(r *rand.Rand, clusters int) []int {
	sizes := make([]int, clusters)
	for i := range sizes {
		sizes[i] = 2 + r.IntN(7)
	}
	return sizes
}

// clustered measures what the design's clusters are for: queries from one document
// succeed and fail together.
func (s study) clustered(c *claims) string {
	const alpha = 0.05
	t := newTable("scores", "documents", "coverage with clusters", "coverage without", "type I error with", "type I error without")
	for _, kind := range []struct {
		name string
		one  func(r *rand.Rand, level float64) float64
	}{
		{"0/1", func(r *rand.Rand, level float64) float64 { return hits(r, 1, level) }},
		{"graded", func(r *rand.Rand, level float64) float64 { return 0.7*level + 0.3*r.Float64() }},
	} {
		// A document's difficulty is Beta(2, 1), mean 2/3; the two systems of the null
		// comparison disagree by document.
		truth := 2.0 / 3
		if kind.name == "graded" {
			truth = 0.7*2/3 + 0.15
		}
		for _, documents := range []int{15, 40, 100} {
			with, without, errorWith, errorWithout := newTally(s.replicates), newTally(s.replicates), newTally(s.replicates), newTally(s.replicates)
			s.each("clusters "+kind.name, documents, func(k int, r *rand.Rand) {
				o := options
				o.Seed = uint64(k)
				var a, b []float64
				var d stats.Design
				for doc, size := range clusterSizes(r, documents) {
					levelA, levelB := beta(r, 2, 1), beta(r, 2, 1)
					for range size {
						a, b = append(a, kind.one(r, levelA)), append(b, kind.one(r, levelB))
						d.Clusters = append(d.Clusters, fmt.Sprint(doc))
					}
				}
				with.interval(k, must(stats.Summarize(a, d, o)).Interval, truth)
				without.interval(k, must(stats.Summarize(a, stats.Design{}, o)).Interval, truth)
				errorWith.event(k, must(stats.ComparePaired(a, b, d, o)).P <= alpha)
				errorWithout.event(k, must(stats.ComparePaired(a, b, stats.Design{}, o)).P <= alpha)
			})
			t.row(kind.name, fmt.Sprint(documents), covered(with), covered(without), share(errorWith.share()), share(errorWithout.share()))
			c.level(alpha, errorWith.share(), "clustered randomization keeps its level: %s, %d documents", kind.name, documents)
			if documents >= 40 {
				c.within(0.93, 0.97, with.share(), "clustered interval (%s) covers .93 to .97 with %d documents", kind.name, documents)
			}
		}
	}
	return t.String()
}

// stratified measures weighted means of a stratified sample: a rare stratum is
// sampled as often as the common one.
func (s study) stratified(c *claims) string {
	t := newTable("scores", "n", "strata and weights", "weights only", "neither")
	shares := map[string]float64{"head": 0.8, "tail": 0.2}
	for _, kind := range []struct {
		name             string
		head, tail, mean float64
		one              func(r *rand.Rand, level float64) float64
	}{
		{"0/1, rates .9 and .4", 0.9, 0.4, 0.8*0.9 + 0.2*0.4, func(r *rand.Rand, level float64) float64 { return hits(r, 1, level) }},
		{"graded, means .75 and .25", 0.75, 0.25, 0.8*0.75 + 0.2*0.25, func(r *rand.Rand, level float64) float64 {
			if level > 0.5 {
				return beta(r, 3, 1)
			}
			return beta(r, 1, 3)
		}},
	} {
		for _, n := range sizes {
			both, weights, neither := newTally(s.replicates), newTally(s.replicates), newTally(s.replicates)
			s.each("strata "+kind.name, n, func(k int, r *rand.Rand) {
				o := options
				o.Seed = uint64(k)
				xs, d := make([]float64, n), stats.Design{Strata: make([]string, n)}
				for i := range xs {
					d.Strata[i] = "head"
					level := kind.head
					if i%2 == 1 {
						d.Strata[i], level = "tail", kind.tail
					}
					xs[i] = kind.one(r, level)
				}
				d.Weights = must(stats.StratumWeights(d.Strata, shares))
				both.interval(k, must(stats.Summarize(xs, d, o)).Interval, kind.mean)
				weights.interval(k, must(stats.Summarize(xs, stats.Design{Weights: d.Weights}, o)).Interval, kind.mean)
				neither.interval(k, must(stats.Summarize(xs, stats.Design{}, o)).Interval, kind.mean)
			})
			t.row(kind.name, fmt.Sprint(n), covered(both), covered(weights), covered(neither))
			if n >= 50 {
				c.within(0.93, 1, both.share(), "stratified interval (%s) covers at least .93 at n = %d", kind.name, n)
			}
		}
	}
	return t.String()
}
