package stats

import (
	"cmp"
	"math"
	"slices"
)

// bootstrapQuantiles returns the sorted q-quantiles of resamples of whole units.
func (l *layout) bootstrapQuantiles(values []float64, q float64, o Options) []float64 {
	sorted, size := l.unitValues(values)
	quantiles := make([]float64, o.Draws)
	drawUnits(l.strata, o.Draws, o.Seed, func() func(int, []uint32) {
		times := make([]int, l.units())
		return func(draw int, units []uint32) {
			clear(times)
			total := 0
			for _, u := range units {
				times[u]++
				total += size[u]
			}
			h := q * float64(total-1)
			rank, f := int(h), h-math.Floor(h)
			seen, below := 0, math.NaN()
			for _, v := range sorted {
				seen += times[v.unit]
				if math.IsNaN(below) && seen > rank {
					below = v.x
				}
				if seen > rank+1 || (seen == total && seen > rank) {
					quantiles[draw] = below + float64(f*(v.x-below))
					break
				}
			}
		}
	})
	slices.Sort(quantiles)
	return quantiles
}

// unitValue is a value and the unit it belongs to.
type unitValue struct {
	x    float64
	unit int
}

// unitValues returns all values in ascending order and the size of each unit. Units
// are numbered by what they hold, so that the order of the input cannot show.
func (l *layout) unitValues(values []float64) (sorted []unitValue, size []int) {
	units := make([][]float64, l.units())
	for i, x := range values {
		units[l.unitOf(i)] = append(units[l.unitOf(i)], x)
	}
	for _, u := range units {
		slices.Sort(u)
	}
	for _, s := range l.strata {
		slices.SortFunc(units[s.start:s.end], slices.Compare)
	}
	for number, u := range units {
		size = append(size, len(u))
		for _, x := range u {
			sorted = append(sorted, unitValue{x, number})
		}
	}
	slices.SortFunc(sorted, func(a, b unitValue) int {
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.unit, b.unit))
	})
	return sorted, size
}
