package gate

import (
	"math"

	"github.com/assay-eval/assay/stats"
)

// power is with which the named number of queries would settle a rule.
const power = stats.DefaultPower

// needed is about how many queries tell a mean from a border that far away, scores having that standard deviation;
// 0 when no number does. Where queries hang together or weigh unequally, neff of n count, and so it will be for more.
func needed(distance, sd float64, n int, neff, alpha float64) int {
	if !(distance > 1e-9) {
		return 0
	}
	var independent int
	if sd > 0 {
		var ok bool
		if independent, ok = stats.QueriesNeeded(distance, sd, alpha, power); !ok {
			return 0
		}
	} else { // equal scores: enough of them to rule out that a share as large as the distance scores otherwise
		independent = int(math.Ceil(math.Log(alpha) / math.Log1p(-min(distance, 0.999))))
	}
	return int(math.Ceil(float64(max(independent, stats.MinQueries)) * float64(n) / neff))
}

// neededForQuantile scales the interval of a quantile, which narrows with the root of the number of queries, until it ends
// at the border; 0 when no number does.
func neededForQuantile(value, border float64, i stats.Interval, n int) int {
	distance, half := math.Abs(value-border), i.Hi-value
	if border < value {
		half = value - i.Lo
	}
	if !(distance > 1e-9*max(1, math.Abs(value))) || half <= distance {
		return 0
	}
	return int(math.Ceil(float64(n) * (half / distance) * (half / distance)))
}
