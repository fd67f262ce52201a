package gate

import (
	"math"
	"slices"

	"github.com/assay-eval/assay/stats"
)

// mostQueries is where the search for a number of queries ends: nobody has more, and what needs them lies on its limit.
const mostQueries = 10_000_000

// needed searches the smallest number of queries at which the rule would pass or fail, if further ones are like those at hand
// and the other rules grow with it; 0 when there is none. It asks what the verdict asks: the same interval, the same test, Holm
// over the same rules, and the same least sample for a pass.
func (b *bar) needed() int {
	unsettled, step := b.result.N, 1
	settled := unsettled + step
	for ; !b.settledAt(settled); settled = unsettled + step {
		if settled > mostQueries {
			return 0
		}
		unsettled, step = settled, 2*step
	}
	for settled-unsettled > 1 {
		if middle := unsettled + (settled-unsettled)/2; b.settledAt(middle) {
			settled = middle
		} else {
			unsettled = middle
		}
	}
	return settled
}

// settledAt reports whether n queries would make the rule pass or fail.
func (b *bar) settledAt(n int) bool {
	good, bad := b.rule.sides(b.grown.interval(n, b.confidence))
	switch {
	case (good || b.same) && b.few(n) == "" && b.shy(n) == "":
		return true
	case good || !bad:
		return false
	}
	alpha := 1 - b.confidence
	p := make([]float64, len(b.tested))
	for i, other := range b.tested {
		p[i] = other.grownP(int(math.Round(share(float64(other.result.N), n, b.result.N))), alpha)
	}
	return stats.Holm(p)[slices.Index(b.tested, b)] <= alpha
}

// grownP is the p-value that n queries would give.
func (b *bar) grownP(n int, alpha float64) float64 {
	if b.grown.p != nil {
		return b.grown.p(n)
	}
	p, _ := ladder(alpha, len(b.Rules), func(confidence float64) (bool, error) {
		_, bad := b.rule.sides(b.grown.interval(n, confidence))
		return bad, nil
	})
	return p
}

// share is what count, seen among so many queries, becomes among n.
func share(count float64, n, of int) float64 { return count * float64(n) / float64(of) }
