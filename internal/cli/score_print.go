package cli

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/assay-eval/assay/internal/term"
)

// writeTable prints a line per measure and run, runs of one measure together.
func (r *scoreReport) writeTable(o *scoreOptions) error {
	if o.PerQuery {
		if err := r.queryTable().Write(o.streams); err != nil || o.NoSummary {
			return err
		}
		if err := o.printf("\n"); err != nil {
			return err
		}
	}
	if o.NoSummary {
		return nil
	}
	t := &term.Table{Header: []string{"measure", "run", "value", "95% interval", "queries", "empty", "undefined", "ceiling"},
		Right: []bool{2: true, 4: true, 5: true, 6: true, 7: true}}
	for i, m := range r.Runs[0].Measures {
		for _, run := range r.Runs {
			s := run.Measures[i]
			interval, ceiling := "-", "-"
			if s.Interval != nil {
				interval = fmt.Sprintf("%.4f … %.4f", s.Interval.Lo, s.Interval.Hi)
			}
			if s.Ceiling != nil {
				ceiling = fmt.Sprintf("%.4f", *s.Ceiling)
			}
			t.Add(m.Measure, runLabel(run), fixed(s.Value), interval, s.Scored, s.Empty, s.Undefined, ceiling)
		}
	}
	return t.Write(o.streams)
}

func (r *scoreReport) queryTable() *term.Table {
	t := &term.Table{Header: []string{"query", "run", "outcome"}, Right: []bool{false, false, false}}
	for _, m := range r.Runs[0].Measures {
		t.Header = append(t.Header, m.Measure)
		t.Right = append(t.Right, true)
	}
	for j := range r.Runs[0].Queries {
		for _, run := range r.Runs {
			q := run.Queries[j]
			row := []any{q.Query, runLabel(run), q.Outcome}
			for _, m := range run.Measures {
				v, ok := q.Values[m.Measure]
				if !ok {
					row = append(row, "-")
					continue
				}
				row = append(row, fmt.Sprintf("%.4f", v))
			}
			t.Add(row...)
		}
	}
	return t
}

// runLabel is a short name for a run: its file without folders.
func runLabel(r scoredRun) string { return filepath.Base(r.Run) }

func fixed(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *v)
}

// writeCSV prints a record per measure, run and query; the means have the query "all". Numbers have every
// digit.
func (r *scoreReport) writeCSV(o *scoreOptions) error {
	w := csv.NewWriter(o.streams.Out)
	record := func(fields ...string) {
		_ = w.Write(fields) // Flush reports
	}
	record("run", "measure", "query", "value", "lo", "hi", "method", "scored", "empty", "failed", "unjudged", "undefined", "ceiling")
	for _, run := range r.Runs {
		for _, q := range run.Queries {
			for _, m := range run.Measures {
				if v, ok := q.Values[m.Measure]; ok {
					record(run.Run, m.Measure, q.Query, exactly(&v), "", "", "", "", "", "", "", "", "")
				}
			}
		}
		if o.NoSummary {
			continue
		}
		for _, s := range run.Measures {
			lo, hi := "", ""
			if s.Interval != nil {
				lo, hi = exactly(&s.Interval.Lo), exactly(&s.Interval.Hi)
			}
			record(run.Run, s.Measure, "all", exactly(s.Value), lo, hi, s.Method, strconv.Itoa(s.Scored), strconv.Itoa(s.Empty),
				strconv.Itoa(s.Failed), strconv.Itoa(s.Unjudged), strconv.Itoa(s.Undefined), exactly(s.Ceiling))
		}
	}
	w.Flush()
	return w.Error()
}

// exactly writes a number so that it reads back equal; nil is empty.
func exactly(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}
