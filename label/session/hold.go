package session

import "time"

// DefaultIdle is how long an item stays with a rater who is silent.
const DefaultIdle = 10 * time.Minute

// An item is in front of one rater at a time: its holder. A holder who has been silent for longer than Options.Idle holds
// nothing any more, so that whoever closes the window does not keep an item from everybody else. They may still answer it: it
// stays in front of them until they ask for another.

// heard notes that a rater is there.
func (s *Session) heard(r *rater) { r.heard = s.clock() }

func (s *Session) clock() time.Time {
	if s.opts.Now != nil {
		return s.opts.Now()
	}
	return time.Now()
}

// taken tells whether somebody else who is there has the item in front of them.
func (s *Session) taken(x *item, r *rater) bool {
	if x.holder == nil || x.holder == r {
		return false
	}
	idle := s.opts.Idle
	if idle == 0 {
		idle = DefaultIdle
	}
	return s.clock().Sub(x.holder.heard) <= idle
}

// hold makes a rater the holder of what is in front of them, unless somebody else is. What comes back for a check is held by
// nobody: others may judge it meanwhile.
func (s *Session) hold(r *rater) {
	if x := r.current.item; !r.current.repeat && !s.taken(x, r) {
		x.holder = r
	}
}

// release takes away what is in front of a rater.
func (s *Session) release(r *rater) {
	if r.current != nil && r.current.item.holder == r {
		r.current.item.holder = nil
	}
	r.current = nil
}

// Alive says that a rater is still reading what is in front of them. It is false when they were away for too long and it has
// gone to somebody else, or needs no judgment any more; an answer to it is still taken, Next gives them something else.
func (s *Session) Alive(who string) (bool, error) {
	if err := CheckName(who); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rater(who)
	s.heard(r)
	if r.current == nil {
		return true, nil
	}
	s.hold(r)
	return s.stillTheirs(r), nil
}

// stillTheirs tells whether what is in front of a rater should stay there: others go on meanwhile.
func (s *Session) stillTheirs(r *rater) bool {
	t := r.current
	switch {
	case s.opts.Adjudicate:
		return t.item.disputed && !s.taken(t.item, r)
	case t.repeat || t.asked || t.gold:
		return true
	}
	return t.item.open(r) && !s.taken(t.item, r)
}
