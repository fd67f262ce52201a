package testset

import (
	"cmp"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
)

// Verdict is what raters said of a query beside its grades.
type Verdict struct {
	// BadQuery: at least half of the deciding raters called the query unclear or not a real question. It
	// is run but not scored.
	BadQuery bool
	// Broken are the targets whose text at least half of the deciding raters called garbled. They are
	// neither gold nor judged.
	Broken []assay.Target
}

// decision is what the events of one query come to.
type decision struct {
	labels  []assay.Label
	verdict Verdict
}

// Authority orders raters: synthetic 0, judge 1, human 2; -1 for none of these.
func Authority(r assay.Rater) int { return slices.Index(knownRaters, r) }

// decide replays the events of a query; the caller holds the lock.
func (s *Set) decide(query string) *decision {
	if d, ok := s.decided[query]; ok {
		return d
	}
	if events := s.events[query]; plain(events) {
		return &decision{labels: events[:1:1]} // as cheap to make as to keep
	}
	d := decide(s.events[query])
	s.decided[query] = d
	return d
}

// plain reports a single grade, which is all there is on most queries of most sets: it counts as it is.
func plain(events []assay.Label) bool {
	return len(events) == 1 && events[0].Event == assay.EventGrade && events[0].Evidence == nil
}

// decide works out which labels count. It is a function of the set of events and their times alone: the
// order of lines matters only between events of the same instant.
func decide(events []assay.Label) *decision {
	alias := aliases(events)
	targets := map[string]assay.Target{}
	byTarget := map[string][]assay.Label{}
	for _, l := range standing(events, alias) {
		key := canonicalKey(&l.Target, alias)
		byTarget[key] = append(byTarget[key], l)
		if t, ok := targets[key]; ok {
			targets[key] = merge(t, l.Target)
		} else {
			targets[key] = l.Target
		}
	}
	d := &decision{}
	for _, key := range slices.Sorted(maps.Keys(targets)) {
		label, broken, ok := settle(byTarget[key])
		if !ok || key == "" {
			continue
		}
		if broken {
			d.verdict.Broken = append(d.verdict.Broken, targets[key])
			continue
		}
		label.Target = targets[key]
		if e := marked(&label, byTarget[key]); e != nil {
			label.Target = narrow(label.Target, e)
		}
		d.labels = append(d.labels, label)
	}
	d.verdict.BadQuery = badQuery(byTarget)
	return d
}

func canonicalKey(t *assay.Target, alias map[string]string) string {
	key := targetKey(t)
	if other, ok := alias[key]; ok {
		return other
	}
	return key
}

// standing returns each rater's word on each target after later events replaced earlier ones and undo took
// the rater's latest one back, in a stable order.
func standing(events []assay.Label, alias map[string]string) []assay.Label {
	type voice struct {
		target string
		by     assay.Rater
		who    string
	}
	sorted := slices.Clone(events)
	slices.SortStableFunc(sorted, func(a, b assay.Label) int { return a.Time.Compare(b.Time) })
	words := map[voice][]assay.Label{}
	for _, l := range sorted {
		v := voice{canonicalKey(&l.Target, alias), l.By, l.Who}
		if l.Event != assay.EventUndo {
			words[v] = append(words[v], l)
		} else if n := len(words[v]); n > 0 {
			words[v] = words[v][:n-1]
		}
	}
	voices := slices.SortedFunc(maps.Keys(words), func(a, b voice) int {
		return cmp.Or(cmp.Compare(a.target, b.target), cmp.Compare(Authority(a.by), Authority(b.by)), cmp.Compare(a.who, b.who))
	})
	var out []assay.Label
	for _, v := range voices {
		if n := len(words[v]); n > 0 {
			out = append(out, words[v][n-1])
		}
	}
	return out
}

// settle decides between raters on one target. The highest kind of rater with an opinion (a grade, or that
// the text is broken) decides; unsure and skip are no opinion. Among people an adjudication settles it,
// else the median grade, the lower one on a tie.
func settle(words []assay.Label) (label assay.Label, broken, ok bool) {
	for tier := len(knownRaters) - 1; tier >= 0; tier-- {
		var grades, brokens []assay.Label
		var adjudicated *assay.Label
		for i := range words {
			w := &words[i]
			if Authority(w.By) != tier {
				continue
			}
			switch w.Event {
			case assay.EventGrade:
				grades = append(grades, *w)
			case assay.EventBrokenText:
				brokens = append(brokens, *w)
			default:
				continue
			}
			if w.By == assay.ByHuman && w.Who == assay.Adjudicated {
				adjudicated = w
			}
		}
		switch {
		case adjudicated != nil:
			return *adjudicated, adjudicated.Event == assay.EventBrokenText, true
		case len(brokens) > 0 && len(brokens) >= len(grades):
			return assay.Label{}, true, true
		case len(grades) > 0:
			slices.SortStableFunc(grades, func(a, b assay.Label) int { return cmp.Compare(a.Grade, b.Grade) })
			return grades[(len(grades)-1)/2], false, true
		}
	}
	return assay.Label{}, false, false
}

// marked is the evidence a relevant label is tied to: what its rater marked, else the first of those of the same kind who
// called it relevant too.
func marked(label *assay.Label, words []assay.Label) *assay.Anchor {
	if label.Grade < assay.RelevantGrade {
		return nil
	}
	if label.Evidence != nil {
		return label.Evidence
	}
	for i := range words {
		if w := &words[i]; w.By == label.By && w.Grade >= assay.RelevantGrade && w.Evidence != nil {
			return w.Evidence
		}
	}
	return nil
}

// badQuery decides whether a query is bad: of the highest kind of rater who graded anything or called it
// bad, at least half must have called it bad, and an adjudication outvotes them. One bad_query is a
// rater's word on the whole query, whatever target it was said on.
func badQuery(byTarget map[string][]assay.Label) bool {
	for tier := len(knownRaters) - 1; tier >= 0; tier-- {
		voters, bad := map[string]bool{}, map[string]bool{}
		for _, words := range byTarget {
			for _, w := range words {
				if Authority(w.By) != tier || (w.Event != assay.EventGrade && w.Event != assay.EventBadQuery) {
					continue
				}
				voters[w.Who] = true
				if w.Event == assay.EventBadQuery {
					bad[w.Who] = true
				}
			}
		}
		switch {
		case bad[assay.Adjudicated]:
			return true
		case len(voters) > 0:
			return 2*len(bad) >= len(voters)
		}
	}
	return false
}
