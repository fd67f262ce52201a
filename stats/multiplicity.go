package stats

import (
	"cmp"
	"slices"
)

// Holm returns p-values adjusted for the family they form, so that comparing each
// with α keeps the chance of any false alarm below α (Holm 1979): with p sorted
// ascending, p̃_(i) = max_{j≤i} min(1, (m−j+1)·p_(j)). Order is that of the input.
func Holm(p []float64) []float64 {
	order, adjusted := ascending(p), make([]float64, len(p))
	worst := 0.0
	for j, i := range order {
		worst = max(worst, min(1, float64(len(p)-j)*p[i]))
		adjusted[i] = worst
	}
	return adjusted
}

// BenjaminiHochberg returns p-values adjusted so that comparing each with α keeps
// the expected share of false alarms among the alarms below α, for screening many
// configurations (Benjamini and Hochberg 1995): p̃_(i) = min_{j≥i} min(1, m·p_(j)/j).
// It holds under independence and positive dependence. Order is that of the input.
func BenjaminiHochberg(p []float64) []float64 {
	order, adjusted := ascending(p), make([]float64, len(p))
	best := 1.0
	for j := len(order) - 1; j >= 0; j-- {
		i := order[j]
		best = min(best, float64(len(p))*p[i]/float64(j+1))
		adjusted[i] = best
	}
	return adjusted
}

func ascending(p []float64) []int {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order
}
