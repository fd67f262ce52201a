package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/stats"
)

// Explanation is one run explained: what a report of it holds beside the measures themselves.
type Explanation struct {
	Info   *ledger.RunInfo `json:"-"`
	Scored *score.Scored   `json:"-"`
	// Splits are the strata of the queries, each with its means.
	Splits []score.Split `json:"-"`
	// Texts gives the query behind an id.
	Texts func(id string) (assay.Query, bool) `json:"-"`

	Drift         []compare.Drift    `json:"differs_from_recorded,omitempty"`
	Distributions []Histogram        `json:"distributions,omitempty"` // of every measure on a scale of its own
	Curve         []CurvePoint       `json:"recall_curve,omitempty"`
	Latency       []StageLatency     `json:"latency,omitempty"`
	Fingerprint   ledger.Fingerprint `json:"fingerprint,omitempty"`
	Worst         []WorstQuery       `json:"worst"` // by the first measure, the worst first
}

// Histogram counts queries by their value of a measure.
type Histogram struct {
	Measure string `json:"measure"`
	Bins    []Bin  `json:"bins"`
}

// CurvePoint is the recall at one cutoff.
type CurvePoint struct {
	K       int      `json:"k"`
	Recall  float64  `json:"recall"`
	Lo      *float64 `json:"lo,omitempty"`
	Hi      *float64 `json:"hi,omitempty"`
	Ceiling *float64 `json:"ceiling,omitempty"` // the most that the labels allow at this cutoff, where that is below 1
}

// StageLatency is the time of one stage with the interval of its 95th percentile.
type StageLatency struct {
	score.Latency
	P95Lo *float64 `json:"p95_lo,omitempty"`
	P95Hi *float64 `json:"p95_hi,omitempty"`
}

// stage is the row of a figure; system is "" where there is only one.
func (l *StageLatency) stage(system string) Stage {
	s := Stage{System: system, Name: l.Stage, N: l.N, P50: l.P50, P95: l.P95, P99: l.P99, Max: l.Max}
	if l.P95Lo != nil && l.P95Hi != nil {
		s.Bounds = &stats.Interval{Lo: *l.P95Lo, Hi: *l.P95Hi}
	}
	return s
}

// WorstQuery is a query with its score and what came back.
type WorstQuery struct {
	Query  string        `json:"query"`
	Text   string        `json:"text"`
	Tags   []string      `json:"tags,omitempty"`
	Filter *assay.Filter `json:"filter,omitempty"`
	Value  float64       `json:"value"`
	First  int           `json:"first_relevant_rank,omitempty"` // absent when none was found
	Gold   []string      `json:"gold"`
	compare.Ranking
}

// WorstFirst orders the scored queries by their value of the first measure, the lowest first; among equals those without any
// relevant hit come first, then those that found it latest. At most n are returned.
func WorstFirst(s *score.Scored, n int) []score.Query {
	queries := slices.DeleteFunc(slices.Clone(s.Queries), func(q score.Query) bool { return !q.Status.Scored() || math.IsNaN(q.Values[0]) })
	late := func(q score.Query) int {
		if q.First == 0 {
			return math.MaxInt
		}
		return q.First
	}
	slices.SortStableFunc(queries, func(a, b score.Query) int {
		return cmp.Or(cmp.Compare(a.Values[0], b.Values[0]), cmp.Compare(late(b), late(a)), cmp.Compare(a.ID, b.ID))
	})
	return queries[:min(n, len(queries))]
}

// Cutoffs are the places at which a recall curve to depth k is measured: every rank up to 10, then about ten a decade.
func Cutoffs(k int) []int {
	var out []int
	for _, step := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600, 800, 1000} {
		if step < k {
			out = append(out, step)
		}
	}
	if k > 0 && k <= 1000 {
		out = append(out, k)
	}
	return out
}

// Latencies adds the interval of the 95th percentile to each stage.
func Latencies(s *score.Scored) []StageLatency {
	var out []StageLatency
	for _, l := range s.Timings {
		if l.N == 0 {
			continue
		}
		sl := StageLatency{Latency: l}
		var times []float64
		for i := range s.Queries {
			for _, st := range s.Queries[i].Timings().Stages() {
				if st.Name == l.Stage && st.Time > 0 {
					times = append(times, assay.Millis(st.Time))
				}
			}
		}
		if sum, err := stats.SummarizeQuantile(times, 0.95, stats.Design{}, stats.Options{}); err == nil && !math.IsNaN(sum.Lo) && !math.IsInf(sum.Hi, 0) {
			sl.P95Lo, sl.P95Hi = &sum.Lo, &sum.Hi
		}
		out = append(out, sl)
	}
	return out
}

// Histograms counts the scored queries by their value of each measure whose values have two ends.
func Histograms(s *score.Scored, bounds func(measure string) (lo, hi float64, ok bool)) []Histogram {
	var out []Histogram
	for i, m := range s.Means {
		lo, hi, ok := bounds(m.Measure)
		if !ok || m.Scored == 0 {
			continue
		}
		var values []float64
		for j := range s.Queries {
			if q := &s.Queries[j]; q.Status.Scored() {
				values = append(values, q.Values[i])
			}
		}
		out = append(out, Histogram{m.Measure, NewDistribution(m.Measure, values, lo, hi).Bins})
	}
	return out
}
