package stats

import "slices"

// coincidences builds Krippendorff's matrix from ratings with few different values.
// Per item it keeps the cells above and on the diagonal that occur anywhere.
func coincidences(items [][]float64, s Scale) *disagreement {
	values := slices.Compact(slices.Sorted(slices.Values(slices.Concat(items...))))
	type cell struct{ low, high int }
	at := func(x float64) int {
		k, _ := slices.BinarySearch(values, x)
		return k
	}
	var occurs [maxGrades][maxGrades]bool
	for _, ratings := range items {
		for a, x := range ratings {
			for _, y := range ratings[a+1:] {
				occurs[at(x)][at(y)] = true // ratings are sorted: x ≤ y
			}
		}
	}
	var cells []cell
	var number [maxGrades][maxGrades]int
	for low := range values {
		for high := low; high < len(values); high++ {
			if occurs[low][high] {
				number[low][high] = len(cells)
				cells = append(cells, cell{low, high})
			}
		}
	}
	g := &disagreement{items: make([][]float64, len(items))}
	for i, ratings := range items {
		g.items[i] = make([]float64, len(cells))
		for a, x := range ratings {
			for _, y := range ratings[a+1:] {
				g.items[i][number[at(x)][at(y)]] += 2 / float64(len(ratings)-1)
			}
		}
	}
	k := len(values)
	margins := func(sums []float64) (n float64, margin [maxGrades]float64) {
		for j, c := range cells {
			margin[c.low] += sums[j] / 2
			margin[c.high] += sums[j] / 2
			n += sums[j]
		}
		return n, margin
	}
	g.of = func(sums []float64) (observed, expected float64) {
		n, margin := margins(sums)
		distance := distances(s, margin[:k])
		for j, c := range cells {
			observed += float64(sums[j] * distance(c.low, c.high))
		}
		for low := range k {
			for high := low + 1; high < k; high++ {
				expected += 2 * float64(margin[low]*margin[high]*distance(low, high))
			}
		}
		return observed / n, expected / (n * (n - 1))
	}
	g.farthest = func(sums []float64) float64 {
		_, margin := margins(sums)
		return distances(s, margin[:k])(0, k-1)
	}
	return g
}

// distances returns δ² between the a-th and b-th value, a ≤ b. On the ordinal scale
// it is the squared number of ratings from one to the other, the two ends
// counting half.
func distances(s Scale, margin []float64) func(a, b int) float64 {
	if s == NominalScale {
		return func(a, b int) float64 {
			if a == b {
				return 0
			}
			return 1
		}
	}
	var upTo [maxGrades + 1]float64
	for i, m := range margin {
		upTo[i+1] = upTo[i] + m
	}
	return func(a, b int) float64 {
		d := upTo[b+1] - upTo[a] - (margin[a]+margin[b])/2
		if a == b {
			return 0
		}
		return d * d
	}
}
