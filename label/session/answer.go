package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// Answer is what a rater says of the item in front of them.
type Answer struct {
	Item     string // of the Task
	Seq      int    // of the Task
	Event    assay.Event
	Grade    assay.Grade // with assay.EventGrade
	Note     string
	Evidence *Marked
}

// Marked is the words of the passage that a rater marked: a byte span of Task.Text, and the words themselves as a check.
type Marked struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Quote string `json:"quote"`
}

// Bounds on what a rater writes and marks, in bytes.
const (
	MaxNote  = 4 << 10
	MaxQuote = 16 << 10
)

// ErrMoved means that the answer is to something that is no longer in front of the rater: another window answered it or took
// an answer back, or somebody else settled it. Nothing is stored.
var ErrMoved = errors.New("this was answered elsewhere")

var answerable = []assay.Event{assay.EventGrade, assay.EventUnsure, assay.EventSkip, assay.EventBadQuery, assay.EventBrokenText}

// Answer stores what the rater says of the item in front of them. It is on disk when the method returns.
func (s *Session) Answer(who string, a Answer) error {
	if err := CheckName(who); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rater(who)
	if r.current == nil || r.current.item.ID != a.Item || r.events != a.Seq {
		return ErrMoved
	}
	s.heard(r)
	if s.opts.Adjudicate && !r.current.item.disputed {
		return ErrMoved // somebody else settled it while they were away, and one word is to count
	}
	l, err := s.label(r, &a)
	if err != nil {
		return err
	}
	if err := s.store.AddLabels(l); err != nil {
		return err
	}
	x := r.current.item
	s.release(r)
	s.apply(&l)
	if s.opts.Adjudicate {
		r.events++
		r.settled = append(r.settled, x.words[assay.Adjudicated])
	}
	return nil
}

// label makes the event of an answer.
func (s *Session) label(r *rater, a *Answer) (assay.Label, error) {
	x := r.current.item
	l := assay.Label{Query: x.Query, Target: x.Passage.Target, Event: a.Event, By: assay.ByHuman, Who: r.name,
		Time: s.now(), Note: strings.TrimSpace(a.Note), Repeat: r.current.repeat}
	switch {
	case !slices.Contains(answerable, a.Event):
		return l, assay.Usagef("%q is no answer", a.Event)
	case a.Event == assay.EventGrade && (a.Grade < 0 || a.Grade > assay.MaxGrade):
		return l, assay.Usagef("grade %d is outside 0 to %d", a.Grade, assay.MaxGrade)
	case len(l.Note) > MaxNote:
		return l, assay.Usagef("the note is %d bytes long, more than %d", len(l.Note), MaxNote)
	}
	if a.Event == assay.EventGrade {
		l.Grade = a.Grade
	}
	if s.opts.Adjudicate {
		l.Who, l.Note = assay.Adjudicated, strings.TrimSuffix("settled by "+r.name+": "+l.Note, ": ")
	}
	if a.Evidence == nil || a.Event != assay.EventGrade {
		return l, nil
	}
	e, err := x.evidence(a.Evidence)
	l.Evidence = e
	return l, err
}

// now is the time of an event: later than any before it, so that the order of a rater's answers can be read off the file.
func (s *Session) now() time.Time {
	now := s.clock().UTC().Truncate(time.Microsecond)
	if !now.After(s.last) {
		now = s.last.Add(time.Microsecond)
	}
	s.last = now
	return now
}

// evidence anchors marked words, by place where the passage has one.
func (x *item) evidence(m *Marked) (*assay.Anchor, error) {
	at := assay.Span{Start: m.Start, End: m.End}
	words, err := at.In(x.Passage.Text)
	switch {
	case err != nil:
		return nil, assay.Usagef("the marked words: %w", err)
	case words != m.Quote:
		return nil, assay.Usagef("the bytes %s of the passage are not the words that were marked", at)
	case len(words) > MaxQuote:
		return nil, assay.Usagef("%d bytes are marked, more than %d: mark the sentence that answers", len(words), MaxQuote)
	case strings.TrimSpace(words) == "":
		return nil, assay.Usagef("only blanks are marked")
	}
	e, err := x.Passage.Anchor(at)
	if err != nil {
		return nil, assay.Usagef("the marked words: %w", err)
	}
	if t := &x.Passage.Target; t.Anchored() && t.Span().Len() == len(x.Passage.Text) {
		e.Document, e.Version = t.Document, t.Version
		e.Start, e.End = t.Start+at.Start, t.Start+at.End
	} else {
		e.Start, e.End = 0, 0 // of a text that has no document to count in
	}
	return &e, nil
}

// Undo takes the rater's latest answer back, and puts its item in front of them again. It is false when there is none.
func (s *Session) Undo(who string, seq int) (bool, error) {
	if err := CheckName(who); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rater(who)
	if r.events != seq {
		return false, ErrMoved
	}
	s.heard(r)
	last := s.latest(r)
	if last == nil {
		return false, nil
	}
	l := last.label
	undo := assay.Label{Query: l.Query, Target: l.Target, Event: assay.EventUndo, By: assay.ByHuman, Who: l.Who, Time: s.now()}
	if err := s.store.AddLabels(undo); err != nil {
		return false, fmt.Errorf("taking an answer back: %w", err)
	}
	s.release(r)
	if s.opts.Adjudicate {
		r.events++
		r.settled = r.settled[:len(r.settled)-1]
	}
	s.apply(&undo)
	r.current = &task{item: last.item, repeat: l.Repeat, asked: true}
	s.hold(r)
	return true, nil
}

// latest is the rater's latest standing answer. Of adjudications, which all bear one name, only those of this session can be
// taken back by who made them.
func (s *Session) latest(r *rater) *answer {
	answers := r.answers
	if s.opts.Adjudicate {
		answers = r.settled
	}
	if len(answers) == 0 {
		return nil
	}
	return answers[len(answers)-1]
}
