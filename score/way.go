package score

import "encoding/json"

// Way is how a hit was matched with a label.
type Way int

// The ways, from the surest to the least sure. They are tried in this order and the first that matches
// decides.
const (
	Unresolved Way = iota
	ByPlace        // its document, start and end
	ByText         // a unique place of its text in the corpus
	ByKeyText      // its key, with equal text
	ByQuote        // the label's verbatim quote inside its text
	ByKey          // its key alone, because there is no text to compare
	ByClass        // equal or near-duplicate text of a labelled passage
	ways
)

var wayNames = [ways]string{"unresolved", "place", "text", "key_text", "quote", "key", "class"}

func (w Way) String() string { return wayNames[w] }

// Ways lists the ways in which a hit can be matched, from the surest to the least sure.
func Ways() []Way {
	var out []Way
	for w := Unresolved + 1; w < ways; w++ {
		out = append(out, w)
	}
	return out
}

var wayTexts = [ways]string{"nothing", "place in the document", "place of their text", "key and text", "quote", "key alone", "near-duplicate text"}

// Describe is the way in words for a person.
func (w Way) Describe() string { return wayTexts[w] }

// MarshalText writes the name, for JSON.
func (w Way) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Resolution counts hits by the way they were matched with a label; the hits that matched none are
// Unresolved: unjudged.
type Resolution [ways]int

// Matched is the number of hits matched with a label.
func (r *Resolution) Matched() int {
	n := 0
	for w := Unresolved + 1; w < ways; w++ {
		n += r[w]
	}
	return n
}

// Share is the share of matched hits that were matched in way w; ok is false when none were.
func (r *Resolution) Share(w Way) (share float64, ok bool) {
	n := r.Matched()
	if n == 0 || w == Unresolved {
		return 0, false
	}
	return float64(r[w]) / float64(n), true
}

// MarshalJSON writes counts by name in the order of the ways, leaving zeros out.
func (r Resolution) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for w, n := range r {
		if n == 0 {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		name, err := json.Marshal(Way(w).String())
		if err != nil {
			return nil, err
		}
		count, err := json.Marshal(n)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), count...)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Resolution) UnmarshalJSON(data []byte) error {
	counts := map[string]int{}
	if err := json.Unmarshal(data, &counts); err != nil {
		return err
	}
	for w := range r {
		r[w] = counts[Way(w).String()]
	}
	return nil
}
