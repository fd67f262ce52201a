package main

import (
	"fmt"
	"math"
)

// claim is a promise of docs/statistics.md with the number that was measured.
type claim struct {
	text   string
	value  float64
	lo, hi float64
}

// claims collects promises; a run with a broken one fails.
type claims struct {
	replicates int
	all        []claim
}

// within promises lo ≤ value ≤ hi.
func (c *claims) within(lo, hi, value float64, format string, args ...any) {
	c.all = append(c.all, claim{fmt.Sprintf(format, args...), value, lo, hi})
}

// level promises an error rate of at most alpha, 3 standard errors of the
// simulation allowed for.
func (c *claims) level(alpha, value float64, format string, args ...any) {
	c.within(0, alpha+3*c.se(alpha), value, format, args...)
}

// se is the standard error of a simulated share.
func (c *claims) se(share float64) float64 {
	return math.Sqrt(share * (1 - share) / float64(c.replicates))
}

// broken lists the promises that do not hold, each limit widened by slack
// standard errors of the simulation: 0 for the full run, more for a short one.
func (c *claims) broken(slack float64) []string {
	var out []string
	for _, p := range c.all {
		if p.value < p.lo-slack*c.se(p.lo) || p.value > p.hi+slack*c.se(min(p.hi, 1)) {
			out = append(out, fmt.Sprintf("%s: %.4f, promised %.4f to %.4f", p.text, p.value, p.lo, p.hi))
		}
	}
	return out
}
