package report

import (
	"fmt"

	"github.com/assay-eval/assay/stats"
)

// Stages is how long each stage took, at a few percentiles.
type Stages struct{ Rows []Stage }

// Stage is the time of one stage in milliseconds over the queries that had it.
type Stage struct {
	System string // "" where there is only one
	Name   string // embed, search, fuse, rerank, total
	N      int
	P50    float64
	P95    float64
	P99    float64
	Max    float64
	Bounds *stats.Interval // of P95; nil where it is not known
}

// Table has a row for each stage.
func (s *Stages) Table() *Table {
	t := &Table{Caption: "Time of one query by stage, in milliseconds", Columns: Columns("stage", "p50", "p95", "p99", "max", "n")}
	systems, bounds := false, false
	for i := range s.Rows {
		systems = systems || s.Rows[i].System != ""
		bounds = bounds || s.Rows[i].Bounds != nil
	}
	if systems {
		t.Columns = append(Columns("system"), t.Columns...)
	}
	if bounds {
		t.Columns = append(t.Columns, Column{Name: "95 % interval of p95"})
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		var row []Cell
		if systems {
			row = append(row, String(r.System))
		}
		row = append(row, String(r.Name), Millis(r.P50, nil), Millis(r.P95, nil), Millis(r.P99, nil), Millis(r.Max, nil), Count(r.N))
		if bounds {
			row = append(row, Millis(r.P95, r.Bounds).Range())
		}
		t.Add(row...)
	}
	return t
}

func (s *Stages) alt() string {
	out := ""
	for i := range s.Rows {
		r := &s.Rows[i]
		out += fmt.Sprintf("%s takes %s ms in the median and %s ms at the 95th percentile. ", r.Name, formatMillis(r.P50), formatMillis(r.P95))
	}
	return out
}
