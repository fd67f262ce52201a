package report

import (
	"bufio"
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
	// Figures draws the small figures where no person reads, too.
	Figures bool
}

// Write draws the model: tables and, where a person reads, small figures. Sections and tables marked Detail are left out.
func (t Terminal) Write(m *Model) error {
	d := &drawing{Terminal: t}
	if m.Verdict != nil {
		if err := d.verdict(m.Verdict); err != nil {
			return err
		}
	} else if m.Summary != "" {
		if _, err := fmt.Fprintf(t.Out, "%s: %s\n", term.Printable(m.Title), term.Printable(m.Summary)); err != nil {
			return err
		}
	}
	for i := range m.Sections {
		s := &m.Sections[i]
		if s.Detail {
			continue
		}
		for j := 0; j < len(s.Blocks); j++ {
			if n := plain(s.Blocks[j:]); n > 0 {
				if err := d.table(queryTable(s.Title, s.Blocks[j:j+n])); err != nil {
					return err
				}
				j += n - 1
				continue
			}
			if f := figures(s.Blocks[j:]); len(f) > 0 {
				if err := d.figures(f); err != nil {
					return err
				}
				j += len(f) - 1
				continue
			}
			if err := d.block(s.Blocks[j]); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawing is a model on its way to the terminal.
type drawing struct {
	Terminal
	begun bool // something stands above, so that a blank line is due before the next part
}

func (d *drawing) gap() {
	if d.begun {
		fmt.Fprintln(d.Out)
	}
	d.begun = true
}

// plain counts the queries at the front of the blocks that have one ranking: together they make a table.
func plain(blocks []Block) int {
	n := 0
	for n < len(blocks) {
		if q, ok := blocks[n].(*Query); !ok || len(q.Rankings) != 1 {
			break
		}
		n++
	}
	return n
}

// figures are those at the front of the blocks.
func figures(blocks []Block) (out []Figure) {
	for _, b := range blocks {
		p, ok := b.(*Plot)
		if !ok {
			break
		}
		out = append(out, p.Figure)
	}
	return out
}

func (d *drawing) figures(figures []Figure) error {
	lines := sparkLines(figures...)
	if len(lines) == 0 || !d.OutTTY && !d.Terminal.Figures {
		return nil
	}
	d.gap()
	_, err := fmt.Fprintln(d.Out, strings.Join(lines, "\n"))
	return err
}

// queryTable is queries with one ranking each, a line a query.
func queryTable(caption string, blocks []Block) *Table {
	t := &Table{Caption: caption}
	for i, b := range blocks {
		q := b.(*Query)
		if i == 0 {
			for _, f := range q.Facts {
				t.Columns = append(t.Columns, Column{Name: f.Name})
			}
			t.Columns = append(t.Columns, Columns("query", "wanted", "got at rank 1")...)
		}
		var row []Cell
		for _, f := range q.Facts {
			row = append(row, f.Value)
		}
		wanted, top := Unknown, String("nothing")
		if len(q.Gold) > 0 {
			wanted = String(term.Shorten(strings.TrimSpace(q.Gold[0].name()+" "+q.Gold[0].Text), 60))
		}
		if r := &q.Rankings[0]; r.Failure != "" {
			top = String(term.Shorten("failed: "+r.Failure, 60))
		} else if len(r.Hits) > 0 {
			top = String(term.Shorten(r.Hits[0].ID+" "+r.Hits[0].Text, 60))
		}
		t.Add(append(row, String(term.Shorten(q.Text, 50)), wanted, top)...)
	}
	return t
}

func (d *drawing) verdict(v *Verdict) error {
	d.begun = true
	if _, err := fmt.Fprintf(d.Out, "%s: %s\n", v.Label, term.Printable(v.Text)); err != nil {
		return err
	}
	if v.Hint != "" {
		d.Note("%s", term.Printable(v.Hint))
	}
	return nil
}

func (d *drawing) block(b Block) error {
	switch b := b.(type) {
	case Text:
		d.begun = true
		_, err := fmt.Fprintln(d.Out, term.Printable(string(b)))
		return err
	case Note:
		d.Note("%s", string(b))
	case Warnings:
		d.Warn(b)
	case Facts:
		d.gap()
		return d.facts(b)
	case *Table:
		if b.Detail {
			return nil
		}
		return d.table(b)
	case *Query:
		d.gap()
		return d.query(b)
	}
	return nil
}

func (d *drawing) facts(facts Facts) error {
	for _, f := range facts {
		if _, err := fmt.Fprintf(d.Out, "%s: %s\n", f.Name, term.Printable(f.Value.String())); err != nil {
			return err
		}
	}
	return nil
}

func (d *drawing) table(b *Table) error {
	d.gap()
	if b.Caption != "" {
		if _, err := fmt.Fprintln(d.Out, term.Printable(b.Caption)); err != nil {
			return err
		}
	}
	if !d.OutTTY {
		return d.tabs(b)
	}
	out := &term.Table{}
	for i := range b.Columns {
		out.Header = append(out.Header, term.Printable(b.Columns[i].heading()))
		out.Right = append(out.Right, b.right(i))
	}
	for _, r := range b.Rows {
		out.Rows = append(out.Rows, b.texts(r))
	}
	if err := out.Write(d.Streams); err != nil {
		return err
	}
	for _, n := range b.notes() {
		d.Note("%s", term.Printable(n))
	}
	return nil
}

// tabs writes every row there is, one at a time: a program has no screen to fill.
func (d *drawing) tabs(b *Table) error {
	w := bufio.NewWriter(d.Out)
	header := make([]string, len(b.Columns))
	for i := range b.Columns {
		header[i] = b.Columns[i].heading()
	}
	if err := term.WriteTabs(w, header); err != nil {
		return err
	}
	for r := range b.every() {
		if err := term.WriteTabs(w, b.texts(r)); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, n := range b.Notes {
		d.Note("%s", n)
	}
	return nil
}

// texts are the cells of a row as text.
func (t *Table) texts(row []Cell) []string {
	out := make([]string, len(t.Columns))
	for i := range out {
		out[i] = t.cell(row, i).marked()
	}
	return out
}

// marked is the cell as text of its own: where colour would carry a meaning, a mark does.
func (c Cell) marked() string {
	if !c.Known() {
		return "-"
	}
	return c.String()
}

// rest shortens a text to what is left of a line behind some columns, to at most n runes and to no less than a few words.
func (d *drawing) rest(text string, n, behind int) string {
	if d.OutTTY && d.Width > 0 {
		n = min(n, max(20, d.Width-behind))
	}
	return term.Shorten(text, n)
}

func (d *drawing) query(q *Query) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", term.Printable(q.ID), d.rest(q.Text, 100, 2+len([]rune(q.ID))))
	for _, f := range q.Facts {
		fmt.Fprintf(&b, "  %s %s\n", term.Printable(f.Name), term.Printable(f.Value.String()))
	}
	for _, g := range q.Gold {
		fmt.Fprintf(&b, "  wanted  %s %s\n", term.Printable(g.name()), d.rest(g.Text, 80, 11+len([]rune(g.name()))))
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
			id := term.Shorten(h.ID, 40)
			fmt.Fprintf(&b, "  %2d %-15s %s %s\n", h.Rank, h.verdict(), id, d.rest(h.Text, 60, 22+len([]rune(id))))
		}
	}
	_, err := fmt.Fprint(d.Out, b.String())
	return err
}
