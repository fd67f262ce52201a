package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/assay-eval/assay/internal/term"
)

var _ = register(Format{Name: "Markdown", Extensions: []string{".md", ".markdown"}, Write: WriteMarkdown})

// WriteMarkdown writes the model as Markdown that reads well raw and on a forge: figures are their tables, long parts are
// folded away. Foreign text is escaped, names nobody (an @ is no mention), and links nowhere.
func WriteMarkdown(w io.Writer, m *Model) error {
	md := &markdown{}
	md.printf("# %s\n\n", escape(m.Title))
	if m.Verdict != nil {
		md.printf("**%s**: %s\n\n", escape(m.Verdict.Label), prose(m.Verdict.Text))
		if m.Verdict.Hint != "" {
			md.printf("%s\n\n", prose(m.Verdict.Hint))
		}
	}
	if m.Summary != "" {
		md.printf("%s\n\n", prose(m.Summary))
	}
	md.facts(m.Facts)
	for i := range m.Sections {
		md.section(&m.Sections[i])
	}
	if m.Made != "" {
		md.printf("---\n\n%s\n", prose(m.Made))
	}
	_, err := io.WriteString(w, strings.TrimRight(md.String(), "\n")+"\n")
	return err
}

type markdown struct{ strings.Builder }

func (md *markdown) printf(format string, args ...any) { fmt.Fprintf(md, format, args...) }

func (md *markdown) section(s *Section) {
	md.printf("## %s\n\n", escape(s.Title))
	if s.Reading != "" {
		md.printf("%s\n\n", prose(s.Reading))
	}
	for _, b := range s.Blocks {
		switch b := b.(type) {
		case Text:
			md.printf("%s\n\n", prose(string(b)))
		case Note:
			md.printf("%s\n\n", prose(string(b)))
		case Warnings:
			for _, w := range b {
				md.printf("- ⚠ %s\n", prose(w.Text))
			}
			md.printf("\n")
		case Facts:
			md.facts(b)
		case *Table:
			md.folded(b.Detail, b.Caption, func() { md.table(b) })
		case *Plot:
			md.plot(b)
		case *Query:
			md.folded(true, headline(b), func() { md.query(b) })
		}
	}
}

// headline is a query in one line.
func headline(q *Query) string {
	line := term.Shorten(q.Text, 120)
	for _, f := range q.Facts {
		line += " · " + f.Name + " " + f.Value.Value()
	}
	return line
}

// folded wraps what is long in a fold with a title; what is not stands under its title.
func (md *markdown) folded(fold bool, title string, body func()) {
	switch {
	case fold:
		md.printf("<details><summary>%s</summary>\n\n", escapeHTML(title))
		body()
		md.printf("</details>\n\n")
	default:
		if title != "" {
			md.printf("%s:\n\n", escape(strings.TrimSuffix(title, ".")))
		}
		body()
	}
}

func (md *markdown) facts(facts []Fact) {
	for _, f := range facts {
		md.printf("- %s: %s\n", escape(f.Name), f.Value.markdown())
	}
	if len(facts) > 0 {
		md.printf("\n")
	}
}

func (md *markdown) plot(p *Plot) {
	md.printf("### %s\n\n", escape(p.Title))
	if p.Reading != "" {
		md.printf("%s\n\n", prose(p.Reading))
	}
	if lines := sparkLines(p.Figure); len(lines) > 0 {
		md.printf("```text\n")
		for _, l := range lines {
			md.printf("%s\n", strings.ReplaceAll(l, "`", "'"))
		}
		md.printf("```\n\n")
	}
	t := p.Figure.Table()
	md.folded(len(t.Rows) > 8, t.Caption, func() { md.table(t) })
}

func (md *markdown) table(t *Table) {
	for i := range t.Columns {
		md.printf("| %s ", escape(t.Columns[i].heading()))
	}
	md.printf("|\n")
	for i := range t.Columns {
		if t.right(i) {
			md.printf("| ---: ")
		} else {
			md.printf("| --- ")
		}
	}
	md.printf("|\n")
	for _, r := range t.Rows {
		for i := range t.Columns {
			md.printf("| %s ", t.cell(r, i).markdown())
		}
		md.printf("|\n")
	}
	md.printf("\n")
	for _, n := range t.notes() {
		md.printf("%s\n\n", prose(n))
	}
}

func (c Cell) markdown() string {
	s := c.String()
	switch {
	case c.kind == codeCell:
		s = codeSpan(s)
	case !c.Numeric():
		s = escape(s)
	}
	switch c.Tone {
	case Good:
		return "▲ " + s
	case Bad:
		return "▼ " + s
	}
	return s
}

func (md *markdown) query(q *Query) {
	md.printf("Query %s: %s\n\n", escape(q.ID), escape(q.Text))
	if q.Filter != "" {
		md.printf("Filter: %s\n\n", escape(q.Filter))
	}
	if len(q.Tags) > 0 {
		md.printf("Tags: %s\n\n", escape(strings.Join(q.Tags, ", ")))
	}
	for _, g := range q.Gold {
		name := escape(g.name())
		if name != "" {
			name += ": "
		}
		md.printf("- wanted%s: %s%s\n", g.found(), name, escape(g.Text))
	}
	md.printf("\n")
	for i := range q.Rankings {
		r := &q.Rankings[i]
		if r.System != "" {
			md.printf("Returned by %s:\n\n", escape(r.System))
		}
		if r.Failure != "" {
			md.printf("Failed: %s\n\n", escape(r.Failure))
			continue
		}
		md.table(r.table())
	}
}
