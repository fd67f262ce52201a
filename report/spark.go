package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/internal/term"
)

// sparkline is a figure in a line or two of text.
type sparkline struct {
	label string
	bars  string
	about string // what stands behind the bars
	flags string // below the bars; "" for none
}

// lines draws the sparkline with its label filled up to a width.
func (s *sparkline) lines(width int) []string {
	pad := func(label string) string { return label + strings.Repeat(" ", max(0, width-len([]rune(label)))) }
	out := []string{pad(s.label) + "  " + s.bars + "  " + s.about}
	if s.flags != "" {
		out = append(out, pad("")+"  "+s.flags)
	}
	return out
}

// sparkLines draws figures one below the other, their bars in one column.
func sparkLines(figures ...Figure) []string {
	var sparks []*sparkline
	width := 0
	for _, f := range figures {
		if s := spark(f); s != nil {
			s.label = term.Shorten(s.label, 40)
			width = max(width, len([]rune(s.label)))
			sparks = append(sparks, s)
		}
	}
	var out []string
	for _, s := range sparks {
		for _, l := range s.lines(width) {
			out = append(out, term.Printable(l))
		}
	}
	return out
}

// spark makes the sparkline of a figure, nil for those that say nothing so small.
func spark(f Figure) *sparkline {
	switch f := f.(type) {
	case *Trend:
		return sparkTrend(f)
	case *Distribution:
		return sparkDistribution(f)
	}
	return nil
}

func sparkDistribution(f *Distribution) *sparkline {
	top, bars := 1, ""
	for _, b := range f.Bins {
		top = max(top, b.Count)
	}
	for _, b := range f.Bins {
		bars += string(sparkBar(float64(b.Count) / float64(top)))
	}
	first, last := f.Bins[0], f.Bins[len(f.Bins)-1]
	return &sparkline{label: f.Measure, bars: short(first.Lo) + " " + bars + " " + short(last.Hi),
		about: fmt.Sprintf("(queries by score; %d at %s, %d at %s)", first.Count, short(first.Lo), last.Count, short(last.Hi))}
}

// sparkTrend draws the values over where the fingerprint changed. The bars span the values that occur, intervals
// included, so that noise looks small beside its own interval.
func sparkTrend(f *Trend) *sparkline {
	if len(f.Points) == 0 {
		return nil
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range f.Points {
		lo, hi = min(lo, p.Min), max(hi, p.Max)
		if p.Bounds != nil {
			lo, hi = min(lo, p.Bounds.Lo), max(hi, p.Bounds.Hi)
		}
	}
	points, marks := f.narrow()
	var bars strings.Builder
	flags := []rune(strings.Repeat(" ", len(points)))
	for _, v := range points {
		share := 0.5
		if hi > lo {
			share = (v - lo) / (hi - lo)
		}
		bars.WriteRune(sparkBar(share))
	}
	for _, at := range marks {
		flags[at] = '▲'
	}
	z := f.Points[len(f.Points)-1]
	s := &sparkline{label: f.Measure + " of " + f.System, bars: bars.String(), about: Score(z.Value, z.Bounds).String() + ", " + plural.Count(f.Runs, "run", "runs")}
	if n := len(f.Marks); n > 0 {
		s.flags = strings.TrimRight(string(flags), " ") + "  " + term.Shorten(f.Marks[n-1].Text, 60)
		if all := n + f.Unmarked; all > 1 {
			s.flags += fmt.Sprintf(" (the last of %d marked changes)", n)
		}
	}
	return s
}

// narrow is the trend in at most 60 values: of several points in a row the last counts.
func (f *Trend) narrow() (values []float64, marks []int) {
	const most = 60
	per := (len(f.Points) + most - 1) / most
	for i := range f.Points {
		if i%per == 0 {
			values = append(values, 0)
		}
		values[len(values)-1] = f.Points[i].Value
	}
	for _, m := range f.Marks {
		marks = append(marks, m.At/per)
	}
	return values, marks
}

func sparkBar(share float64) rune {
	bars := []rune("▁▂▃▄▅▆▇█")
	return bars[min(len(bars)-1, max(0, int(share*float64(len(bars)))))]
}
