package session

import (
	"math"
	"slices"

	"github.com/assay-eval/assay"
)

// Task is an item in front of a rater: all they may know of it.
type Task struct {
	Item     string    // opaque
	Seq      int       // the rater's events so far; an answer must name it, so that two windows cannot both answer
	Query    string    // text
	Title    string    // of the passage
	Document string    // the passage's source
	Text     string    // of the passage
	Opinions []Opinion // what people said, when a disagreement is to be settled; else empty
}

// Opinion is what one person said of an item that is to be settled.
type Opinion struct {
	Who      string      `json:"who"`
	Event    assay.Event `json:"event"`
	Grade    assay.Grade `json:"grade"`
	Note     string      `json:"note,omitempty"`
	Evidence string      `json:"evidence,omitempty"` // the words they marked
}

// away is how many answers lie between the two askings of a repeated item, at least: fewer, and the rater remembers.
const away = 10

// Next is what the rater should judge now, the same until they answer or were away for so long that it went to somebody else.
// It is false when nothing is left for them, or all that is left is in front of others, as Progress tells; then the task holds
// Seq alone.
func (s *Session) Next(who string) (Task, bool, error) {
	if err := CheckName(who); err != nil {
		return Task{}, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rater(who)
	s.heard(r)
	if r.current != nil && !s.stillTheirs(r) {
		s.release(r)
	}
	if r.current == nil {
		if r.current = s.choose(r); r.current == nil {
			return Task{Seq: r.events}, false, nil
		}
	}
	s.hold(r)
	return s.show(r), true, nil
}

func (s *Session) show(r *rater) Task {
	x := r.current.item
	t := Task{Item: x.ID, Seq: r.events, Query: x.Text, Title: x.Passage.Title, Document: x.Passage.Target.Document, Text: x.Passage.Text}
	if s.opts.Adjudicate {
		for _, a := range x.opinions() {
			o := Opinion{Who: a.label.Who, Event: a.label.Event, Grade: a.label.Grade, Note: a.label.Note}
			if a.label.Evidence != nil {
				o.Evidence = a.label.Evidence.Quote
			}
			t.Opinions = append(t.Opinions, o)
		}
	}
	return t
}

// choose finds the rater's next item: a disagreement to settle, else a hidden check when one is due, else the first open one.
func (s *Session) choose(r *rater) *task {
	if s.opts.Adjudicate {
		return s.first(func(x *item) bool { return x.disputed && !s.taken(x, r) })
	}
	if due(s.opts.Repeats, len(r.answers)) {
		if x := r.repeatable(); x != nil {
			return &task{item: x, repeat: true}
		}
	}
	if due(s.opts.Gold, len(r.answers)+1) {
		if t := s.first(func(x *item) bool { return x.adjudicated() && x.words[r.name] == nil && r.bad[x.Query] == nil }); t != nil {
			t.gold = true
			return t
		}
	}
	for r.passed < len(s.items) && !s.items[r.passed].open(r) {
		r.passed++
	}
	for _, x := range s.items[r.passed:] {
		if x.open(r) && !s.taken(x, r) {
			return &task{item: x}
		}
	}
	return nil
}

// due tells whether a hidden check comes after n answers: every 1/share answers.
func due(share float64, n int) bool {
	return share > 0 && n > 0 && n%int(math.Round(1/share)) == 0
}

func (s *Session) first(wanted func(*item) bool) *task {
	if i := slices.IndexFunc(s.items, wanted); i >= 0 {
		return &task{item: s.items[i]}
	}
	return nil
}

// repeatable finds a graded item of the rater's that lies far enough back: of those, the one that the seed says.
func (r *rater) repeatable() *item {
	var best *item
	for _, a := range r.answers[:max(0, len(r.answers)-away)] {
		x := a.item
		if x.words[r.name] != a || a.label.Event != assay.EventGrade || r.first[x] != nil || r.bad[x.Query] != nil {
			continue
		}
		if best == nil || x.luck < best.luck {
			best = x
		}
	}
	return best
}

// open tells whether the rater should judge the item: they have not, and fewer people than wanted have an opinion.
func (x *item) open(r *rater) bool {
	return !x.closed && x.words[r.name] == nil && r.bad[x.Query] == nil
}

// enough tells whether as many people judged the item as should.
func (x *item) enough() bool {
	if x.Settled && len(x.words) == 0 || x.words[assay.Adjudicated] != nil {
		return true
	}
	n := 0
	for _, a := range x.words {
		if a.opinion() {
			n++
		}
	}
	return n > 0 && n >= x.wanted()
}

// wanted is how many people should judge an item: two where chance chose it, or where a person and the LLM judge are on
// different sides of relevance.
func (x *item) wanted() int {
	if x.second {
		return 2
	}
	if x.judge == nil {
		return 1
	}
	for _, a := range x.words {
		if a.label.Event == assay.EventGrade && (a.label.Grade >= assay.RelevantGrade) != (*x.judge >= assay.RelevantGrade) {
			return 2
		}
	}
	return 1
}
