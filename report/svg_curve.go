package report

import (
	"math"

	"github.com/assay-eval/assay/internal/term"
)

// drawCurve draws lines with their intervals as bands, each line named at its end.
func drawCurve(f *Curve) *canvas {
	const left, right, top, bottom, height = 48, 150, 22, 42, 280
	c := newCanvas(height)
	xs := f.cutoffs()
	if len(xs) == 0 {
		return c
	}
	x := scale{lo: xs[0], hi: xs[len(xs)-1], from: left + 8, to: plotWidth - right}
	x.log = x.lo > 0 && x.hi/x.lo > 25
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range f.Series {
		for _, p := range f.Series[i].Points {
			lo, hi = min(lo, p.Y), max(hi, p.Y)
			if p.HasBounds {
				lo, hi = min(lo, p.Lo), max(hi, p.Hi)
			}
		}
	}
	if lo >= 0 && hi <= 1 {
		lo, hi = 0, 1
	} else {
		lo, hi = around(lo, hi, 4)
	}
	y := scale{lo: lo, hi: hi, from: height - bottom, to: top}
	for _, v := range y.ticks(5) {
		c.line("grid", left, y.at(v), plotWidth-right, y.at(v))
		c.text("tick", left-8, y.at(v)+4, "end", short(v))
	}
	last := math.Inf(-1)
	for _, v := range xs {
		if x.at(v)-last < 26 {
			continue
		}
		last = x.at(v)
		c.line("axis", last, y.from, last, y.from+4)
		c.text("tick", last, y.from+17, "middle", short(v))
	}
	c.line("axis", left, y.from, plotWidth-right, y.from)
	c.text("name", (left+plotWidth-right)/2, height-6, "middle", f.X)
	c.text("name", 4, top-8, "start", f.Y)
	ends := make([]float64, 0, len(f.Series))
	for i := range f.Series {
		ends = append(ends, drawSeries(c, x, y, &f.Series[i], i))
	}
	for i, at := range spread(ends, 15, top, y.from) {
		c.text("label "+seriesClass(i), plotWidth-right+12, at+4, "start", term.Shorten(f.Series[i].Name, 20))
	}
	return c
}

// seriesClass is the colour of a series.
func seriesClass(i int) string { return []string{"s1", "s2", "s3", "s4"}[i%4] }

// drawSeries draws one line and returns the height at which it ends.
func drawSeries(c *canvas, x, y scale, s *Series, i int) float64 {
	var line, upper, lower []float64
	for _, p := range s.Points {
		line = append(line, x.at(p.X), y.at(p.Y))
		if p.HasBounds {
			upper = append(upper, x.at(p.X), y.at(p.Hi))
			lower = append([]float64{x.at(p.X), y.at(p.Lo)}, lower...)
		}
	}
	if len(upper) > 2 {
		c.path("band "+seriesClass(i), true, append(upper, lower...)...)
	}
	c.path("line "+seriesClass(i), false, line...)
	end := y.from
	for _, p := range s.Points {
		end = y.at(p.Y)
		c.dot("dot "+seriesClass(i), x.at(p.X), end, 3, s.Name+", "+short(p.X)+": "+Score(p.Y, p.bounds()).String())
	}
	return end
}

// spread moves labels apart so that none covers another, keeping their order as far as there is room.
func spread(at []float64, gap, top, bottom float64) []float64 {
	out := make([]float64, len(at))
	copy(out, at)
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	for i := 1; i < len(order); i++ {
		for j := i; j > 0 && out[order[j]] < out[order[j-1]]; j-- {
			order[j], order[j-1] = order[j-1], order[j]
		}
	}
	for k := 1; k < len(order); k++ {
		out[order[k]] = max(out[order[k]], out[order[k-1]]+gap)
	}
	if n := len(order); n > 0 {
		if over := out[order[n-1]] - bottom; over > 0 {
			for _, k := range order {
				out[k] = max(top, out[k]-over)
			}
		}
	}
	return out
}
