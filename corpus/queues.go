package corpus

import "slices"

// queues are the units of each group in the order in which they are drawn.
type queues struct {
	all []queue
	now int // the queue that next chose
}

type queue struct {
	units []unit
	first float64 // its random number
	share float64 // what it is drawn in proportion to
	taken int
}

// rank is the place of the queue's next unit among those of the others.
func (q *queue) rank() float64 { return (float64(q.taken) + q.first) / q.share }

// next is the unit whose turn it is; ok is false when none is left. Either take or pass follows.
func (q *queues) next() (u unit, ok bool) {
	for i := range q.all {
		if len(q.all[i].units) > 0 && (!ok || q.all[i].rank() < q.all[q.now].rank()) {
			q.now, ok = i, true
		}
	}
	if !ok {
		return u, false
	}
	return q.all[q.now].units[0], true
}

// take draws the unit that next gave.
func (q *queues) take() {
	q.pass()
	q.all[q.now].taken++
}

// pass leaves the unit that next gave out: the next of the same group has its turn.
func (q *queues) pass() { q.all[q.now].units = q.all[q.now].units[1:] }

// ahead lists the next n units if all were taken.
func (q *queues) ahead(n int) []unit {
	sim := queues{all: slices.Clone(q.all)}
	var out []unit
	for range n {
		u, ok := sim.next()
		if !ok {
			break
		}
		out = append(out, u)
		sim.take()
	}
	return out
}
