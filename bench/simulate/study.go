package main

import (
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/assay-eval/assay/stats"
)

// study is one run of the simulation.
type study struct {
	replicates int
	seed       uint64
}

// sizes are the numbers of queries simulated.
var sizes = []int{20, 50, 200}

// options are those of every simulated calculation. Fewer draws than the default
// keep the run short; what they add to an interval's limits is noise of a few
// hundredths of its width.
var options = stats.Options{Draws: 2000, Flips: 5000}

// each calls replicate once per replicate, on all processors, with a random stream
// that depends only on the seed, the name and the number of the replicate.
func (s study) each(name string, n int, replicate func(k int, r *rand.Rand)) {
	h := fnv.New64a()
	h.Write([]byte(name))
	h.Write([]byte{byte(n), byte(n >> 8), byte(n >> 16)})
	stream := h.Sum64() ^ s.seed*0x9e3779b97f4a7c15
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				k := int(next.Add(1)) - 1
				if k >= s.replicates {
					return
				}
				replicate(k, rand.New(rand.NewPCG(stream, uint64(k)*0xda942042e4dd58b5+1)))
			}
		})
	}
	wg.Wait()
}

// tally is how often, and how wide, the intervals of one method were in a study.
type tally struct {
	hit   []bool
	width []float64
}

func newTally(replicates int) *tally {
	return &tally{hit: make([]bool, replicates), width: make([]float64, replicates)}
}

// interval notes whether replicate k covered the truth. Limits a rounding error
// away from it count.
func (t *tally) interval(k int, i stats.Interval, truth float64) {
	const eps = 1e-12
	t.hit[k] = i.Lo-eps <= truth && truth <= i.Hi+eps
	t.width[k] = i.Width()
}

// event notes whether something happened in replicate k.
func (t *tally) event(k int, happened bool) { t.hit[k] = happened }

// share of the replicates that were hits.
func (t *tally) share() float64 {
	n := 0
	for _, h := range t.hit {
		if h {
			n++
		}
	}
	return float64(n) / float64(len(t.hit))
}

func (t *tally) meanWidth() float64 {
	total := 0.0
	for _, w := range t.width {
		total += w
	}
	return total / float64(len(t.width))
}

// must unwraps a result that valid simulated data cannot fail to give.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
