package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNoScores is returned when there is nothing to calculate from.
var ErrNoScores = errors.New("stats: no scores")

// column holds one measure as units: the weighted sum of scores and the weight of
// each. Its mean is Σnum/Σden. Units are sorted inside their stratum, so that the
// order of the input cannot reach a result.
type column struct {
	num, den []float64 // den is nil when every unit is one query of weight one
	strata   []span
	total    float64 // Σnum
	mass     float64 // Σden
	mean     float64
	se       float64 // linearized standard error of the mean
	df       float64 // units − strata
}

// checkScores refuses what no statistic can be made of.
func checkScores(name string, xs []float64) error {
	if len(xs) == 0 {
		return ErrNoScores
	}
	for i, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("stats: %s %d is %v: a missing or failed query must be left out and counted, not scored", name, i, x)
		}
		if math.Abs(x) > maxScore {
			return fmt.Errorf("stats: %s %d is %v: beyond ±%v sums of squares overflow", name, i, x, maxScore)
		}
	}
	return nil
}

const maxScore = 1e100

// column gathers the scores of one measure into units.
func (l *layout) column(xs []float64) column {
	c := column{strata: l.strata}
	if l.simple() && l.unit == nil {
		c.num = slices.Clone(xs)
		slices.Sort(c.num)
	} else {
		c.gather(l, xs)
	}
	c.total, c.mass = sum(c.num), float64(len(c.num))
	if c.den != nil {
		c.mass = sum(c.den)
	}
	c.mean = c.total / c.mass
	c.spread()
	return c
}

func (c *column) gather(l *layout, xs []float64) {
	type entry struct {
		unit int
		x, w float64
	}
	entries := make([]entry, len(xs))
	for i, x := range xs {
		entries[i] = entry{l.unitOf(i), x, l.weight(i)}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.unit, b.unit), cmp.Compare(a.x, b.x), cmp.Compare(a.w, b.w))
	})
	type pair struct{ num, den float64 }
	pairs := make([]pair, l.units())
	for _, e := range entries {
		p := &pairs[e.unit]
		p.num += float64(e.w * e.x)
		p.den += e.w
	}
	for _, s := range l.strata {
		slices.SortFunc(pairs[s.start:s.end], func(a, b pair) int {
			return cmp.Or(cmp.Compare(a.num, b.num), cmp.Compare(a.den, b.den))
		})
	}
	c.num = make([]float64, len(pairs))
	if !l.simple() {
		c.den = make([]float64, len(pairs))
	}
	for u, p := range pairs {
		c.num[u] = p.num
		if c.den != nil {
			c.den[u] = p.den
		}
	}
}

// spread sets the standard error by linearization of the ratio Σnum/Σden: with
// e = num − mean·den per unit, Var = Σ_h n_h/(n_h−1) Σ(e − ē_h)² / (Σden)² (Cochran
// 1977, ch. 6; for one stratum and equal weights this is s²/n).
func (c *column) spread() {
	variance := 0.0
	for _, s := range c.strata {
		n := float64(s.size())
		c.df += n - 1
		if n < 2 {
			continue
		}
		mean := 0.0
		for u := s.start; u < s.end; u++ {
			mean += c.residual(u, c.mean)
		}
		mean /= n
		squares := 0.0
		for u := s.start; u < s.end; u++ {
			d := c.residual(u, c.mean) - mean
			squares += float64(d * d)
		}
		variance += float64(squares * (n / (n - 1)))
	}
	c.se = math.Sqrt(variance) / c.mass
	if c.flat() {
		c.se = 0 // residuals of equal scores are rounding noise
	}
}

func (c *column) residual(u int, mean float64) float64 { return c.num[u] - float64(mean*c.weight(u)) }

func (c *column) weight(u int) float64 {
	if c.den == nil {
		return 1
	}
	return c.den[u]
}

// flat reports whether no resample could differ: all unit means are equal but
// for rounding.
func (c *column) flat() bool {
	scale := 0.0
	for _, x := range c.num {
		scale = max(scale, math.Abs(x))
	}
	for u := range c.num {
		if math.Abs(c.residual(u, c.mean)) > 1e-13*scale {
			return false
		}
	}
	return true
}

func sum(xs []float64) float64 {
	total := 0.0
	for _, x := range xs {
		total += x
	}
	return total
}

// binary reports whether every score is 0 or 1.
func binary(xs []float64) bool {
	for _, x := range xs {
		if x != 0 && x != 1 {
			return false
		}
	}
	return true
}

// sortedSum adds in ascending order, so that the order of the input cannot show. It
// reorders xs.
func sortedSum(xs []float64) float64 {
	slices.Sort(xs)
	return sum(xs)
}
