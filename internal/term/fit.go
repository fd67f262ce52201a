package term

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// Bounds of the fit to a terminal, in columns of it.
const (
	wideGap   = 2  // between columns, where there is room
	leastCell = 12 // a text is not broken into pieces shorter than this
	leastHead = 8  // nor is the name of a column
)

// fit is how a table is laid out for a terminal of some width.
type fit struct {
	widths []int // of the columns; a longer cell goes on in a further line
	gap    int   // between them
	// records: not even narrow columns fit. Each row is then a block of lines "name  value".
	records bool
}

// fitted lays the table out; width 0 is a terminal as wide as it takes. Columns are narrowed from the widest down, so that
// long texts give way first. Nothing is cut: a person may want to copy what stands there.
func (t *Table) fitted(width int) fit {
	f := fit{gap: wideGap, widths: make([]int, len(t.Header))}
	whole, broken := make([]int, len(f.widths)), make([]int, len(f.widths)) // the narrowest with words whole, and without
	for i, h := range t.Header {
		f.widths[i], whole[i] = text.StringWidth(h), longestWord(h)
		broken[i] = min(whole[i], leastHead)
	}
	for _, r := range t.Rows {
		for i, c := range r[:min(len(r), len(f.widths))] {
			c = Printable(c)
			word := longestWord(c)
			f.widths[i], whole[i] = max(f.widths[i], text.StringWidth(c)), max(whole[i], word)
			if !t.right(i) { // the digits of a number stay together
				word = min(word, leastCell)
			}
			broken[i] = max(broken[i], word)
		}
	}
	if width <= 0 {
		return f
	}
	narrow(f.widths, whole, f.total()-width)
	if f.total() > width {
		f.gap = 1
	}
	narrow(f.widths, broken, f.total()-width)
	f.records = f.total() > width
	return f
}

// total is the width of a line.
func (f *fit) total() int {
	sum := f.gap * (len(f.widths) - 1)
	for _, w := range f.widths {
		sum += w
	}
	return sum
}

// narrow takes excess columns of the terminal off the widths, always off the widest that may still give.
func narrow(widths, least []int, excess int) {
	for ; excess > 0; excess-- {
		widest := -1
		for i, w := range widths {
			if w > least[i] && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}

func longestWord(s string) int {
	longest := 0
	for _, w := range strings.Fields(s) {
		longest = max(longest, text.StringWidth(w))
	}
	return longest
}

func (t *Table) right(i int) bool { return i < len(t.Right) && t.Right[i] }

// records draws each row as lines of a name and a value, as databases do with rows that are too wide.
func (t *Table) records(width int) string {
	name := 0
	for _, h := range t.Header {
		name = max(name, text.StringWidth(h))
	}
	var b strings.Builder
	for i, r := range t.Rows {
		if i > 0 {
			b.WriteString("\n")
		}
		for j, c := range r[:min(len(r), len(t.Header))] {
			lines := strings.Split(text.WrapSoft(Printable(c), max(leastCell, width-name-wideGap)), "\n")
			b.WriteString(text.Pad(t.Header[j], name+wideGap, ' ') + strings.TrimRight(lines[0], " ") + "\n")
			for _, l := range lines[1:] {
				b.WriteString(strings.Repeat(" ", name+wideGap) + strings.TrimRight(l, " ") + "\n")
			}
		}
	}
	return strings.TrimRight(b.String(), "\n")
}
