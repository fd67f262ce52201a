package stats

import "slices"

// nthSmallest is the n-th smallest value, counted from 0. It reorders xs
// (Hoare 1961).
func nthSmallest(xs []float64, n int) float64 {
	lo, hi := 0, len(xs)-1
	for hi-lo > 16 {
		pivot := median3(xs[lo], xs[lo+(hi-lo)/2], xs[hi])
		i, j := lo, hi
		for i <= j {
			for xs[i] < pivot {
				i++
			}
			for xs[j] > pivot {
				j--
			}
			if i <= j {
				xs[i], xs[j] = xs[j], xs[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			hi = j
		case n >= i:
			lo = i
		default:
			return xs[n]
		}
	}
	slices.Sort(xs[lo : hi+1])
	return xs[n]
}

func median3(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }
