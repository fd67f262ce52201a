package report

import (
	"fmt"
	"math"

	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/internal/term"
)

// maxNamed is how many changes are named below the figure.
const maxNamed = 8

// drawTrend draws the values run by run over the band of their intervals, and a mark on the axis for each change of the
// fingerprint.
func drawTrend(f *Trend) *canvas {
	const left, right, top, plot, legend = 56, 24, 24, 180, 18
	named := f.Marks[:min(maxNamed, len(f.Marks))]
	c := newCanvas(top + plot + 58 + legend*float64(len(named)))
	const bottom = top + plot // of the plot
	if len(f.Points) == 0 {
		return c
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range f.Points {
		p := &f.Points[i]
		lo, hi = min(lo, p.Value), max(hi, p.Value)
		if p.Bounds != nil {
			lo, hi = min(lo, p.Bounds.Lo), max(hi, p.Bounds.Hi)
		}
	}
	unit := lo >= 0 && hi <= 1
	lo, hi = around(lo, hi, 4)
	if unit {
		lo, hi = max(lo, 0), min(hi, 1)
	}
	y := scale{lo: lo, hi: hi, from: bottom, to: top}
	x := scale{lo: 0, hi: float64(len(f.Points) - 1), from: left + 14, to: plotWidth - right - 14}
	for _, v := range y.ticks(4) {
		c.line("grid", left, y.at(v), plotWidth-right, y.at(v))
		c.text("tick", left-8, y.at(v)+4, "end", short(v))
	}
	for i, m := range f.Marks {
		at := x.at(float64(m.At))
		if m.At > 0 {
			at = (at + x.at(float64(m.At-1))) / 2
		}
		c.line("mark", at, top, at, y.from)
		fmt.Fprintf(&c.b, `<path class="flag" d="M%s %sl5 9h-10Z"><title>%s</title></path>`, coord(at), coord(y.from+1), markup(m.Text))
		if i < len(named) {
			c.text("flag", at, top-6, "middle", fmt.Sprint(i+1))
			c.text("tick", left, bottom+56+legend*float64(i+1), "start",
				fmt.Sprintf("%d  %s  %s", i+1, m.Time.UTC().Format("2006-01-02 15:04"), term.Shorten(m.Text, 90)))
		}
	}
	drawTrendLine(c, x, y, f)
	c.line("axis", left, y.from, plotWidth-right, y.from)
	last := math.Inf(-1)
	for i := range f.Points {
		at := x.at(float64(i))
		if at-last < 96 || (plotWidth-right-at < 40 && i < len(f.Points)-1) {
			continue
		}
		last = at
		c.text("tick", at, y.from+26, "middle", f.Points[i].From.UTC().Format("2006-01-02"))
	}
	foot := fmt.Sprintf("one step a run, %s; ▲ the fingerprint changed", plural.Count(f.Runs, "run"))
	if n := len(f.Marks) - len(named); n > 0 {
		foot += fmt.Sprintf("; %d changes are named in the table only", n)
	}
	if f.Unmarked > 0 {
		foot += fmt.Sprintf("; %d later ones are not marked", f.Unmarked)
	}
	c.text("name", left, bottom+50, "start", foot)
	return c
}

func drawTrendLine(c *canvas, x, y scale, f *Trend) {
	var line, upper, lower []float64
	flush := func() {
		if len(upper) > 2 {
			c.path("band s1", true, append(upper, lower...)...)
		}
		upper, lower = nil, nil
	}
	for i := range f.Points {
		p := &f.Points[i]
		at := x.at(float64(i))
		line = append(line, at, y.at(p.Value))
		if p.Bounds == nil {
			flush()
			continue
		}
		upper = append(upper, at, y.at(p.Bounds.Hi))
		lower = append([]float64{at, y.at(p.Bounds.Lo)}, lower...)
	}
	flush()
	c.path("line s1", false, line...)
	for i := range f.Points {
		p := &f.Points[i]
		at := x.at(float64(i))
		if p.Bounds != nil && len(f.Points) <= 40 {
			c.line("whisker s1", at, y.at(p.Bounds.Lo), at, y.at(p.Bounds.Hi))
		}
		if len(f.Points) <= 80 || i == len(f.Points)-1 {
			c.dot("dot s1", at, y.at(p.Value), 3.5, p.tip())
		}
	}
}

// tip is what is shown when the pointer rests on the point.
func (p *TrendPoint) tip() string {
	name := p.From.UTC().Format("2006-01-02 15:04")
	if p.Runs > 1 {
		return fmt.Sprintf("%d runs from %s: %s, between %s and %s", p.Runs, name, Score(p.Value, p.Bounds), fixed(p.Min), fixed(p.Max))
	}
	if p.Run != "" {
		name += " " + p.Run
	}
	return name + ": " + Score(p.Value, p.Bounds).String()
}
