package stats

import (
	"fmt"
	"math"
)

// Interval is a closed interval from Lo to Hi, in the unit of the scores.
type Interval struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// Width returns Hi − Lo.
func (i Interval) Width() float64 { return i.Hi - i.Lo }

// Contains reports whether x lies in the interval, bounds included.
func (i Interval) Contains(x float64) bool { return i.Lo <= x && x <= i.Hi }

// String formats the interval with four decimals.
func (i Interval) String() string { return fmt.Sprintf("[%.4f, %.4f]", i.Lo, i.Hi) }

func (i Interval) finite() bool {
	return !math.IsNaN(i.Lo) && !math.IsInf(i.Lo, 0) && !math.IsNaN(i.Hi) && !math.IsInf(i.Hi, 0)
}

// clip cuts the interval to what a mean can be. A zero bound means unknown.
func (i Interval) clip(bound Interval) Interval {
	if bound == (Interval{}) {
		return i
	}
	return Interval{min(max(i.Lo, bound.Lo), bound.Hi), max(min(i.Hi, bound.Hi), bound.Lo)}
}

// around widens the interval by rounding error, so that it holds the estimate it
// was made for.
func (i Interval) around(x float64) Interval { return Interval{min(i.Lo, x), max(i.Hi, x)} }

// mirror is the interval of the negated quantity.
func (i Interval) mirror() Interval { return Interval{0 - i.Hi, 0 - i.Lo} }

// Method names how an interval was made.
type Method string

// The interval methods a result can name.
const (
	MethodWilson          Method = "Wilson"
	MethodWilsonEffective Method = "Wilson, effective n"
	MethodBCa             Method = "BCa bootstrap"
	MethodT               Method = "Student t"
	MethodNewcombe        Method = "Newcombe paired"
	MethodInversion       Method = "randomization, inverted"
	MethodHodgesLehmann   Method = "Hodges-Lehmann"
	MethodConstant        Method = "constant scores"
	MethodOrderStatistics Method = "order statistics"
	MethodPercentile      Method = "percentile bootstrap"
	MethodPPI             Method = "PPI++"
	MethodBCaDirichlet    Method = "BCa bootstrap and Dirichlet posterior"
)
