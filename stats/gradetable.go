package stats

// gradeTable is a coefficient as a function of how many items have which two grades, by their ranks.
type gradeTable struct {
	*disagreement
	cell func(a, b int) int // number of the sum that items with these two grades add to
}

// add puts items into a table's sums. One adds to its cell what the coefficient makes of it: 1 for kappa, 2 for alpha.
func (t *gradeTable) add(sums []float64, a, b int, items float64) {
	k := t.cell(a, b)
	sums[k] += float64(t.items[k][k] * items)
}

func (s *GradeSample) kappaTable(w Weighting) gradeTable {
	grades := s.grades()
	var one, two []int
	for _, x := range grades {
		for _, y := range grades {
			one, two = append(one, x), append(two, y)
		}
	}
	return gradeTable{cohenTable(one, two, grades, w), func(a, b int) int { return a*len(grades) + b }}
}

func (s *GradeSample) alphaTable(scale Scale) gradeTable {
	grades := s.grades()
	var pairs [][]float64
	number := map[[2]int]int{}
	for x := range grades {
		for y := x; y < len(grades); y++ {
			number[[2]int{x, y}] = len(pairs)
			pairs = append(pairs, []float64{float64(grades[x]), float64(grades[y])})
		}
	}
	return gradeTable{coincidences(pairs, scale), func(a, b int) int { return number[[2]int{min(a, b), max(a, b)}] }}
}
