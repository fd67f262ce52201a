package report

import (
	"math"
	"time"

	"github.com/assay-eval/assay/stats"
)

// Places of a trend: more runs than maxPoints are drawn several to a point, more marks than maxMarks are counted only.
const (
	maxPoints = 120
	maxMarks  = 24
)

// TrendBuilder makes a Trend of runs as they come, oldest first, in memory that does not grow with them: when there are
// too many points, every two neighbours become one.
type TrendBuilder struct {
	trend  Trend
	per    int // runs a point
	bounds []int
	change string // what changed before the run to come; several changes without a value between them are one
	at     time.Time
}

// NewTrend begins the trend of one measure of one system.
func NewTrend(system, measure string) *TrendBuilder {
	return &TrendBuilder{trend: Trend{System: system, Measure: measure}, per: 1}
}

// Changed says that the fingerprint changed before the next run. what may be nil where nobody will read it: it is
// called for no more changes than can be marked.
func (b *TrendBuilder) Changed(at time.Time, what func() string) {
	if len(b.trend.Marks) >= maxMarks {
		b.trend.Unmarked++
		return
	}
	if text := what(); text != "" {
		if b.change != "" {
			text = b.change + "; " + text
		}
		b.change, b.at = text, at
	}
}

// Add appends a run. NaN is no value; bounds may be nil.
func (b *TrendBuilder) Add(run string, at time.Time, value float64, bounds *stats.Interval) {
	if math.IsNaN(value) {
		return
	}
	t := &b.trend
	t.Runs++
	n := len(t.Points)
	if n == 0 || t.Points[n-1].Runs == b.per {
		if n == 2*maxPoints {
			b.halve()
			n = len(t.Points)
		}
		if n == 0 || t.Points[n-1].Runs == b.per {
			t.Points, b.bounds = append(t.Points, TrendPoint{Run: run, From: at, Min: value, Max: value}), append(b.bounds, 0)
			n++
		}
	}
	if b.change != "" {
		t.Marks = append(t.Marks, Mark{At: n - 1, Time: b.at, Text: b.change})
		b.change = ""
	}
	p := TrendPoint{Runs: 1, From: at, To: at, Value: value, Bounds: bounds, Min: value, Max: value}
	weight := 0
	if bounds != nil {
		weight = 1
	}
	b.merge(n-1, &p, weight)
}

// merge takes a point, with as many runs with an interval as weight says, into the i-th.
func (b *TrendBuilder) merge(i int, p *TrendPoint, weight int) {
	into := &b.trend.Points[i]
	all := float64(into.Runs + p.Runs)
	into.Value += (p.Value - into.Value) * float64(p.Runs) / all
	into.Runs += p.Runs
	into.To, into.Min, into.Max = p.To, min(into.Min, p.Min), max(into.Max, p.Max)
	if weight == 0 {
		return
	}
	b.bounds[i] += weight
	if into.Bounds == nil {
		into.Bounds = &stats.Interval{Lo: p.Bounds.Lo, Hi: p.Bounds.Hi}
		return
	}
	share := float64(weight) / float64(b.bounds[i])
	into.Bounds.Lo += (p.Bounds.Lo - into.Bounds.Lo) * share
	into.Bounds.Hi += (p.Bounds.Hi - into.Bounds.Hi) * share
}

// halve makes one point of every two.
func (b *TrendBuilder) halve() {
	t := &b.trend
	for i := 0; 2*i < len(t.Points); i++ {
		t.Points[i], b.bounds[i] = t.Points[2*i], b.bounds[2*i]
		if 2*i+1 < len(t.Points) {
			b.merge(i, &t.Points[2*i+1], b.bounds[2*i+1])
		}
	}
	half := (len(t.Points) + 1) / 2
	t.Points, b.bounds = t.Points[:half], b.bounds[:half]
	for i := range t.Marks {
		t.Marks[i].At /= 2
	}
	b.per *= 2
}

// Trend is what came of it.
func (b *TrendBuilder) Trend() *Trend { return &b.trend }
