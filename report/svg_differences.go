package report

import (
	"fmt"
	"math"

	"github.com/assay-eval/assay/internal/plural"
)

// drawDifferences draws a bar for each query, sorted, from the largest loss to the largest win, and the mean with its
// interval across them.
func drawDifferences(f *Differences) *canvas {
	const left, right, top, bottom, height = 56, 16, 30, 44, 280
	c := newCanvas(height)
	extent := 0.0
	for _, v := range f.Values {
		extent = max(extent, math.Abs(v))
	}
	if f.Bounds != nil {
		extent = max(extent, math.Abs(f.Bounds.Lo), math.Abs(f.Bounds.Hi))
	}
	_, hi := around(0, max(extent, 1e-3), 2)
	y := scale{lo: -hi, hi: hi, from: height - bottom, to: top}
	for _, v := range y.ticks(4) {
		c.line("grid", left, y.at(v), plotWidth-right, y.at(v))
		c.text("tick", left-8, y.at(v)+4, "end", plus(v)+short(v))
	}
	if b := f.Bounds; b != nil {
		c.rect("band s1", left, y.at(b.Hi), plotWidth-left-right, max(1, y.at(b.Lo)-y.at(b.Hi)), "mean difference "+Delta(f.Mean, b).String())
	}
	slot := float64(plotWidth-left-right) / float64(max(1, len(f.Values)))
	for i, v := range f.Values {
		if math.Abs(v) <= 1e-9 {
			continue
		}
		from, to := y.at(math.Max(v, 0)), y.at(math.Min(v, 0))
		c.rect("bar "+f.tone(v), left+slot*float64(i), from, max(0.8, slot-min(1, slot*0.2)), to-from, "")
	}
	c.line("axis", left, y.at(0), plotWidth-right, y.at(0))
	if f.Bounds != nil {
		c.line("mean", left, y.at(f.Mean), plotWidth-right, y.at(f.Mean))
	}
	c.text("name", left, top-14, "start", fmt.Sprintf("%s: %s − %s", f.Measure, cut(f.B), cut(f.A)))
	c.text("name", left, height-8, "start", plural.Count(f.Negative, "query")+" lower")
	c.text("name", (left+plotWidth-right)/2, height-8, "middle", fmt.Sprintf("%d the same", f.Zero))
	c.text("name", plotWidth-right, height-8, "end", plural.Count(f.Positive, "query")+" higher")
	return c
}

// tone is the colour of a difference: of a win, a loss or neither.
func (f *Differences) tone(v float64) string {
	switch {
	case f.Better == "neutral":
		return "s1"
	case (v > 0) == (f.Better != "lower"):
		return "good"
	}
	return "bad"
}
