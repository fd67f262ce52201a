package score

import (
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// Latency is the time that one stage took over the queries that succeeded, in milliseconds. Retries and
// waits for a rate limit are no part of it. Percentiles are those of stats.Quantile, as in
// comparisons and gates: between two times where none lies at the rank.
type Latency struct {
	Stage string  `json:"stage"` // embed, search, fuse, rerank or total
	N     int     `json:"n"`     // queries that had the stage
	P50   float64 `json:"p50"`
	P95   float64 `json:"p95"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// latencies summarises the stages that happened, in the order of the pipeline.
func latencies(times map[string][]time.Duration) []Latency {
	var out []Latency
	for _, stage := range (assay.Timings{}).Stages() {
		ts := times[stage.Name]
		if len(ts) == 0 {
			continue
		}
		ms := make([]float64, len(ts))
		for i, t := range ts {
			ms[i] = assay.Millis(t)
		}
		at := func(p float64) float64 { return stats.Quantile(ms, p) }
		out = append(out, Latency{Stage: stage.Name, N: len(ts), P50: at(0.50), P95: at(0.95), P99: at(0.99), Max: at(1)})
	}
	return out
}
