package stats

import "math"

// randomizationInterval holds the differences δ that the randomization test does
// not reject: the test of d − δ flips (num − δ·den), and an assignment is as
// extreme as the data on one side exactly when δ is beyond the mean of its flipped
// units. The limits are therefore order statistics of random subset means
// (Hartigan 1969), taken so that 0 lies outside exactly when the p-value of
// randomP is at most alpha. bound is what a mean difference can be; ok is false
// where no finite limit exists and bound is unknown.
func (c *column) randomizationInterval(s subsets, alpha float64, bound Interval) (i Interval, ok bool) {
	means := make([]float64, 0, 2*len(s.sums))
	half := sumTolerance / 2 * sumAbs(c.num)
	add := func(sum, mass float64) {
		if mass <= sumTolerance*c.mass { // an empty subset speaks against no δ at all
			return
		}
		if math.Abs(sum) <= half {
			sum = 0
		}
		means = append(means, sum/mass)
	}
	for k, x := range s.sums {
		add(x, s.mass[k])
		add(c.total-x, c.mass-s.mass[k])
	}
	empty := 2*len(s.sums) - len(means)
	rank := int(math.Floor(alpha * float64(len(s.sums)+1) * (1 + 1e-12)))
	if rank <= empty {
		return bound, bound != Interval{}
	}
	k := rank - empty - 1
	lo := nthSmallest(means, k)
	hi := nthSmallest(means, len(means)-1-k)
	return Interval{lo, hi}.clip(bound).around(c.mean), true
}
