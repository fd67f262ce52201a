package gate_test

import (
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay/gate"
)

// TestInsideTheMarginIsNoRegression: what keeps a drop from passing, too few queries or too few times, does not make it fail.
func TestInsideTheMarginIsNoRegression(t *testing.T) {
	v := judge(t, side("new", repeat(25, 0.5, 1)...), side("old", repeat(25, 1)...), "mrr@10 drop < 0.5")
	if r := v.Rules[0]; r.Outcome != gate.Inconclusive || !strings.Contains(r.Reason, "under 30 nothing passes") || *r.PHolm > 0.05 || r.Interval.Lo <= 0 {
		t.Errorf("a drop inside its margin, of 25 queries: %s, %s", r.Outcome, r.Reason)
	}
	v = judge(t, timed("new", ramp(60, 101, 1)), timed("old", ramp(60, 100, 1)), "latency_p95_ms rise < 50%")
	if r := v.Rules[0]; r.Outcome != gate.Inconclusive || !strings.Contains(r.Reason, "fewer than 5 of 60 queries lie beyond p95") || *r.Needed != 100 || r.Interval.Lo <= 0 {
		t.Errorf("a rise inside its margin, of 60 times: %s, %s", r.Outcome, r.Reason)
	}
}

// TestTooFewTimesForARise: sixty queries say nothing about the rise of a 95th percentile, be they slower, faster or the same.
func TestTooFewTimesForARise(t *testing.T) {
	old := ramp(60, 100, 1)
	for name, now := range map[string][]float64{"the same": old, "faster": ramp(60, 90, 1)} {
		for n, want := range map[int]gate.Outcome{60: gate.Inconclusive, 99: gate.Inconclusive, 100: gate.Pass} {
			r := judge(t, timed("new", stretch(now, n)), timed("old", stretch(old, n)), "latency_p95_ms rise < 20%").Rules[0]
			if r.Outcome != want || want == gate.Inconclusive && (*r.Needed != 100 || !strings.Contains(r.Reason, "lie beyond p95")) {
				t.Errorf("%s, %d: %s, %s", name, n, r.Outcome, r.Reason)
			}
		}
	}
}

// TestGainIsNoEvidenceForADrop, neither for its own rule nor, through Holm, for the others.
func TestGainIsNoEvidenceForADrop(t *testing.T) {
	gain, drop := side("new", repeat(60, 0.5)...), side("old", repeat(60, 0.5)...)
	for i := range 60 {
		was, is := 0.5, 0.5
		if i < 6 { // six of sixty lost: p = 2/64, and twice that for two rules
			was, is = 1, 0.5
		}
		gain.Queries[i].Values = []float64{1, is}
		drop.Queries[i].Values = []float64{0, was}
	}
	v := judge(t, gain, drop, "recall@10 drop < 0.01", "ndcg@10 drop < 0.001")
	if r := v.Rules[0]; r.Outcome != gate.Pass || *r.P != 1 {
		t.Errorf("a gain: %s with p = %v", r.Outcome, *r.P)
	}
	if r := v.Rules[1]; r.Outcome != gate.Inconclusive || math.Abs(*r.P-2.0/64) > 1e-12 || math.Abs(*r.PHolm-4.0/64) > 1e-12 {
		t.Errorf("a drop beside a gain: %s, p = %v, corrected %v", r.Outcome, *r.P, *r.PHolm)
	}
}
