package gate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// rules parses rules that are right.
func rules(t testing.TB, texts ...string) []gate.Rule {
	t.Helper()
	var lines []gate.Line
	for _, text := range texts {
		lines = append(lines, gate.Line{Text: text})
	}
	out, err := gate.ParseAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// subjects are the measures of the rules, each once.
func subjects(rules []gate.Rule) []measure.Measure {
	var out []measure.Measure
	seen := map[string]bool{}
	for _, r := range rules {
		if r.Measure != nil && !seen[r.Measure.Name()] {
			seen[r.Measure.Name()] = true
			out = append(out, r.Measure)
		}
	}
	if len(out) == 0 {
		out = append(out, measure.MustParse("recall@10"))
	}
	return out
}

// side is a finished run with one value a query for every measure; nil is a failed query.
func side(name string, values ...float64) *compare.Side {
	s := &compare.Side{SideInfo: compare.SideInfo{Name: name, System: "docs", Finished: true, Workers: 4,
		Environment: map[string]string{"os": "linux", "arch": "amd64", "cpus": "8", "cpu": "X"}}}
	for i, v := range values {
		q := compare.Query{ID: fmt.Sprintf("q%05d", i), Outcome: measure.Scored, Values: []float64{v}, Timings: assay.Timings{Total: 10 * time.Millisecond}}
		copy(q.Digest[:], fmt.Sprint(name, i, v))
		s.Counts.Queries++
		if math.IsInf(v, -1) {
			q.Outcome, q.Values, q.Timings = measure.Failed, nil, assay.Timings{}
			s.Counts.Failed++
		} else {
			s.Counts.Scored++
		}
		s.Queries = append(s.Queries, q)
	}
	return s
}

// failed marks a query without a ranking.
var failed = math.Inf(-1)

// widen gives every query its value for n measures.
func widen(s *compare.Side, n int) *compare.Side {
	for i := range s.Queries {
		if v := s.Queries[i].Values; v != nil {
			for len(s.Queries[i].Values) < n {
				s.Queries[i].Values = append(s.Queries[i].Values, v[0])
			}
		}
	}
	return s
}

// judge holds rules against two sides.
func judge(t testing.TB, candidate, baseline *compare.Side, texts ...string) *gate.Verdict {
	t.Helper()
	return evaluate(t, gate.Input{Rules: rules(t, texts...), Candidate: *candidate, Baseline: baseline})
}

func evaluate(t testing.TB, in gate.Input) *gate.Verdict {
	t.Helper()
	if in.Measures == nil {
		in.Measures = subjects(in.Rules)
	}
	widen(&in.Candidate, len(in.Measures))
	if in.Baseline != nil {
		widen(in.Baseline, len(in.Measures))
	}
	if in.Stats == (stats.Options{}) {
		in.Stats = stats.Options{Flips: 1000, Draws: 500, Seed: 1}
	}
	in.MaxFailed = 0.01
	v, err := gate.Evaluate(in)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// repeat is n values, taken in turn.
func repeat(n int, values ...float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = values[i%len(values)]
	}
	return out
}

// noisy are n scores like recall of a few items.
func noisy(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(rng.IntN(5)) / 4
	}
	return out
}
