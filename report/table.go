package report

import (
	"fmt"
	"iter"
	"slices"
)

// Table is rows of typed cells under named columns.
type Table struct {
	ID      string // stable and unique in the model
	Caption string // a sentence: what a row is
	Columns []Column
	Rows    [][]Cell // those worth showing on a page
	// All yields every row, for formats without a page; nil where Rows is all there is. Total is their number.
	All   func() iter.Seq[[]Cell]
	Total int
	Notes []string // footnotes
	Cut   []string // footnotes where not all rows are shown, instead of how many those are
	// Detail marks a table that a page folds away and a terminal leaves out.
	Detail bool
}

// Column is the head of a column.
type Column struct {
	Name string
	Unit string // "ms", where the cells do not carry one
	Help string // one sentence for somebody who has not seen it before
	Left bool   // numbers, too, are set to the left
	// Aside leaves the intervals of the cells to formats that give them columns of their own.
	Aside bool
}

// Columns makes columns of bare names.
func Columns(names ...string) []Column {
	out := make([]Column, len(names))
	for i, n := range names {
		out[i].Name = n
	}
	return out
}

// Add appends a row.
func (t *Table) Add(cells ...Cell) { t.Rows = append(t.Rows, cells) }

// every yields all rows there are.
func (t *Table) every() iter.Seq[[]Cell] {
	if t.All != nil {
		return t.All()
	}
	return slices.Values(t.Rows)
}

// omitted says how many rows are not on the page, "" when all are.
func (t *Table) omitted() string {
	if n := t.Total - len(t.Rows); t.All != nil && n > 0 {
		return fmt.Sprintf("%d of %d rows are shown; `--out FILE.csv` writes all.", len(t.Rows), t.Total)
	}
	return ""
}

// notes are the footnotes with what was left out.
func (t *Table) notes() []string {
	o := t.omitted()
	switch {
	case o == "":
		return t.Notes
	case len(t.Cut) > 0:
		return slices.Concat(t.Notes, t.Cut)
	}
	return append(slices.Clone(t.Notes), o)
}

// right reports whether a column is set to the right: where the first known cell is a number.
func (t *Table) right(col int) bool {
	if t.Columns[col].Left {
		return false
	}
	for _, r := range t.Rows {
		if col < len(r) && r[col].Known() {
			return r[col].Numeric()
		}
	}
	return false
}

// cell is the cell of a row under a column, as a page shows it; a row may be short.
func (t *Table) cell(row []Cell, col int) Cell {
	if col >= len(row) {
		return Unknown
	}
	if t.Columns[col].Aside {
		return row[col].Point()
	}
	return row[col]
}

// cells are those of a row as a page shows them.
func (t *Table) cells(row []Cell) []Cell {
	out := make([]Cell, len(t.Columns))
	for i := range out {
		out[i] = t.cell(row, i)
	}
	return out
}

// heading is the column's name with its unit.
func (c *Column) heading() string {
	if c.Unit == "" {
		return c.Name
	}
	return c.Name + " (" + c.Unit + ")"
}
