package stats

import (
	"cmp"
	"math"
	"slices"
)

// bootstrapQuantiles returns the sorted q-quantiles of resamples of whole units.
func (l *layout) bootstrapQuantiles(values []float64, q float64, o Options) []float64 {
	type value struct {
		x    float64
		unit int
	}
	sorted := make([]value, len(values))
	size := make([]int, l.units())
	for i, x := range values {
		sorted[i] = value{x, l.unitOf(i)}
		size[l.unitOf(i)]++
	}
	slices.SortFunc(sorted, func(a, b value) int {
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.unit, b.unit))
	})
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
