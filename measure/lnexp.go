package measure

import "math"

// C's log and exp are nearly always correctly rounded, Go's often one unit off, which shows where logs of
// many queries cancel. These two are correctly rounded but for cases so close to a tie that 100 bits do not
// decide.

var ln2 = dd{0.6931471805599453, 2.3190468138462996e-17}

// inverseFactorials holds 1/n!.
var inverseFactorials = func() (f [12]dd) {
	f[0] = dd{1, 0}
	for n := 1; n < len(f); n++ {
		f[n] = f[n-1].div(dd{float64(n), 0})
	}
	return f
}()

// ln is the natural logarithm of a normal x > 0.
func ln(x float64) float64 {
	y := math.Log(x)
	if x == 1 || math.IsInf(y, 0) || math.IsNaN(y) {
		return y
	}
	// One Newton step: ln(x) = y + ln(x e^-y), whose argument is within an ulp or two of 1.
	m, e := math.Frexp(x)
	r := expDD(-y, e).mul(dd{m, 0}).add(dd{-1, 0})
	return dd{y, 0}.add(r).add(r.mul(r).mul(dd{-0.5, 0})).hi
}

// exp is e^x.
func exp(x float64) float64 {
	if x == 0 || x < -700 || x > 700 || math.IsNaN(x) {
		return math.Exp(x)
	}
	return expDD(x, 0).hi
}

// expDD is e^x 2^scale for |x| <= 745, if the result is a normal number. The argument is reduced by ln 2 and
// halved eight times, so that eleven terms of the series give 106 bits.
func expDD(x float64, scale int) dd {
	k := math.Round(x / math.Ln2)
	r := dd{x, 0}.add(ln2.mul(dd{-k, 0}))
	r = dd{r.hi / 256, r.lo / 256}
	sum := inverseFactorials[len(inverseFactorials)-1] // Horner for e^r - 1
	for n := len(inverseFactorials) - 2; n >= 1; n-- {
		sum = sum.mul(r).add(inverseFactorials[n])
	}
	sum = sum.mul(r)
	for range 8 { // (1 + s)² - 1 = 2s + s²
		sum = dd{2 * sum.hi, 2 * sum.lo}.add(sum.mul(sum))
	}
	sum = sum.add(dd{1, 0})
	n := int(k) + scale
	return dd{math.Ldexp(sum.hi, n), math.Ldexp(sum.lo, n)}
}
