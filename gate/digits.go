package gate

import (
	"fmt"
	"math"
	"strconv"
)

// digits is how many decimals numbers are shown with: four, or as many as it takes to see on which side of the limit
// each of them is.
type decimals int

func digits(limit float64, values ...float64) decimals {
	d := decimals(4)
	for ; d < 12; d++ {
		clear := true
		for _, v := range values {
			if v != limit && math.Abs(v-limit) > 1e-12*max(1, math.Abs(limit)) && d.show(v) == d.show(limit) {
				clear = false
			}
		}
		if clear {
			break
		}
	}
	return d
}

// show writes a number, without the sign of a negative zero.
func (d decimals) show(x float64) string {
	s := strconv.FormatFloat(x, 'f', int(d), 64)
	if v, err := strconv.ParseFloat(s, 64); err == nil && v == 0 {
		return strconv.FormatFloat(0, 'f', int(d), 64)
	}
	return s
}

// probability writes a p-value.
func probability(p float64) string {
	if p < 0.0001 {
		return "under 0.0001"
	}
	return fmt.Sprintf("%.2g", p)
}
