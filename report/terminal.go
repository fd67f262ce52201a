package report

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/term"
)

// Terminal is where a model is shown to a person, or piped to a program, line by line.
type Terminal struct {
	*term.Streams
	Warn func([]assay.Warning)            // prints doubts, beside the results
	Note func(format string, args ...any) // prints what is no result
}

// Write draws the model: tables and, where a person reads, small figures. Sections and tables marked Detail are left out.
func (t Terminal) Write(m *Model) error {
	if m.Verdict != nil {
		if err := t.verdict(m.Verdict); err != nil {
			return err
		}
	}
	first := m.Verdict == nil
	for i := range m.Sections {
		s := &m.Sections[i]
		if s.Detail {
			continue
		}
		for _, b := range s.Blocks {
			if err := t.block(b, &first); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t Terminal) verdict(v *Verdict) error {
	if _, err := fmt.Fprintf(t.Out, "%s: %s\n", v.Label, term.Printable(v.Text)); err != nil {
		return err
	}
	if v.Hint != "" {
		t.Note("%s", v.Hint)
	}
	return nil
}

// block draws one block. first says that nothing stands above it, so that no blank line is due.
func (t Terminal) block(b Block, first *bool) error {
	gap := func() {
		if !*first {
			fmt.Fprintln(t.Out)
		}
		*first = false
	}
	switch b := b.(type) {
	case Text:
		_, err := fmt.Fprintln(t.Out, term.Printable(string(b)))
		*first = false
		return err
	case Warnings:
		t.Warn(b)
	case Facts:
		gap()
		return t.facts(b)
	case *Table:
		if b.Detail {
			return nil
		}
		gap()
		return t.table(b)
	case *Plot:
		if lines := spark(b.Figure); len(lines) > 0 && t.OutTTY {
			gap()
			for _, l := range lines {
				if _, err := fmt.Fprintln(t.Out, term.Printable(l)); err != nil {
					return err
				}
			}
		}
	case *Query:
		gap()
		return t.query(b)
	}
	return nil
}

func (t Terminal) facts(facts Facts) error {
	for _, f := range facts {
		if _, err := fmt.Fprintf(t.Out, "%s: %s\n", f.Name, term.Printable(f.Value.String())); err != nil {
			return err
		}
	}
	return nil
}

func (t Terminal) table(b *Table) error {
	if b.Caption != "" {
		if _, err := fmt.Fprintln(t.Out, term.Printable(b.Caption)); err != nil {
			return err
		}
	}
	out := &term.Table{}
	for i := range b.Columns {
		out.Header = append(out.Header, term.Printable(b.Columns[i].heading()))
		out.Right = append(out.Right, b.right(i))
	}
	for _, r := range b.Rows {
		row := make([]any, len(r))
		for i, c := range r {
			row[i] = c.marked()
		}
		out.Add(row...)
	}
	if err := out.Write(t.Streams); err != nil {
		return err
	}
	for _, n := range b.notes() {
		t.Note("%s", n)
	}
	return nil
}

// marked is the cell as text of its own: where colour would carry a meaning, a mark does.
func (c Cell) marked() string {
	if !c.Known() {
		return "-"
	}
	return c.String()
}

func (t Terminal) query(q *Query) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", term.Printable(q.ID), term.Shorten(q.Text, 100))
	for _, f := range q.Facts {
		fmt.Fprintf(&b, "  %s %s\n", term.Printable(f.Name), term.Printable(f.Value.String()))
	}
	for _, g := range q.Gold {
		fmt.Fprintf(&b, "  wanted  %s %s\n", term.Printable(g.name()), term.Shorten(g.Text, 80))
	}
	for _, r := range q.Rankings {
		if r.System != "" {
			fmt.Fprintf(&b, "  %s\n", term.Printable(r.System))
		}
		if r.Failure != "" {
			fmt.Fprintf(&b, "  failed: %s\n", term.Shorten(r.Failure, 100))
		}
		for i := range r.Hits {
			h := &r.Hits[i]
			if i >= 3 && !h.relevant() {
				continue
			}
			fmt.Fprintf(&b, "  %2d %-15s %s %s\n", h.Rank, h.verdict(), term.Shorten(h.ID, 40), term.Shorten(h.Text, 60))
		}
	}
	_, err := fmt.Fprint(t.Out, b.String())
	return err
}
