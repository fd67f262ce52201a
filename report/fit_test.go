package report

import (
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/term"
)

// A query with its rankings keeps to the width of the terminal, as tables do: what is longer is cut where the line ends.
func TestQueryFitsTheTerminal(t *testing.T) {
	long := strings.Repeat("a long passage of many words ", 20)
	q := &Query{ID: "q-3a6e977c8e1eb170", Text: long, Gold: []Gold{{Document: "admin/access.md", Text: long}},
		Rankings: []Ranking{{System: "plain", Hits: []Hit{{Rank: 1, ID: "admin/install.md#580-729", Text: long}, {Rank: 2, ID: "b", Text: long}}}}}
	m := &Model{}
	m.Add(Section{ID: "moves", Title: "Moves", Blocks: []Block{q}})
	var out strings.Builder
	err := Terminal{Streams: &term.Streams{Out: &out, OutTTY: true, Width: 80}, Warn: func([]assay.Warning) {}, Note: func(string, ...any) {}}.Write(m)
	if err != nil {
		t.Fatal(err)
	}
	widest := 0
	for _, l := range strings.Split(out.String(), "\n") {
		widest = max(widest, text.StringWidth(l))
	}
	if widest > 80 || widest < 70 || !strings.Contains(out.String(), "admin/install.md#580-729") {
		t.Errorf("the widest line has %d columns of 80:\n%s", widest, &out)
	}
}
