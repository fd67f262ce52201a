package report

import (
	"fmt"
	"math"
)

// drawForest draws a dot for each estimate on the line of its interval.
func drawForest(f *Forest) *canvas {
	const left, right, top, bottom, row = 230, 84, 14, 40, 24
	rows := 0
	group := ""
	for i := range f.Rows {
		if f.Rows[i].Group != group {
			group = f.Rows[i].Group
			rows++
		}
		rows++
	}
	height := float64(top + bottom + row*rows)
	c := newCanvas(height)
	lo, hi := f.axis()
	x := scale{lo: lo, hi: hi, from: left, to: plotWidth - right}
	for _, v := range x.ticks(5) {
		c.line("grid", x.at(v), top, x.at(v), height-bottom)
		sign := ""
		if f.Signed {
			sign = plus(v)
		}
		c.text("tick", x.at(v), height-bottom+18, "middle", sign+short(v))
	}
	if f.Reference != nil {
		c.line("reference", x.at(*f.Reference), top, x.at(*f.Reference), height-bottom)
	}
	group = ""
	y := float64(top)
	for i := range f.Rows {
		e := &f.Rows[i]
		if e.Group != group {
			group = e.Group
			y += row
			c.text("group", 8, y-row/2+5, "start", cut(group))
		}
		y += row
		f.row(c, x, e, y-row/2)
	}
	c.text("name", (left+plotWidth-right)/2, height-6, "middle", f.Value)
	c.text("name", plotWidth-8, height-6, "end", "n")
	return c
}

// row draws one estimate at a height.
func (f *Forest) row(c *canvas, x scale, e *Estimate, y float64) {
	class := "s1"
	switch e.Tone {
	case Good:
		class = "good"
	case Bad:
		class = "bad"
	case Caution, Faint:
		class = "faint"
	}
	indent := 8.0
	if e.Group != "" {
		indent = 22
	}
	c.text("label", indent, y+4, "start", cut(e.Name))
	title := fmt.Sprintf("%s: %s", e.Name, f.cell(e))
	if b := e.Bounds; b != nil {
		c.line("whisker "+class, x.at(b.Lo), y, x.at(b.Hi), y)
		c.line("whisker "+class, x.at(b.Lo), y-4, x.at(b.Lo), y+4)
		c.line("whisker "+class, x.at(b.Hi), y-4, x.at(b.Hi), y+4)
	}
	c.dot("dot "+class, x.at(e.Value), y, 4.5, title)
	if e.N > 0 {
		c.text("tick", c.width-8, y+4, "end", fmt.Sprint(e.N))
	}
}

// axis is the range of the values: as given, else what holds them all.
func (f *Forest) axis() (lo, hi float64) {
	if f.Hi > f.Lo {
		return f.Lo, f.Hi
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range f.Rows {
		e := &f.Rows[i]
		lo, hi = min(lo, e.Value), max(hi, e.Value)
		if e.Bounds != nil {
			lo, hi = min(lo, e.Bounds.Lo), max(hi, e.Bounds.Hi)
		}
	}
	if f.Reference != nil {
		lo, hi = min(lo, *f.Reference), max(hi, *f.Reference)
	}
	if math.IsInf(lo, 0) {
		return 0, 1
	}
	return around(lo, hi, 5)
}
