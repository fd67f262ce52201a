package report

import (
	"fmt"
	"math"
	"strings"
)

// spark is a figure in a line or two of text, nothing for those that say nothing so small.
func spark(f Figure) []string {
	switch f := f.(type) {
	case *Trend:
		return sparkTrend(f)
	case *Distribution:
		top, line := 1, ""
		for _, b := range f.Bins {
			top = max(top, b.Count)
		}
		for _, b := range f.Bins {
			line += string(sparkBar(float64(b.Count) / float64(top)))
		}
		last := len(f.Bins) - 1
		return []string{fmt.Sprintf("%s  %s %s %s  (queries by score; %d at %s, %d at %s)", f.Measure, short(f.Bins[0].Lo), line, short(f.Bins[last].Hi),
			f.Bins[0].Count, short(f.Bins[0].Lo), f.Bins[last].Count, short(f.Bins[last].Hi))}
	}
	return nil
}

// sparkTrend draws the values and, in a line below, where the fingerprint changed. The bars span the values that occur,
// intervals included, so that noise looks small beside its own interval.
func sparkTrend(f *Trend) []string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range f.Points {
		lo, hi = min(lo, p.Min), max(hi, p.Max)
		if p.Bounds != nil {
			lo, hi = min(lo, p.Bounds.Lo), max(hi, p.Bounds.Hi)
		}
	}
	if len(f.Points) == 0 {
		return nil
	}
	var bars strings.Builder
	marks := []rune(strings.Repeat(" ", len(f.Points)))
	for _, p := range f.Points {
		share := 0.5
		if hi > lo {
			share = (p.Value - lo) / (hi - lo)
		}
		bars.WriteRune(sparkBar(share))
	}
	for _, m := range f.Marks {
		marks[m.At] = '▲'
	}
	z := f.Points[len(f.Points)-1]
	label := f.Measure + "  "
	lines := []string{label + bars.String() + "  " + Score(z.Value, z.Bounds).String()}
	if tail := strings.TrimRight(string(marks), " "); tail != "" {
		lines = append(lines, strings.Repeat(" ", len([]rune(label)))+tail)
	}
	return lines
}

func sparkBar(share float64) rune {
	bars := []rune("▁▂▃▄▅▆▇█")
	return bars[min(len(bars)-1, max(0, int(share*float64(len(bars)))))]
}
