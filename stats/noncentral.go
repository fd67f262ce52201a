package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// tTest is a two-sided t-test seen from the side of its power. The noncentral t
// distribution is the normal one averaged over the estimated standard deviation S =
// √(χ²/df), so it is kept as nodes of S with the weights of Simpson's rule.
type tTest struct {
	alpha, critical float64
	node, weight    []float64
}

func newTTest(df, alpha float64) *tTest {
	t := &tTest{alpha: alpha, critical: studentQuantile(1-alpha/2, df)}
	if df > 1e6 {
		t.node, t.weight = []float64{1}, []float64{1}
		return t
	}
	const steps = 256
	spread := 1 / math.Sqrt(2*df)
	lo, hi := max(0, 1-10*spread), 1+10*spread
	h := (hi - lo) / steps
	lg, _ := math.Lgamma(df / 2)
	logScale := math.Ln2 + float64(df/2*math.Log(df/2)) - lg
	for k := range steps + 1 {
		s := lo + float64(float64(k)*h)
		simpson := float64(2+2*(k%2)) * h / 3
		if k == 0 || k == steps {
			simpson = h / 3
		}
		power := 1.0 // s^(df−1), which is 1 for df = 1 even at 0
		if df != 1 {
			power = math.Pow(s, df-1)
		}
		density := math.Exp(logScale-df*s*s/2) * power
		if df > 100 { // the two factors alone would leave the range of a float
			density = math.Exp(logScale + float64((df-1)*math.Log(s)) - df*s*s/2)
		}
		t.node, t.weight = append(t.node, s), append(t.weight, simpson*density)
	}
	return t
}

// power is P(|T| > t_{1−α/2}) when the mean of the t statistic is shift.
func (t *tTest) power(shift float64) float64 {
	total := 0.0
	for k, s := range t.node {
		limit := float64(t.critical * s)
		total += float64(t.weight[k] * (distuv.UnitNormal.CDF(shift-limit) + distuv.UnitNormal.CDF(-shift-limit)))
	}
	return total
}

// shift is the inverse of power, by false position (Illinois variant).
func (t *tTest) shift(power float64) float64 {
	lo, hi := 0.0, distuv.UnitNormal.Quantile(1-t.alpha/2)+distuv.UnitNormal.Quantile(power)
	atLo, atHi := t.alpha-power, t.power(hi)-power
	for atHi < 0 {
		lo, atLo = hi, atHi
		hi *= 1.5
		atHi = t.power(hi) - power
	}
	side := 0
	for range 100 {
		mid := hi - atHi*(hi-lo)/(atHi-atLo)
		at := t.power(mid) - power
		switch {
		case math.Abs(at) < 1e-11 || hi-lo < 1e-11*hi:
			return mid
		case at < 0:
			lo, atLo = mid, at
			if side < 0 {
				atHi /= 2
			}
			side = -1
		default:
			hi, atHi = mid, at
			if side > 0 {
				atLo /= 2
			}
			side = 1
		}
	}
	return (lo + hi) / 2
}
