package stats

import "math"

// constantInterval is what scores without any spread still say about the mean. With
// the given confidence at most a share u = 1 − (1−confidence)^(1/n) of the
// population scores otherwise (n draws saw none of it), and that share lies
// somewhere inside the range of a score. A bootstrap would report width 0.
func constantInterval(value, n, confidence float64, bound Interval) Interval {
	if bound == (Interval{}) {
		return Interval{value, value}
	}
	u := 1 - math.Pow(1-confidence, 1/n)
	return Interval{
		value - float64(u*(value-bound.Lo)),
		value + float64(u*(bound.Hi-value)),
	}.clip(bound).around(value)
}

// scoreRange is the range of a score: the stated one, or [0, 1] if every score
// lies in it, or unknown.
func scoreRange(stated Interval, samples ...[]float64) Interval {
	if stated != (Interval{}) {
		return stated
	}
	unit := Interval{0, 1}
	for _, xs := range samples {
		for _, x := range xs {
			if !unit.Contains(x) {
				return Interval{}
			}
		}
	}
	return unit
}
