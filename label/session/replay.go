package session

import (
	"maps"
	"slices"

	"github.com/assay-eval/assay"
)

// replay brings the raters to where the label file left them.
func (s *Session) replay(queries map[string]bool) {
	var events []assay.Label
	for _, q := range slices.Sorted(maps.Keys(queries)) {
		events = append(events, s.store.Events(q)...)
	}
	slices.SortStableFunc(events, func(a, b assay.Label) int { return a.Time.Compare(b.Time) })
	for i := range events {
		s.apply(&events[i])
	}
}

// apply takes one event into the state. Events on nothing in the pool change nothing.
func (s *Session) apply(l *assay.Label) {
	x := s.find(l)
	if x == nil {
		return
	}
	switch l.By {
	case assay.ByJudge:
		if l.Event == assay.EventGrade {
			x.judge = &l.Grade
		}
	case assay.ByHuman:
		r := s.rater(l.Who)
		r.events++
		if l.Event == assay.EventUndo {
			r.withdraw(x)
		} else {
			r.say(&answer{label: *l, item: x})
		}
	}
	s.weigh(x)
}

// weigh works out anew what follows from what was said of an item. Where that opens it again, everybody may get it.
func (s *Session) weigh(x *item) {
	count := func(n *int, before, now bool) {
		switch {
		case now && !before:
			*n++
		case before && !now:
			*n--
		}
	}
	closed, disputed := x.enough(), x.differ()
	count(&s.done, x.closed, closed)
	count(&s.split, x.disputed, disputed)
	x.closed, x.disputed = closed, disputed
	for _, r := range s.raters {
		if x.words[r.name] == nil || !closed {
			r.passed = min(r.passed, x.place)
		}
	}
}

// say makes an answer the rater's standing word on its item.
func (r *rater) say(a *answer) {
	x := a.item
	if before := x.words[r.name]; before != nil && a.label.Repeat {
		r.first[x] = before
	}
	x.words[r.name] = a
	r.answers = append(r.answers, a)
	r.noteBad(x)
}

// withdraw takes back the rater's latest word on an item, and brings back the one before.
func (r *rater) withdraw(x *item) {
	for i := len(r.answers) - 1; i >= 0; i-- {
		if r.answers[i].item != x {
			continue
		}
		if r.answers[i].label.Repeat {
			delete(r.first, x)
		}
		r.answers = slices.Delete(r.answers, i, i+1)
		break
	}
	delete(x.words, r.name)
	for _, a := range r.answers {
		if a.item == x {
			x.words[r.name] = a
		}
	}
	r.noteBad(x)
}

// noteBad keeps the queries that the rater calls bad, after their word on an item changed.
func (r *rater) noteBad(x *item) {
	q := x.Query
	if a := x.words[r.name]; a != nil && a.label.Event == assay.EventBadQuery {
		if r.bad[q] == nil {
			r.bad[q] = map[*item]bool{}
		}
		r.bad[q][x] = true
		return
	}
	if delete(r.bad[q], x); r.bad[q] != nil && len(r.bad[q]) == 0 {
		delete(r.bad, q)
		r.passed = 0 // its items are open again
	}
}
