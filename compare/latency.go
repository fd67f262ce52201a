package compare

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// quantiles are the percentiles of latency that are compared.
var quantiles = []float64{0.5, 0.95}

// Stage is the name of a stage of a pipeline as timings have it.
type Stage string

// StageTotal is the whole query.
const StageTotal Stage = "total"

// Millis is the time of a stage in milliseconds; ok is false where the stage did not happen or was not timed.
func (q *Query) Millis(s Stage) (ms float64, ok bool) {
	for _, t := range q.Timings.Stages() {
		if t.Name == string(s) {
			return assay.Millis(t.Time), t.Time > 0
		}
	}
	return 0, false
}

// latency compares the times of whole queries; nil where one side has none.
func (in *Input) latency(m *matched, side int) (*Latency, error) {
	var a, b []float64
	for i := range m.ids {
		x, okA := m.rows[0][i].Millis(StageTotal)
		y, okB := m.rows[side][i].Millis(StageTotal)
		if okA && okB {
			a, b = append(a, x), append(b, y)
		}
	}
	if len(a) == 0 {
		return nil, nil
	}
	out := &Latency{N: len(a)}
	out.Why = Unlike(&in.Sides[0].SideInfo, &in.Sides[side].SideInfo)
	out.Comparable = out.Why == ""
	found, err := stats.CompareQuantiles(b, a, quantiles, in.Stats)
	if err != nil {
		return nil, fmt.Errorf("compare latencies: %w", err)
	}
	for _, c := range found {
		out.Quantiles = append(out.Quantiles, QuantileShift{Q: c.Q, A: c.ValueB, B: c.ValueA, Diff: c.Diff, Interval: c.Interval})
	}
	return out, nil
}

// machineKeys are the parts of an environment that make a latency.
var machineKeys = []string{"os", "arch", "cpu", "cpus"}

// Unlike says why the latencies of two sides may not be set against each other: another machine, or another number of queries
// under way at once. It is "" where they may.
func Unlike(a, b *SideInfo) string {
	if len(a.Environment) == 0 || len(b.Environment) == 0 {
		return "the machine of one of them is unknown"
	}
	for _, k := range machineKeys {
		if a.Environment[k] != b.Environment[k] {
			return fmt.Sprintf("the machines differ: %s is %s and %s", k, orUnknown(a.Environment[k]), orUnknown(b.Environment[k]))
		}
	}
	switch {
	case a.Workers == 0 || b.Workers == 0:
		return "how many queries were under way at once is unknown"
	case a.Workers != b.Workers:
		return fmt.Sprintf("%d and %d queries were under way at once; fix it with run.workers", a.Workers, b.Workers)
	}
	return ""
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
