package term_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/term"
)

func draw(t interface{ Fatal(...any) }, tab *term.Table, width int) string {
	var b strings.Builder
	if err := tab.Write(&term.Streams{Out: &b, OutTTY: true, Width: width}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func comparison() *term.Table {
	t := &term.Table{Header: []string{"measure", "plain", "english", "difference", "p", "finding"}, Right: []bool{1: true, 2: true, 4: true}}
	t.Add("recall@10", "0.7417", "0.7833", "+0.0417 [-0.0312, +0.1094]", "1.0000", "no difference shown")
	t.Add("p@10", "0.0783", "0.0833", "+0.0050 [-0.0031, +0.0125]", "1.0000", "no difference shown")
	return t
}

func TestTableFitsTheTerminal(t *testing.T) {
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, `
measure     plain  english  difference                       p  finding
recall@10  0.7417   0.7833  +0.0417 [-0.0312, +0.1094]  1.0000  no difference shown
p@10       0.0783   0.0833  +0.0050 [-0.0031, +0.0125]  1.0000  no difference shown
`}, {70, `
measure     plain  english  difference             p  finding
recall@10  0.7417   0.7833  +0.0417           1.0000  no difference
                            [-0.0312,                 shown
                            +0.1094]
p@10       0.0783   0.0833  +0.0050           1.0000  no difference
                            [-0.0031,                 shown
                            +0.0125]
`}, {30, `
measure     recall@10
plain       0.7417
english     0.7833
difference  +0.0417 [-0.0312,
            +0.1094]
p           1.0000
finding     no difference
            shown

measure     p@10
plain       0.0783
english     0.0833
difference  +0.0050 [-0.0031,
            +0.0125]
p           1.0000
finding     no difference
            shown
`}} {
		if got := draw(t, comparison(), c.width); got != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("%d columns wide:\n%s", c.width, got)
		}
	}
}

// Nothing is cut, and no line is wider than the terminal.
func TestFitLosesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		columns := rapid.IntRange(1, 9).Draw(rt, "columns")
		tab := &term.Table{Right: make([]bool, columns)}
		for i := range columns {
			tab.Header = append(tab.Header, fmt.Sprintf("c%d", i))
			tab.Right[i] = rapid.Bool().Draw(rt, "right")
		}
		cell := rapid.StringMatching(`[a-zé猫0-9]{0,9}( [a-z0-9]{1,9}){0,6}`)
		letters := map[rune]int{}
		for range rapid.IntRange(0, 4).Draw(rt, "rows") {
			row := make([]any, columns)
			for i := range row {
				s := cell.Draw(rt, "cell")
				for _, r := range s {
					letters[r]++
				}
				row[i] = s
			}
			tab.Add(row...)
		}
		width := rapid.IntRange(30, 120).Draw(rt, "width")
		out := draw(rt, tab, width)
		for _, line := range strings.Split(out, "\n") {
			if n := text.StringWidth(line); n > width {
				rt.Fatalf("a line of %d columns on a terminal of %d:\n%s", n, width, out)
			}
		}
		got := map[rune]int{}
		for _, r := range out {
			got[r]++
		}
		for r, n := range letters {
			if r != ' ' && got[r] < n {
				rt.Fatalf("%d of %d times %q in\n%s", got[r], n, r, out)
			}
		}
	})
}
