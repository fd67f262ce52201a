package bm25

import (
	"cmp"
	"math/bits"
	"slices"
)

// scored is a chunk number and its score in units of 2^-unitBits.
type scored struct {
	score uint64
	chunk uint32
}

// topK keeps the k first of the chunks pushed to it: by score descending, then by chunk number ascending,
// which is id descending. It lets a few times k gather and then drops all but the k first, which costs
// less than a heap: most chunks that come in are soon driven out again.
type topK struct {
	k      int
	bar    uint64   // scores up to here do not get in; rises with every cut
	best   []scored // by ascending chunk number until finish
	sorted []scored
	keys   []uint64
}

func (t *topK) reset(k int) {
	t.k, t.bar = k, 0
	t.best = t.best[:0]
}

// push adds a chunk whose score is above the bar. Chunks come in ascending order, so that one with the
// score of the k-th comes after it in the ranking and need not get in.
func (t *topK) push(s scored) {
	t.best = append(t.best, s)
	if len(t.best) >= max(4*t.k, 256) {
		t.cut()
	}
}

// cut drops all but the k first and leaves the others in their order.
func (t *topK) cut() {
	if len(t.best) <= t.k {
		return
	}
	t.keys = t.keys[:0]
	for _, s := range t.best {
		t.keys = append(t.keys, s.score)
	}
	t.bar = kthGreatest(t.keys, t.k)
	ties := t.k // room for chunks with just that score, the first of which get in
	for _, s := range t.best {
		if s.score > t.bar {
			ties--
		}
	}
	kept := t.best[:0]
	for _, s := range t.best {
		if s.score == t.bar {
			ties--
		}
		if s.score > t.bar || s.score == t.bar && ties >= 0 {
			kept = append(kept, s)
		}
	}
	t.best = kept
}

// finish leaves the k first in ranking order.
func (t *topK) finish() {
	if len(t.best) > 2*t.k {
		t.cut()
	}
	var greatest uint64
	for _, s := range t.best {
		greatest = max(greatest, s.score)
	}
	// Sorting whole numbers is much faster than sorting by a function, so score and place become one.
	// Only a query that repeats its words tens of thousands of times leaves no room for the place.
	place := bits.Len(uint(len(t.best)))
	if bits.Len64(greatest)+place > 64 {
		slices.SortStableFunc(t.best, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
		t.best = t.best[:min(t.k, len(t.best))]
		return
	}
	t.keys = t.keys[:0]
	for i, s := range t.best {
		t.keys = append(t.keys, (greatest-s.score)<<place|uint64(i))
	}
	slices.Sort(t.keys)
	t.sorted = t.sorted[:0]
	for _, key := range t.keys[:min(t.k, len(t.keys))] {
		t.sorted = append(t.sorted, t.best[key&(1<<place-1)])
	}
	t.best, t.sorted = t.sorted, t.best
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
