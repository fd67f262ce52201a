package testset

import "github.com/assay-eval/assay"

// Voices returns what each rater said last of each target of a query, what was taken back left out, in a stable order. Two
// voices are about the same thing when their targets have equal Keys.
func (s *Set) Voices(query string) []assay.Label {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := s.events[query]
	alias := aliases(events)
	words := standing(events, alias)
	targets := map[string]assay.Target{}
	for i := range words {
		key := canonicalKey(&words[i].Target, alias)
		if t, ok := targets[key]; ok {
			targets[key] = merge(t, words[i].Target)
		} else {
			targets[key] = words[i].Target
		}
	}
	for i := range words {
		words[i].Target = targets[canonicalKey(&words[i].Target, alias)]
	}
	return words
}

// Key names what a target judges: its place in a version of a document, else its chunk, else its quote, else the whole
// document. It is "" for a target that names nothing.
func Key(t *assay.Target) string { return targetKey(t) }

// Where is the set as it would be had only those events been written for which keep is true. It lives in memory.
func (s *Set) Where(keep func(*assay.Label) bool) *Set {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := newSet("")
	for _, q := range s.queries {
		out.putQuery(q)
	}
	for id, events := range s.events {
		for i := range events {
			if keep(&events[i]) {
				out.events[id] = append(out.events[id], events[i])
			}
		}
	}
	return out
}

// Only is the set with the labels of one kind of rater.
func (s *Set) Only(by assay.Rater) *Set {
	return s.Where(func(l *assay.Label) bool { return l.By == by })
}

// Passage is the text of a hash, where an event of the query, that no longer counts perhaps, quotes all of it.
func (s *Set) Passage(query, hash string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.events[query] {
		if t := &s.events[query][i].Target; t.Quote != "" && t.TextHash == hash && assay.HashText(t.Quote) == hash {
			return t.Quote, true
		}
	}
	return "", false
}
