package ledger

import (
	"encoding/json"
	"fmt"

	"github.com/assay-eval/assay"
)

// Record is one line of eval_results.jsonl: one finished run of one system. The first three fields are
// the whole of a record written by a plain script; everything else may be absent.
type Record struct {
	Timestamp   Time                  `json:"timestamp"`
	Config      map[string]any        `json:"config"`
	Metrics     map[string]float64    `json:"metrics"` // every measure, and n_queries
	Run         string                `json:"run,omitempty"`
	Name        string                `json:"name,omitempty"`
	System      string                `json:"system,omitempty"`
	Testset     string                `json:"testset,omitempty"` // version of the queries
	Counts      map[string]int        `json:"counts,omitempty"`
	Intervals   map[string][2]float64 `json:"intervals,omitempty"`   // 95 % interval of each mean
	MetricsRaw  map[string]float64    `json:"metrics_raw,omitempty"` // by plain ids, without gold items
	Timings     map[string]Quantiles  `json:"timings_ms,omitempty"`
	Fingerprint Fingerprint           `json:"fingerprint,omitempty"`
	Warnings    []assay.Warning       `json:"warnings,omitempty"`
	Rescored    bool                  `json:"rescored,omitempty"` // by `rescore`: same rankings, later labels
}

// Quantiles summarises the time of one stage in milliseconds over the queries that were answered.
type Quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
	N   int     `json:"n"`
}

// NQueries is the key of metrics that holds the number of queries scored.
const NQueries = "n_queries"

// UnmarshalJSON accepts what scripts write: metrics that are null or not numbers are left out, since an
// unknown value is absent, never zero. A line without metrics is not a record.
func (r *Record) UnmarshalJSON(data []byte) error {
	type Plain Record // without this method
	aux := struct {
		*Plain
		Metrics map[string]json.RawMessage `json:"metrics"`
	}{Plain: (*Plain)(r)}
	if err := json.Unmarshal(data, &aux); err != nil {
		return err
	}
	if aux.Metrics == nil || r.Timestamp.IsZero() {
		return fmt.Errorf("a record needs at least timestamp and metrics")
	}
	r.Metrics = make(map[string]float64, len(aux.Metrics))
	for name, raw := range aux.Metrics {
		var v *float64
		if json.Unmarshal(raw, &v) == nil && v != nil {
			r.Metrics[name] = *v
		}
	}
	return nil
}

// Label is the shortest name a person would call the record's system by.
func (r *Record) Label() string {
	if r.System != "" {
		return r.System
	}
	for _, key := range systemKeys {
		if s, ok := r.Config[key].(string); ok {
			return s
		}
	}
	return "-"
}

// systemKeys are the keys of a script's config that say what was measured.
var systemKeys = []string{"system", "collection", "embed_model", "name"}

// Made is what the record says of how it was made: its fingerprint, else its configuration, which is all that a script
// writes.
func (r *Record) Made() Fingerprint {
	if len(r.Fingerprint) > 0 {
		return r.Fingerprint
	}
	f := Fingerprint{}
	for k, v := range r.Config {
		f.Add(k, v)
	}
	return f
}
