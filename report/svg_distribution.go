package report

import "fmt"

// drawDistribution draws a bar for each bin, those of the two ends apart from the rest and in full colour.
func drawDistribution(f *Distribution) *canvas {
	const left, right, top, bottom, height = 48, 16, 22, 40, 190
	c := newCanvas(height)
	most := 1
	for _, b := range f.Bins {
		most = max(most, b.Count)
	}
	_, hi := around(0, float64(most), 3)
	y := scale{lo: 0, hi: hi, from: height - bottom, to: top}
	for _, v := range y.ticks(3) {
		c.line("grid", left, y.at(v), plotWidth-right, y.at(v))
		c.text("tick", left-8, y.at(v)+4, "end", short(v))
	}
	slot := (plotWidth - left - right) / float64(len(f.Bins))
	for i := range f.Bins {
		b := &f.Bins[i]
		x := left + slot*float64(i)
		class := "bar soft"
		if b.Lo == b.Hi {
			class = "bar"
		}
		top := y.at(float64(b.Count))
		c.rect(class, x+slot*0.12, top, slot*0.76, y.from-top, fmt.Sprintf("%s: %d of %d queries", b.label(), b.Count, f.N))
		if b.Count > 0 {
			c.text("value", x+slot/2, top-5, "middle", fmt.Sprint(b.Count))
		}
		label := b.label()
		c.text("tick", x+slot/2, y.from+16, "middle", label)
	}
	c.line("axis", left, y.from, plotWidth-right, y.from)
	c.text("name", (left+plotWidth-right)/2, height-6, "middle", cut(f.Measure)+" of a query")
	c.text("name", 4, top-8, "start", "queries")
	return c
}
