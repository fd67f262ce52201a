package score

import (
	"math"
	"slices"
	"time"

	"github.com/assay-eval/assay"
)

// Latency is the time that one stage took over the queries that succeeded, in milliseconds. Retries and
// waits for a rate limit are no part of it. Percentiles are nearest-rank: times that were measured.
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
		slices.Sort(ts)
		at := func(p float64) float64 { return assay.Millis(ts[int(math.Ceil(p*float64(len(ts))))-1]) }
		out = append(out, Latency{Stage: stage.Name, N: len(ts), P50: at(0.50), P95: at(0.95), P99: at(0.99), Max: at(1)})
	}
	return out
}
