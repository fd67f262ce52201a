package report

import (
	"slices"

	"github.com/assay-eval/assay"
)

// Model is a report without a look.
type Model struct {
	Title    string // what this is about: "docs_v3", "docs_v3 against docs_v2"
	Kind     string // what kind of report it is, in a word or two: "run report"
	Summary  string // one sentence for somebody who reads no further
	Verdict  *Verdict
	Facts    []Fact // what was measured, when, on what
	Sections []Section
	// Main names the table (its ID) that a format of one table, such as CSV, writes; "" is the first.
	Main string
	// Made says how the numbers came about, enough to make them again: version, seed, draws, confidence.
	Made string
	// Document is the result itself, as programs want it: what --json prints, schema included.
	Document any
}

// Tone is how a person should take something. It is never the only carrier of a meaning: a renderer adds a word or a
// mark to the colour.
type Tone uint8

// The tones.
const (
	Plain Tone = iota
	Good
	Bad
	Caution
	Faint // beside the point
)

// Verdict is an outcome, set above everything else.
type Verdict struct {
	Tone  Tone
	Label string // a word: "pass", "regression"
	Text  string // one sentence why
	Hint  string // what to do, a command in backticks where there is one
}

// Fact is a name and what it stands for.
type Fact struct {
	Name  string
	Value Cell
}

// Section is a part with a heading.
type Section struct {
	ID    string // stable and unique in the model: the anchor of a link
	Title string
	// Reading says how to read the section where there is room for it: on a page, not on a terminal.
	Reading string
	Blocks  []Block
	// Detail marks what is for the page rather than for a terminal: it is drawn where there is room, and left out
	// where a person has to scroll.
	Detail bool
}

// Block is a part of a section: Text, Note, Warnings, Facts, *Table, *Plot, *Query.
type Block interface{ block() }

// Text is a paragraph of assay's own words; a span in backticks is code.
type Text string

// Note is a remark beside the results, such as how they were made; on a terminal it goes where progress goes.
type Note string

// Warnings are doubts about the numbers. Every renderer prints them.
type Warnings []assay.Warning

// Facts is a list of names and values.
type Facts []Fact

func (Text) block()     {}
func (Note) block()     {}
func (Warnings) block() {}
func (Facts) block()    {}
func (*Table) block()   {}
func (*Plot) block()    {}
func (*Query) block()   {}

// Add appends a section, unless it is empty.
func (m *Model) Add(s Section) {
	if len(s.Blocks) > 0 {
		m.Sections = append(m.Sections, s)
	}
}

// Leading is the model with one section before all others: a page and a terminal are read from different ends.
func (m *Model) Leading(id string) *Model {
	out := *m
	out.Sections = slices.Clone(m.Sections)
	slices.SortStableFunc(out.Sections, func(a, b Section) int {
		switch {
		case a.ID == id && b.ID != id:
			return -1
		case b.ID == id && a.ID != id:
			return 1
		}
		return 0
	})
	return &out
}

// Tables lists the tables of the model in order, without those of its figures.
func (m *Model) Tables() []*Table {
	var out []*Table
	for i := range m.Sections {
		for _, b := range m.Sections[i].Blocks {
			if t, ok := b.(*Table); ok {
				out = append(out, t)
			}
		}
	}
	return out
}

// Plots lists the figures of the model in order.
func (m *Model) Plots() []*Plot {
	var out []*Plot
	for i := range m.Sections {
		for _, b := range m.Sections[i].Blocks {
			if p, ok := b.(*Plot); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

// main is the table for formats of one table; nil when there is none.
func (m *Model) main() *Table {
	tables := m.Tables()
	for _, t := range tables {
		if t.ID == m.Main {
			return t
		}
	}
	if len(tables) > 0 {
		return tables[0]
	}
	return nil
}
