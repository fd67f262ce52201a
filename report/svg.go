package report

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/term"
)

// canvas draws one figure as SVG. Colours are classes, so that the page around it chooses them for a light and a dark
// theme; every text is escaped, numbers have one decimal, and nothing depends on a font's metrics.
//
// The renderer is ours, where the plan names a chart library: those bake colours and fonts into the picture, and know
// neither themes, nor captions, nor intervals as bands.
type canvas struct {
	b             strings.Builder
	width, height float64
}

// plotWidth is the width of every figure in its own units, which are pixels on a wide page.
const plotWidth = 720

func newCanvas(height float64) *canvas { return &canvas{width: plotWidth, height: height} }

// coord writes a coordinate.
func coord(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0")
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, coord(x1), coord(y1), coord(x2), coord(y2))
}

// rect draws a box; what is shown when the pointer rests on it is title, "" for nothing.
func (c *canvas) rect(class string, x, y, w, h float64, title string) {
	fmt.Fprintf(&c.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s">%s</rect>`, class, coord(x), coord(y), coord(w), coord(h), tip(title))
}

func (c *canvas) dot(class string, x, y, r float64, title string) {
	fmt.Fprintf(&c.b, `<circle class="%s" cx="%s" cy="%s" r="%s">%s</circle>`, class, coord(x), coord(y), coord(r), tip(title))
}

// path draws straight lines through points, in the order x, y, x, y.
func (c *canvas) path(class string, closed bool, xy ...float64) {
	var d strings.Builder
	for i := 0; i+1 < len(xy); i += 2 {
		op := "L"
		if i == 0 {
			op = "M"
		}
		d.WriteString(op + coord(xy[i]) + " " + coord(xy[i+1]))
	}
	if closed {
		d.WriteString("Z")
	}
	fmt.Fprintf(&c.b, `<path class="%s" d="%s"/>`, class, d.String())
}

// text writes a label; anchor is start, middle or end.
func (c *canvas) text(class string, x, y float64, anchor, s string) {
	fmt.Fprintf(&c.b, `<text class="%s" x="%s" y="%s" text-anchor="%s">%s</text>`, class, coord(x), coord(y), anchor, markup(s))
}

func tip(s string) string {
	if s == "" {
		return ""
	}
	return "<title>" + markup(s) + "</title>"
}

// markup makes foreign text safe for XML, in which control characters cannot even be escaped.
func markup(s string) string {
	return html.EscapeString(strings.ToValidUTF8(term.Printable(s), "\ufffd"))
}

// cut shortens a label to what fits beside a figure.
func cut(s string) string { return term.Shorten(s, 30) }

// svg is the finished figure. alt is read out in place of the picture.
func (c *canvas) svg(alt string) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img" aria-label="%s">%s</svg>`,
		coord(c.width), coord(c.height), markup(alt), c.b.String())
}

// scale maps values to coordinates.
type scale struct {
	lo, hi   float64 // values
	from, to float64 // coordinates
	log      bool
}

func (s scale) at(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		lo, hi, v = math.Log10(lo), math.Log10(hi), math.Log10(max(v, lo))
	}
	if hi <= lo {
		return (s.from + s.to) / 2
	}
	return s.from + (s.to-s.from)*(min(max(v, lo), hi)-lo)/(hi-lo)
}

// ticks are round values inside the scale, about n of them.
func (s scale) ticks(n int) []float64 {
	if s.log {
		return s.decades()
	}
	if s.hi <= s.lo {
		return []float64{s.lo}
	}
	step := roundStep((s.hi - s.lo) / float64(max(1, n)))
	var out []float64
	for i := math.Ceil(s.lo/step - 1e-9); i*step <= s.hi+step*1e-9; i++ {
		out = append(out, math.Round(i*step*1e9)/1e9)
	}
	return out
}

// roundStep is the next of 1, 2, 5, 10, … that is not smaller.
func roundStep(raw float64) float64 {
	if raw <= 0 || math.IsNaN(raw) || math.IsInf(raw, 0) {
		return 1
	}
	mag := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if raw <= m*mag*(1+1e-9) {
			return m * mag
		}
	}
	return 10 * mag
}

func (s scale) decades() []float64 {
	var out []float64
	for e := math.Floor(math.Log10(s.lo)); e <= math.Ceil(math.Log10(s.hi)); e++ {
		for _, m := range []float64{1, 3} {
			if v := m * math.Pow(10, e); v >= s.lo*0.999 && v <= s.hi*1.001 {
				out = append(out, v)
			}
		}
	}
	return out
}

// around widens a range of values to round bounds with room on both sides.
func around(lo, hi float64, n int) (float64, float64) {
	if !(hi > lo) {
		pad := max(math.Abs(lo)*0.1, 1e-3)
		lo, hi = lo-pad, hi+pad
	}
	step := roundStep((hi - lo) / float64(n))
	return math.Floor(lo/step+1e-9) * step, math.Ceil(hi/step-1e-9) * step
}

// draw makes the picture of a figure.
func draw(f Figure) *canvas {
	switch f := f.(type) {
	case *Distribution:
		return drawDistribution(f)
	case *Curve:
		return drawCurve(f)
	case *Differences:
		return drawDifferences(f)
	case *Forest:
		return drawForest(f)
	case *Stages:
		return drawStages(f)
	case *Trend:
		return drawTrend(f)
	}
	return newCanvas(0)
}
