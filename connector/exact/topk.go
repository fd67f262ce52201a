package exact

import "slices"

// scored is a row with its score.
type scored struct {
	score float64
	row   int
}

// compare is the order of a ranking: score descending, then row ascending, which is id descending.
func compare(a, b scored) int {
	switch {
	case a.score > b.score || a.score == b.score && a.row < b.row:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// topK keeps the k first of the rows pushed to it, in a heap with the last of them at the root, so that
// the score to beat is always the highest it can be: computing one costs far more than the heap.
type topK struct {
	k    int
	heap []scored
}

func (t *topK) reset(k int) {
	t.k = k
	t.heap = t.heap[:0]
}

// push reports whether the last of the k best is now another one.
func (t *topK) push(s scored) bool {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, s)
		if len(t.heap) < t.k {
			return false
		}
		for i := t.k/2 - 1; i >= 0; i-- {
			t.sink(i)
		}
		return true
	}
	if compare(s, t.heap[0]) >= 0 {
		return false
	}
	t.heap[0] = s
	t.sink(0)
	return true
}

func (t *topK) sink(i int) {
	h := t.heap
	moving := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && compare(h[child], h[child+1]) < 0 {
			child++
		}
		if compare(moving, h[child]) > 0 {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = moving
}

// sorted puts the rows in ranking order, after which nothing may be pushed.
func (t *topK) sorted() []scored {
	slices.SortFunc(t.heap, compare)
	return t.heap
}
