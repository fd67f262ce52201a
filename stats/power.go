package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Power returns the probability that a two-sided paired t-test of level alpha finds
// a true mean difference delta among n queries whose differences have standard
// deviation sd. It is exact for normal differences (noncentral t, both tails) and
// close for the randomization test (docs/statistics.md compares them). Fewer than
// two queries find nothing; without spread any difference is found.
func Power(delta, sd float64, n int, alpha float64) float64 {
	switch {
	case n < 2:
		return 0
	case delta == 0:
		return alpha
	}
	return newTTest(float64(n-1), alpha).power(math.Abs(delta) / sd * math.Sqrt(float64(n)))
}

// MinimumDetectable returns the smallest true mean difference that n queries
// find with the given power at two-sided level alpha; for many queries it is
// (z_{1−α/2} + z_power)·sd/√n, 2.80·sd/√n for 5 % and 80 %. It is 0 without spread and
// infinite for fewer than two queries. 0 < alpha < power < 1.
func MinimumDetectable(sd float64, n int, alpha, power float64) float64 {
	if n < 2 {
		return math.Inf(1)
	}
	return newTTest(float64(n-1), alpha).shift(power) * sd / math.Sqrt(float64(n))
}

// QueriesNeeded returns the smallest number of queries, at least 2, with which a
// true mean difference delta is found with the given power; for many queries it is
// ((z_{1−α/2} + z_power)·sd/delta)². ok is false when delta is 0 or more than two
// billion queries would be needed.
func QueriesNeeded(delta, sd, alpha, power float64) (n int, ok bool) {
	const most = 2e9
	z := distuv.UnitNormal.Quantile(1-alpha/2) + distuv.UnitNormal.Quantile(power)
	ratio := z * sd / math.Abs(delta)
	if delta == 0 || !(ratio*ratio < most) {
		return 0, false
	}
	n = max(2, int(ratio*ratio))
	enough := func(n int) bool { return Power(delta, sd, n, alpha) >= power }
	for n > 2 && enough(n-1) {
		n--
	}
	for !enough(n) {
		n++
	}
	return n, true
}

// DiscordanceSD is the standard deviation of paired 0/1 differences when the
// systems disagree on a share of the queries and their means differ by delta:
// √(share − delta²). It is what [QueriesNeeded] wants before any run exists.
func DiscordanceSD(share, delta float64) float64 {
	return math.Sqrt(max(0, share-float64(delta*delta)))
}
