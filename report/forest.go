package report

import (
	"fmt"

	"github.com/assay-eval/assay/stats"
)

// Forest is estimates with their intervals, one below the other: means of measures, differences, strata.
type Forest struct {
	Value string // what the estimates are: "mean", "difference"
	// Reference is drawn as a line where it is not nil: 0 for differences, the mean of all queries for strata.
	Reference *float64
	// Lo and Hi bound the axis where both are known from the unit, such as 0 and 1; equal values leave it to the data.
	Lo, Hi float64
	Signed bool // estimates are differences
	Rows   []Estimate
}

// Estimate is one row of a forest.
type Estimate struct {
	Group  string // rows of one group stand together under its name; "" for none
	Name   string
	N      int // queries behind it; 0 when there is no such number
	Value  float64
	Bounds *stats.Interval // nil where it is not known
	Tone   Tone
}

func (f *Forest) cell(e *Estimate) Cell {
	if f.Signed {
		return Delta(e.Value, e.Bounds)
	}
	return Score(e.Value, e.Bounds)
}

// Table has a row for each estimate.
func (f *Forest) Table() *Table {
	t := &Table{Columns: Columns("", f.Value, "95 % interval", "n")}
	grouped := false
	for i := range f.Rows {
		grouped = grouped || f.Rows[i].Group != ""
	}
	if grouped {
		t.Columns = append(Columns("group"), t.Columns...)
	}
	for i := range f.Rows {
		e := &f.Rows[i]
		var row []Cell
		if grouped {
			row = append(row, String(e.Group))
		}
		n := Unknown
		if e.N > 0 {
			n = Count(e.N)
		}
		row = append(row, String(e.Name), f.cell(e).Point(), f.cell(e).Range(), n)
		t.Add(row...)
	}
	return t
}

func (f *Forest) alt() string {
	return fmt.Sprintf("%d estimates of the %s with their intervals, listed in the table.", len(f.Rows), f.Value)
}
