package measure

import (
	"slices"
	"sync"
)

// view is a Topic prepared for the built-in measures. Rankings are long and relevant items few, so it
// keeps the ranks that matter and every measure walks those instead of the ranking.
type view struct {
	*Topic
	levels []levelView
	gains  []ranked  // ranks with a grade above 0, best first
	ideal  []float64 // gold grades above 0, highest first
	ready  bool      // gains and ideal are filled
}

// levelView is what binary relevance at one level sees of a topic.
type levelView struct {
	level  float64
	hits   []int32 // ranks of the relevant items, from 0
	r      int     // relevant gold items
	nonrel int     // gold items with a grade from 0 up to the level
}

// ranked is a grade at a rank, from 0.
type ranked struct {
	rank  int32
	grade float64
}

var views = sync.Pool{New: func() any { return new(view) }}

func newView(t *Topic) *view {
	v := views.Get().(*view)
	v.Topic = t
	v.levels = v.levels[:0]
	v.ready = false
	return v
}

func (v *view) release() {
	v.Topic = nil
	views.Put(v)
}

// n is the length of the ranking.
func (v *view) n() int { return len(v.Ranked) }

// at gives the binary view at a level, computed once per topic.
func (v *view) at(level float64) *levelView {
	for i := range v.levels {
		if v.levels[i].level == level {
			return &v.levels[i]
		}
	}
	if len(v.levels) < cap(v.levels) {
		v.levels = v.levels[:len(v.levels)+1] // keeps the hits slice of an earlier topic
	} else {
		v.levels = append(v.levels, levelView{})
	}
	l := &v.levels[len(v.levels)-1]
	*l = levelView{level: level, hits: l.hits[:0]}
	for i, g := range v.Ranked {
		if g >= level {
			l.hits = append(l.hits, int32(i))
		}
	}
	for _, g := range v.Gold {
		switch {
		case g >= level:
			l.r++
		case g >= 0:
			l.nonrel++
		}
	}
	return l
}

// within counts the hits in the first k ranks; k = 0 means all.
func (l *levelView) within(k int) int {
	if k == 0 {
		return len(l.hits)
	}
	i, _ := slices.BinarySearch(l.hits, int32(min(k, maxRank)))
	return i
}

// found counts the relevant items that the first k ranks hold, several in one hit included.
func (l *levelView) found(v *view, k int) int {
	n := l.within(k)
	for _, e := range v.Also {
		if e.Grade >= l.level && (k == 0 || e.Rank < k) {
			n++
		}
	}
	return min(n, l.r)
}

// maxRank bounds cutoffs so that they fit an int32.
const maxRank = 1<<31 - 1

// graded fills gains and ideal.
func (v *view) graded() ([]ranked, []float64) {
	if v.ready {
		return v.gains, v.ideal
	}
	v.ready = true
	v.gains, v.ideal = v.gains[:0], v.ideal[:0]
	for i, g := range v.Ranked {
		if g > 0 {
			v.gains = append(v.gains, ranked{int32(i), g})
		}
	}
	for _, g := range v.Gold {
		if g > 0 {
			v.ideal = append(v.ideal, g)
		}
	}
	slices.Sort(v.ideal)
	slices.Reverse(v.ideal)
	return v.gains, v.ideal
}

// topGrade is the highest grade of the scale: MaxGrade, or the highest grade in Gold.
func (v *view) topGrade() float64 {
	top := v.MaxGrade
	if top == 0 {
		for _, g := range v.Gold {
			top = max(top, g)
		}
	}
	return top
}
