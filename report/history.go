package report

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/stats"
)

// Bounds of a history on a page.
const (
	maxRuns   = 200 // rows of the table, the newest
	maxTrends = 24
)

// Trends is the ID of the section of a history's figures.
const Trends = "trends"

// HistoryInput is what a history is drawn from. It is read in passes, one record at a time.
type HistoryInput struct {
	Index    *ledger.Index
	Measures []string // the columns
	// Trends says that figures are wanted.
	Trends bool
	// Warn is told of a record that cannot be read.
	Warn func(error)
}

// History is the report of a history: its runs as a table, and each measure of each system over its runs.
func History(in HistoryInput) *Model {
	m := &Model{Title: "History", Kind: "history", Main: "runs"}
	read := append(slices.Clone(in.Measures), ledger.NQueries)
	t := &Table{ID: "runs", Columns: append(Columns("time", "run", "system", "n"), Columns(in.Measures...)...), Total: in.Index.Len()}
	for i := range t.Columns[4:] {
		t.Columns[4+i].Aside = true
	}
	t.All = func() iter.Seq[[]Cell] {
		return func(yield func([]Cell) bool) {
			for p, err := range in.Index.Points(read) {
				if err != nil {
					in.Warn(err)
					continue
				}
				if !yield(historyRow(p)) {
					return
				}
			}
		}
	}
	trends := newTrends(in.Index, in.Measures)
	source := in.Index
	if !in.Trends {
		source = in.Index.Newest(maxRuns) // the rest is not looked at before All is asked for
	}
	place := 0
	for p, err := range source.Points(read) {
		place++
		if err != nil {
			in.Warn(err)
			continue
		}
		if in.Trends {
			trends.add(p, place-1)
		}
		if place > source.Len()-maxRuns {
			t.Rows = append(t.Rows, historyRow(p))
		}
	}
	m.Add(Section{ID: "runs", Title: "Runs", Blocks: []Block{t}, Reading: plural.Count(in.Index.Len(), "run", "runs") + ", oldest first. Times are in UTC."})
	if in.Trends {
		m.Add(trends.section())
	}
	return m
}

func historyRow(p *ledger.Point) []Cell {
	n := len(p.Values) - 1
	queries := Unknown
	if v := p.Values[n]; !math.IsNaN(v) {
		queries = Count(int(v))
	}
	name := cmp.Or(p.Name, p.Run)
	if p.Rescored {
		name += " (rescored)"
	}
	row := []Cell{At(p.Timestamp.Time), Code(name), String(p.System), queries}
	for i, v := range p.Values[:n] {
		row = append(row, Score(v, pointBounds(p, i)))
	}
	return row
}

// pointBounds is the interval of a value, nil where the record has none.
func pointBounds(p *ledger.Point, i int) *stats.Interval {
	if b := p.Bounds[i]; !math.IsNaN(b[0]) && !math.IsNaN(b[1]) {
		return &stats.Interval{Lo: b[0], Hi: b[1]}
	}
	return nil
}

// trends are the figures of a history in the making.
type trends struct {
	index    *ledger.Index
	measures []string
	systems  []*systemTrend
}

// systemTrend is one system with a trend for each measure.
type systemTrend struct {
	name        string
	fingerprint uint64
	last        int // place of its last record
	builders    []*TrendBuilder
}

func newTrends(x *ledger.Index, measures []string) *trends {
	return &trends{index: x, measures: measures}
}

// add takes the record at a place.
func (t *trends) add(p *ledger.Point, place int) {
	i := slices.IndexFunc(t.systems, func(s *systemTrend) bool { return s.name == p.System })
	if i < 0 {
		s := &systemTrend{name: strings.Clone(p.System), fingerprint: p.Fingerprint}
		for _, m := range t.measures {
			s.builders = append(s.builders, NewTrend(s.name, m))
		}
		i, t.systems = len(t.systems), append(t.systems, s)
	}
	s := t.systems[i]
	if p.Fingerprint != s.fingerprint {
		// Read once for all measures, and only where a mark has room.
		text, known := "", false
		from, at := s.last, p.Timestamp.Time
		for _, b := range s.builders {
			b.Changed(at, func() string {
				if !known {
					text, known = t.changes(from, place), true
				}
				return text
			})
		}
	}
	s.fingerprint, s.last = p.Fingerprint, place
	name := cmp.Or(p.Name, p.Run)
	for k, b := range s.builders {
		b.Add(name, p.Timestamp.Time, p.Values[k], pointBounds(p, k))
	}
}

// changes names the keys in which two records differ.
func (t *trends) changes(from, to int) string {
	a, errA := t.index.Record(from)
	b, errB := t.index.Record(to)
	if errA != nil || errB != nil {
		return ""
	}
	var keys []string
	for _, c := range a.Made().Diff(b.Made()) {
		keys = append(keys, c.Key)
	}
	const shown = 4
	if n := len(keys) - shown; n > 0 {
		keys = append(keys[:shown:shown], fmt.Sprintf("%d more", n))
	}
	return strings.Join(keys, ", ")
}

// section has a figure for each measure of each system.
func (t *trends) section() Section {
	s := Section{ID: Trends, Title: "Trends", Reading: "A dot is a run, the line through it the 95 % interval of its mean. A flag on the axis says that the fingerprint changed before the run: what is to its left and right was not made the same way."}
	left := 0
	for _, sys := range t.systems {
		for k, b := range sys.builders {
			f := b.Trend()
			if f.Runs == 0 {
				continue
			}
			if len(s.Blocks) >= maxTrends {
				left++
				continue
			}
			s.Blocks = append(s.Blocks, &Plot{ID: fmt.Sprintf("trend-%d", len(s.Blocks)+1), Title: t.measures[k] + " of " + sys.name, Figure: f})
		}
	}
	if left > 0 {
		s.Blocks = append(s.Blocks, Text(fmt.Sprintf("%d further trends are not shown; `--system` and `--measure` choose.", left)))
	}
	return s
}
