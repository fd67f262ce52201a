package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay/stats"
)

// Cell is a value with its type, so that each renderer can write it its own way. The zero value is an unknown one.
type Cell struct {
	kind   kind
	unit   kind // of the bounds of a spanCell
	text   string
	value  float64
	bounds *stats.Interval
	Tone   Tone
}

type kind uint8

const (
	unknownCell kind = iota
	textCell
	codeCell
	countCell
	scoreCell
	deltaCell
	deltaMillisCell
	shareCell
	deltaShareCell
	millisCell
	probabilityCell
	spanCell
	instantCell
)

// Unknown is the cell of a value that is not known; it is never shown as 0.
var Unknown = Cell{}

// String is a cell of foreign or own text, drawn literally.
func String(s string) Cell {
	if s == "" {
		return Unknown
	}
	return Cell{kind: textCell, text: s}
}

// Code is a cell with an identifier, a rule or a command: set in a fixed pitch, never wrapped in prose.
func Code(s string) Cell {
	if s == "" {
		return Unknown
	}
	return Cell{kind: codeCell, text: s}
}

// Count is a cell with a number of things.
func Count(n int) Cell { return Cell{kind: countCell, value: float64(n)} }

// Score is a cell with the value of a measure, with its interval where there is one. NaN is unknown.
func Score(v float64, bounds *stats.Interval) Cell { return number(scoreCell, v, bounds) }

// Delta is a cell with a signed difference, with its interval where there is one. NaN is unknown.
func Delta(v float64, bounds *stats.Interval) Cell { return number(deltaCell, v, bounds) }

// DeltaMillis is a cell with a signed difference in milliseconds.
func DeltaMillis(ms float64, bounds *stats.Interval) Cell { return number(deltaMillisCell, ms, bounds) }

// DeltaShare is a cell with a signed difference of fractions, shown in percent.
func DeltaShare(v float64, bounds *stats.Interval) Cell { return number(deltaShareCell, v, bounds) }

// Share is a cell with a fraction in [0, 1], shown in percent.
func Share(v float64) Cell { return number(shareCell, v, nil) }

// Millis is a cell with a duration in milliseconds, with its interval where there is one.
func Millis(ms float64, bounds *stats.Interval) Cell { return number(millisCell, ms, bounds) }

// P is a cell with a p-value.
func P(p float64) Cell { return number(probabilityCell, p, nil) }

// Range is a cell with the interval of another and nothing else, written in the same unit; a cell without an interval
// gives an unknown one.
func (c Cell) Range() Cell {
	if c.bounds == nil {
		return Unknown
	}
	return Cell{kind: spanCell, unit: c.kind, bounds: c.bounds}
}

// Point is the cell without its interval.
func (c Cell) Point() Cell {
	c.bounds = nil
	return c
}

// At is a cell with an instant, shown in UTC to the minute.
func At(t time.Time) Cell {
	if t.IsZero() {
		return Unknown
	}
	return Cell{kind: instantCell, value: float64(t.Unix())}
}

func number(k kind, v float64, bounds *stats.Interval) Cell {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Unknown
	}
	if bounds != nil && (math.IsNaN(bounds.Lo) || math.IsNaN(bounds.Hi)) {
		bounds = nil
	}
	return Cell{kind: k, value: v, bounds: bounds}
}

// Toned is the cell in a tone.
func (c Cell) Toned(t Tone) Cell {
	c.Tone = t
	return c
}

// Known reports whether the cell holds anything.
func (c Cell) Known() bool { return c.kind != unknownCell }

// Numeric reports whether the cell is set to the right.
func (c Cell) Numeric() bool {
	switch c.kind {
	case unknownCell, textCell, codeCell, instantCell:
		return false
	}
	return true
}

// String writes the cell in full: the value with its unit, and its interval behind it.
func (c Cell) String() string {
	b := c.Bounds()
	switch {
	case b == "":
		return c.Value()
	case c.kind == spanCell:
		return b
	}
	return c.Value() + " [" + strings.Replace(b, " – ", ", ", 1) + "]"
}

// Value writes the cell without its interval; "–" is unknown.
func (c Cell) Value() string {
	switch c.kind {
	case unknownCell:
		return "–"
	case textCell, codeCell:
		return c.text
	case spanCell:
		return c.Bounds()
	case instantCell:
		return time.Unix(int64(c.value), 0).UTC().Format("2006-01-02 15:04")
	}
	return c.format(c.value)
}

// Bounds writes the interval alone, "" without one.
func (c Cell) Bounds() string {
	if c.bounds == nil {
		return ""
	}
	return c.format(c.bounds.Lo) + " – " + c.format(c.bounds.Hi)
}

// format writes a number of the cell's kind.
func (c Cell) format(v float64) string {
	k := c.kind
	if k == spanCell {
		k = c.unit
	}
	switch k {
	case countCell:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case deltaCell:
		return signed(v)
	case deltaMillisCell:
		return plus(v) + formatMillis(v)
	case deltaShareCell:
		return plus(v) + percent(v)
	case shareCell:
		return percent(v)
	case millisCell:
		return formatMillis(v)
	case probabilityCell:
		return formatP(v)
	}
	return fixed(v)
}

func plus(v float64) string {
	if v > 0 {
		return "+"
	}
	return ""
}

// fixed writes a score with four decimals and no negative zero.
func fixed(v float64) string {
	return strings.TrimPrefix(unzero(strconv.FormatFloat(v, 'f', 4, 64)), "+")
}

func signed(v float64) string { return unzero(fmt.Sprintf("%+.4f", v)) }

// unzero takes the sign off a rounded zero.
func unzero(s string) string {
	if strings.Trim(s, "+-0.") == "" {
		return strings.TrimLeft(s, "+-")
	}
	return s
}

func percent(v float64) string {
	p := 100 * v
	if p == math.Trunc(p) || math.Abs(p) >= 99.95 {
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + " %"
}

// formatMillis keeps about three digits, so that microseconds and minutes both stay readable.
func formatMillis(ms float64) string {
	a := math.Abs(ms)
	switch {
	case a == 0:
		return "0"
	case a < 1:
		return strconv.FormatFloat(ms, 'f', 3, 64)
	case a < 10:
		return strconv.FormatFloat(ms, 'f', 2, 64)
	case a < 100:
		return strconv.FormatFloat(ms, 'f', 1, 64)
	}
	return strconv.FormatFloat(ms, 'f', 0, 64)
}

func formatP(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}
