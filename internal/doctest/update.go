package doctest

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Output is what a command printed, in place of what its document shows.
type Output struct {
	Command Command
	Lines   []string
}

// Rewrite puts outputs, in the order of their commands, into the text of a document. Lines that were right
// stay as they are, wildcards included.
func Rewrite(text string, outputs []Output) string {
	lines := strings.Split(text, "\n")
	for _, o := range slices.Backward(outputs) {
		from, to := o.Command.start, o.Command.start+len(o.Command.Output)
		lines = slices.Replace(lines, from, to, keep(o.Command.Output, Tables(o.Lines))...)
	}
	return strings.Join(lines, "\n")
}

// keep prefers lines of old that say the same as those of now.
func keep(old, now []string) []string {
	var out []string
	for _, line := range now {
		i := slices.IndexFunc(old, func(o string) bool {
			return o != anything && canonical(o) != "" && matchLine(canonical(o), canonical(line), 0)
		})
		if i >= 0 {
			line, old = old[i], old[i+1:]
		}
		out = append(out, line)
	}
	return out
}

var number = regexp.MustCompile(`^[-–0-9., ]*$`)

// Tables aligns the columns of tab-separated lines that follow each other, numbers to the right, as a
// terminal shows them.
func Tables(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); {
		width := strings.Count(lines[i], "\t")
		end := i + 1
		for width > 0 && end < len(lines) && strings.Count(lines[end], "\t") == width {
			end++
		}
		out = append(out, table(lines[i:end])...)
		i = end
	}
	return out
}

func table(lines []string) []string {
	rows := make([][]string, len(lines))
	var widths []int
	var right []bool
	for i, line := range lines {
		rows[i] = strings.Split(line, "\t")
		if i == 0 {
			widths, right = make([]int, len(rows[0])), slices.Repeat([]bool{len(lines) > 1}, len(rows[0]))
		}
		for c, cell := range rows[i] {
			widths[c] = max(widths[c], utf8.RuneCountInString(cell))
			right[c] = right[c] && (i == 0 || number.MatchString(cell))
		}
	}
	out := make([]string, len(rows))
	for i, row := range rows {
		for c, cell := range row {
			pad := strings.Repeat(" ", widths[c]-utf8.RuneCountInString(cell))
			if right[c] {
				cell = pad + cell
			} else {
				cell += pad
			}
			row[c] = cell
		}
		out[i] = strings.TrimRight(strings.Join(row, "  "), " ")
	}
	return out
}
