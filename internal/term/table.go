package term

import (
	"bufio"
	"fmt"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Table is rows under a header. On a terminal it is drawn with aligned columns, piped it is
// tab-separated without decoration.
type Table struct {
	Header []string
	Rows   [][]string
	Right  []bool // columns set to the right, such as numbers
}

// Add appends a row of values as fmt.Sprint shows them.
func (t *Table) Add(values ...any) {
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = fmt.Sprint(v)
	}
	t.Rows = append(t.Rows, row)
}

// Write draws the table, on a terminal no wider than that is.
func (t *Table) Write(s *Streams) error {
	if !s.OutTTY {
		return t.writeTabs(s)
	}
	f := t.fitted(s.Width)
	lines := t.records(s.Width)
	if !f.records {
		lines = t.columns(f)
	}
	_, err := fmt.Fprintln(s.Out, lines)
	return err
}

// columns draws the table with its columns below their names.
func (t *Table) columns(f fit) string {
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Options = table.OptionsNoBordersAndSeparators
	w.Style().Format.Header = text.FormatDefault
	w.Style().Box.PaddingLeft = ""
	w.Style().Box.PaddingRight = strings.Repeat(" ", f.gap)
	header := make(table.Row, len(t.Header))
	configs := make([]table.ColumnConfig, len(t.Header))
	for i, h := range t.Header {
		header[i] = h
		configs[i] = table.ColumnConfig{Number: i + 1, WidthMax: f.widths[i], WidthMaxEnforcer: text.WrapSoft}
		if t.right(i) {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	w.SetColumnConfigs(configs)
	w.AppendHeader(header)
	for _, r := range t.Rows {
		row := make(table.Row, len(r))
		for i, c := range r {
			row[i] = Printable(c)
		}
		w.AppendRow(row)
	}
	lines := strings.Split(w.Render(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ") // a gap after the last column would wrap a line that fits
	}
	return strings.Join(lines, "\n")
}

func (t *Table) writeTabs(s *Streams) error {
	w := bufio.NewWriter(s.Out)
	if err := WriteTabs(w, t.Header); err != nil {
		return err
	}
	for _, r := range t.Rows {
		if err := WriteTabs(w, r); err != nil {
			return err
		}
	}
	return w.Flush()
}

// WriteTabs writes one line of cells with tabs between them.
func WriteTabs(w *bufio.Writer, cells []string) error {
	line := make([]byte, 0, 128)
	for i, c := range cells {
		if i > 0 {
			line = append(line, '\t')
		}
		line = append(line, Printable(c)...)
	}
	_, err := w.Write(append(line, '\n'))
	return err
}

// Printable makes foreign text safe for a terminal and for one line: line breaks and tabs become spaces,
// other control characters (an escape sequence could rewrite the screen) become a visible mark.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return '\ufffd'
		case unicode.IsControl(r):
			return '\ufffd'
		}
		return r
	}, text)
}

// Shorten cuts text to at most n runes, on one line, with an ellipsis where something was cut.
func Shorten(text string, n int) string {
	runes := []rune(strings.Join(strings.Fields(Printable(text)), " "))
	if len(runes) <= n {
		return string(runes)
	}
	return strings.TrimRight(string(runes[:max(0, n-1)]), " ") + "…"
}
