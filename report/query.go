package report

import "fmt"

// Query is one query in full: what was asked, what answers it, and what came back. Every text in it is foreign.
type Query struct {
	ID     string
	Text   string
	Tags   []string
	Filter string // canonical JSON, "" for none
	Facts  []Fact // its values, the rank of the first relevant hit
	Gold   []Gold
	// Rankings are what systems returned: one in a report of a run, two side by side in a comparison.
	Rankings []Ranking
	Open     bool // unfolded where queries are folded away
}

// Gold is a text that answers a query.
type Gold struct {
	Document string
	Chunk    string
	Text     string // the quote, or the beginning of the chunk; "" when unknown
	Found    int    // rank at which it was found, 0 when it was not, Untold where several rankings answer differently
}

// Untold is the rank of a gold text of which the rankings themselves tell.
const Untold = -1

// found says where, in brackets.
func (g *Gold) found() string {
	switch {
	case g.Found > 0:
		return fmt.Sprintf(" (found at rank %d)", g.Found)
	case g.Found == Untold:
		return ""
	}
	return " (not found)"
}

// Ranking is what one system returned, as far as it is shown.
type Ranking struct {
	System  string
	Hits    []Hit
	Omitted int      // hits further down that are not shown
	Missed  []string // relevant texts that no hit holds
	Failure string   // why there is none
}

// Hit is one rank.
type Hit struct {
	Rank     int
	ID       string
	Document string
	Text     string // the beginning
	Cut      bool   // Text goes on
	Judged   bool
	Grade    int  // what it earns
	Repeat   bool // holds what a hit further up holds, and earns nothing for it
}

// verdict says in a word what the labels say of a hit.
func (h *Hit) verdict() string {
	switch {
	case !h.Judged:
		return "no label"
	case h.Repeat:
		return "repeat"
	case h.Grade >= 3:
		return "answers"
	case h.Grade == 2:
		return "answers in part"
	case h.Grade == 1:
		return "related"
	}
	return "not relevant"
}

// relevant reports whether the hit counts.
func (h *Hit) relevant() bool { return h.Judged && !h.Repeat && h.Grade >= 2 }

// name is the shortest name of the place.
func (g *Gold) name() string {
	if g.Document != "" {
		return g.Document
	}
	return g.Chunk
}

// table is the ranking as a table, with what no hit holds named below it.
func (r *Ranking) table() *Table {
	t := &Table{Columns: Columns("rank", "label", "chunk", "text")}
	for i := range r.Hits {
		h := &r.Hits[i]
		verdict := String(h.verdict())
		if h.relevant() {
			verdict = verdict.Toned(Good)
		}
		text := h.Text
		if h.Cut {
			text += " …"
		}
		t.Add(Count(h.Rank), verdict, Code(h.ID), String(text))
	}
	if r.Omitted > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d more below are not shown.", r.Omitted))
	}
	for _, m := range r.Missed {
		t.Notes = append(t.Notes, "Missed: "+m)
	}
	return t
}
