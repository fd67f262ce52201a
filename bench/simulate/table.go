package main

import (
	"fmt"
	"strings"
)

// table is a Markdown table under construction.
type table struct {
	head []string
	rows [][]string
}

func newTable(head ...string) *table { return &table{head: head} }

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// String renders the table.
func (t *table) String() string {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.head)
	rule := make([]string, len(t.head))
	for i := range rule {
		rule[i] = "---"
	}
	line(rule)
	for _, r := range t.rows {
		line(r)
	}
	return strings.TrimRight(b.String(), "\n")
}

// share formats a probability with three decimals and no leading zero, as
// statistical tables do.
func share(p float64) string { return strings.TrimPrefix(fmt.Sprintf("%.3f", p), "0") }

// covered formats coverage and mean width of an interval.
func covered(t *tally) string { return share(t.share()) + " (" + share(t.meanWidth()) + ")" }
