package report

import (
	"fmt"
	"slices"
)

// Curve is a value over a cutoff, with the interval of each point.
type Curve struct {
	X, Y   string // names of the axes
	Series []Series
}

// Series is one line of a curve.
type Series struct {
	Name   string
	Points []Point // by ascending X
}

// Table has a row for each cutoff and a column for each series.
func (c *Curve) Table() *Table {
	t := &Table{Caption: c.Y + " by " + c.X, Columns: Columns(c.X)}
	t.Columns[0].Left = true
	for i := range c.Series {
		t.Columns = append(t.Columns, Column{Name: c.Series[i].Name})
	}
	for _, x := range c.cutoffs() {
		row := []Cell{String(short(x))}
		for i := range c.Series {
			cell := Unknown
			for _, p := range c.Series[i].Points {
				if p.X == x {
					cell = Score(p.Y, p.bounds())
				}
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	return t
}

func (c *Curve) alt() string {
	out := ""
	for i := range c.Series {
		ps := c.Series[i].Points
		if len(ps) == 0 {
			continue
		}
		a, z := ps[0], ps[len(ps)-1]
		out += fmt.Sprintf("%s goes from %s at %s = %s to %s at %s. ", c.Series[i].Name, fixed(a.Y), c.X, short(a.X), fixed(z.Y), short(z.X))
	}
	return out
}

// cutoffs are the places at which any series has a point.
func (c *Curve) cutoffs() []float64 {
	var out []float64
	for i := range c.Series {
		for _, p := range c.Series[i].Points {
			out = append(out, p.X)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
