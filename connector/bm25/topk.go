package bm25

import "slices"

// scored is a chunk number and its score in units of 2^-unitBits.
type scored struct {
	score uint64
	chunk uint32
}

// compare is the order of a ranking: score descending, then chunk number ascending, which is id descending.
func compare(a, b scored) int {
	switch {
	case a.score > b.score || a.score == b.score && a.chunk < b.chunk:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// topK keeps the k first of the chunks pushed to it. It lets a few times k gather and then drops all but
// the k first, which costs less than a heap: most chunks that come in are soon driven out again.
type topK struct {
	k    int
	bar  uint64 // scores up to here do not get in; rises with every cut
	best []scored
}

// slack is how many chunks beyond k may gather.
func slack(k int) int { return max(3*k, 256) }

func (t *topK) reset(k int) {
	t.k, t.bar = k, 0
	t.best = slices.Grow(t.best[:0], k+slack(k))
}

// push adds a chunk whose score is above the bar. Chunks come in ascending order, so that one with the
// score of the k-th comes after it in the ranking and need not get in.
func (t *topK) push(s scored) {
	t.best = append(t.best, s)
	if len(t.best) >= t.k+slack(t.k) {
		t.cut()
	}
}

// cut drops all but the k first.
func (t *topK) cut() {
	if len(t.best) <= t.k {
		return
	}
	selectFirst(t.best, t.k)
	t.best = t.best[:t.k]
	t.bar = slices.MaxFunc(t.best, compare).score
}

// finish leaves the k first in ranking order.
func (t *topK) finish() {
	if len(t.best) > 2*t.k {
		t.cut()
	}
	slices.SortFunc(t.best, compare)
	t.best = t.best[:min(t.k, len(t.best))]
}

// selectFirst moves the k first of s, in any order, to its front (Hoare's quickselect).
func selectFirst(s []scored, k int) {
	for len(s) > 12 {
		p := partition(s)
		switch {
		case k <= p:
			s = s[:p]
		case k == p+1:
			return
		default:
			s, k = s[p+1:], k-p-1
		}
	}
	slices.SortFunc(s, compare)
}

// kthGreatest reorders s to find its k-th greatest value (quickselect, after Hoare).
func kthGreatest(s []uint64, k int) uint64 {
	for len(s) > 1 {
		pivot := max(min(s[0], s[len(s)/2]), min(max(s[0], s[len(s)/2]), s[len(s)-1]))
		i, j := 0, len(s)-1
		for i <= j {
			for s[i] > pivot {
				i++
			}
			for s[j] < pivot {
				j--
			}
			if i <= j {
				s[i], s[j] = s[j], s[i]
				i++
				j--
			}
		}
		// s[:j+1] are at least the pivot, s[i:] at most, and what is between equals it.
		switch {
		case k <= j+1:
			s = s[:j+1]
		case k > i:
			s, k = s[i:], k-i
		default:
			return pivot
		}
	}
	return s[0]
}

// partition puts the median of three in its place and what comes before it in the ranking to its left.
func partition(s []scored) int {
	last := len(s) - 1
	mid := last / 2
	if compare(s[mid], s[0]) < 0 {
		s[mid], s[0] = s[0], s[mid]
	}
	if compare(s[last], s[0]) < 0 {
		s[last], s[0] = s[0], s[last]
	}
	if compare(s[mid], s[last]) < 0 {
		s[mid], s[last] = s[last], s[mid]
	}
	pivot, p := s[last], 0
	for i := range last {
		if compare(s[i], pivot) < 0 {
			s[i], s[p] = s[p], s[i]
			p++
		}
	}
	s[p], s[last] = s[last], s[p]
	return p
}
