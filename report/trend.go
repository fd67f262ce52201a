package report

import (
	"fmt"
	"time"

	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/stats"
)

// Trend is one measure of one system over its runs, one step a run: what counts is what was changed between two runs,
// not how many days lie between them.
type Trend struct {
	System  string
	Measure string
	Runs    int // behind the points
	Points  []TrendPoint
	Marks   []Mark
	// Unmarked counts the changes of the fingerprint that are not in Marks, because there are too many to be told apart.
	Unmarked int
}

// TrendPoint is a run, or several runs in a row where there are more runs than places.
type TrendPoint struct {
	Run      string // the first one's
	From, To time.Time
	Runs     int
	Value    float64         // the mean of the runs' values
	Bounds   *stats.Interval // the mean of the runs' intervals; nil where no run has one
	Min, Max float64         // of the runs' values
}

// Mark says that the fingerprint changed before the point At.
type Mark struct {
	At   int
	Time time.Time
	Text string // what changed
}

// Table has a row for each point.
func (f *Trend) Table() *Table {
	out := &Table{Caption: fmt.Sprintf("%s of %s, run by run", f.Measure, f.System),
		Columns: Columns("time", "run", f.Measure, "95 % interval", "changed before it")}
	merged := f.Runs > len(f.Points)
	if merged {
		out.Columns = append(out.Columns, Columns("runs", "lowest", "highest")...)
	}
	changes := map[int]string{}
	for _, m := range f.Marks {
		if changes[m.At] != "" {
			changes[m.At] += "; "
		}
		changes[m.At] += m.Text
	}
	for i := range f.Points {
		p := &f.Points[i]
		row := []Cell{At(p.From), Code(p.Run), Score(p.Value, nil), Score(p.Value, p.Bounds).Range(), String(changes[i])}
		if merged {
			row = append(row, Count(p.Runs), Score(p.Min, nil), Score(p.Max, nil))
		}
		out.Add(row...)
	}
	return out
}

func (f *Trend) alt() string {
	if len(f.Points) == 0 {
		return "No run."
	}
	a, z := f.Points[0], f.Points[len(f.Points)-1]
	return fmt.Sprintf("%s of %s over %s goes from %s to %s; the fingerprint changed %s.",
		f.Measure, f.System, plural.Count(f.Runs, "run"), fixed(a.Value), fixed(z.Value), plural.Count(len(f.Marks)+f.Unmarked, "time"))
}
