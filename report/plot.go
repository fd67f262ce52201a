package report

import (
	"strconv"

	"github.com/assay-eval/assay/stats"
)

// Plot is a figure with what a person needs to read it.
type Plot struct {
	ID      string // stable and unique in the model
	Title   string
	Reading string // how to read it, a sentence or two
	Figure  Figure
}

// Figure is data that is best seen: *Distribution, *Curve, *Differences, *Forest, *Stages, *Trend.
type Figure interface {
	// Table is the figure's data as a table, made from what is drawn.
	Table() *Table
	// alt is the figure in one sentence, for a person who does not see it.
	alt() string
}

// Point is a value over a place on the horizontal axis, with its interval where HasBounds.
type Point struct {
	X, Y, Lo, Hi float64
	HasBounds    bool
}

// bounds is the interval of the point, nil where it has none.
func (p *Point) bounds() *stats.Interval {
	if !p.HasBounds {
		return nil
	}
	return &stats.Interval{Lo: p.Lo, Hi: p.Hi}
}

// short writes a number with as many digits as it needs, four at most.
func short(v float64) string {
	s := strconv.FormatFloat(v, 'f', 4, 64)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return unzero(s)
}
