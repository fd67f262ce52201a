package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// decimals is how many decimals numbers are shown with.
type decimals int

// digits is least decimals, or as many as it takes to see on which side of the limit each value is.
func digits(least decimals, limit float64, values ...float64) decimals {
	d := least
	for ; d < 12; d++ {
		hidden := func(v float64) bool {
			return math.Abs(v-limit) > 1e-12*max(1, math.Abs(limit)) && d.show(v) == d.show(limit)
		}
		if !slices.ContainsFunc(values, hidden) {
			break
		}
	}
	return d
}

// scoreDecimals are those of a score and shareDecimals those of a percentage.
const (
	scoreDecimals = 4
	shareDecimals = 1
)

// millisDecimals shows milliseconds with about three digits.
func millisDecimals(ms float64) decimals {
	switch {
	case ms < 1:
		return 3
	case ms < 10:
		return 2
	case ms < 100:
		return 1
	}
	return 0
}

// show writes a number, without the sign of a negative zero.
func (d decimals) show(x float64) string {
	s := strconv.FormatFloat(x, 'f', int(d), 64)
	if v, err := strconv.ParseFloat(s, 64); err == nil && v == 0 {
		return strconv.FormatFloat(0, 'f', int(d), 64)
	}
	return s
}

// probability writes a p-value, behind its p.
func probability(p float64) string {
	if p < 0.0001 {
		return "p < 0.0001"
	}
	return fmt.Sprintf("p = %.2g", p)
}
