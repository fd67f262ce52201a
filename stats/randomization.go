package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// maxExact is the number of non-zero differences up to which all sign
// assignments are enumerated: 2^30 of them, counted by halves in a few
// milliseconds.
const maxExact = 30

// sumTolerance is the share of Σ|d| within which two sums count as equal; sums
// of the same numbers in another order differ in the last bits.
const sumTolerance = 1e-12

// RandomizationTest returns the two-sided p-value of the paired randomization
// (sign-flipping) test on the mean of the differences (Fisher 1935; Smucker,
// Allan and Carterette 2007). Under the null hypothesis the two systems are
// exchangeable on every query, so every difference may as well have the other sign.
//
// exact says that all assignments were counted, which happens for up to 30
// non-zero differences and where all of them have one size. Otherwise the
// p-value is (1 + #{|T*| ≥ |T|}) / (flips + 1) over random assignments
// (Phipson and Smyth 2010): never 0, and valid for any number of flips.
func RandomizationTest(differences []float64, flips int, seed uint64) (p float64, exact bool) {
	l, err := Design{}.layout(len(differences))
	if err != nil || len(differences) == 0 {
		return 1, true
	}
	c := l.column(differences)
	if c.mean < 0 {
		c = l.column(negated(differences))
	}
	if p, ok := c.exactP(); ok {
		return p, true
	}
	return c.randomP(flip([]column{c}, flips, seed)[0]), false
}

// exactP is the p-value over all sign assignments. The column must be oriented:
// its total is not negative.
func (c *column) exactP() (p float64, ok bool) {
	var d []float64
	scale := 0.0
	for _, x := range c.num {
		if x != 0 {
			d = append(d, x)
			scale += math.Abs(x)
		}
	}
	tol := sumTolerance * scale
	if c.total <= tol {
		return 1, true
	}
	if k, equal := oneSize(d); equal {
		return BinomialTest(k, len(d)-k), true
	}
	if len(d) > maxExact {
		return 0, false
	}
	// Flipping a subset lowers the total T to T − 2s, so the total stays at least T
	// where s ≤ 0; the other tail is as large, by symmetry.
	below := countPairs(subsetSums(d[:len(d)/2]), subsetSums(d[len(d)/2:]), tol/2)
	return min(1, math.Ldexp(2*below, -len(d))), true
}

// randomP counts the random assignments at least as extreme as the data.
func (c *column) randomP(s subsets) float64 {
	half := sumTolerance / 2 * sumAbs(c.num)
	beyond := 0
	for _, x := range s.sums {
		if x <= half || x >= c.total-half {
			beyond++
		}
	}
	return float64(1+beyond) / float64(1+len(s.sums))
}

// oneSize reports whether all values have the same size, and how many are positive.
func oneSize(d []float64) (positive int, equal bool) {
	for _, x := range d {
		if math.Abs(math.Abs(x)-math.Abs(d[0])) > sumTolerance*math.Abs(d[0]) {
			return 0, false
		}
		if x > 0 {
			positive++
		}
	}
	return positive, true
}

// subsetSums returns the sums of all subsets in ascending order, merging as it
// grows (Horowitz and Sahni 1974).
func subsetSums(d []float64) []float64 {
	sums := []float64{0}
	for _, x := range d {
		merged := make([]float64, 0, 2*len(sums))
		i, j := 0, 0
		for i < len(sums) || j < len(sums) {
			if j == len(sums) || (i < len(sums) && sums[i] <= sums[j]+x) {
				merged = append(merged, sums[i])
				i++
			} else {
				merged = append(merged, sums[j]+x)
				j++
			}
		}
		sums = merged
	}
	return sums
}

// countPairs counts the pairs of the two ascending slices that sum to at most limit.
func countPairs(a, b []float64, limit float64) float64 {
	count, j := 0, len(b)
	for _, x := range a {
		for j > 0 && x+b[j-1] > limit {
			j--
		}
		count += j
	}
	return float64(count)
}

// BinomialTest returns the two-sided exact p-value of wins against losses under
// equal chances: the exact form of McNemar's test, and the randomization test for
// 0/1 scores. It is 1 when both are 0.
func BinomialTest(wins, losses int) float64 {
	n, k := wins+losses, min(wins, losses)
	if n == 0 || 2*k == n {
		return 1
	}
	return min(1, 2*distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(k)))
}

func sumAbs(xs []float64) float64 {
	total := 0.0
	for _, x := range xs {
		total += math.Abs(x)
	}
	return total
}

func negated(xs []float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = 0 - x
	}
	return out
}
