package gate_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/gate"
)

func TestOutcomes(t *testing.T) {
	base := side("old", repeat(200, 1, 0.5, 1, 0.75)...)
	for name, c := range map[string]struct {
		candidate *compare.Side
		rule      string
		want      gate.Outcome
		says      string
	}{
		"a gain passes":             {side("new", repeat(200, 1, 0.75, 1, 1)...), "recall@10 drop < 0.02", gate.Pass, "a drop of -0.1250"},
		"a small drop passes":       {side("new", repeat(200, 1, 0.5, 0.98, 0.75)...), "recall@10 drop < 0.02", gate.Pass, "against 0.02"},
		"a large drop does not":     {side("new", repeat(200, 0.5, 0, 1, 0.5)...), "recall@10 drop < 0.02", gate.Regression, "p = 0.001 (paired randomization)"},
		"nobody knows":              {side("new", append(repeat(190, 1, 0.5, 1, 0.75), repeat(10, 0, 1)...)...), "recall@10 drop < 0.02", gate.Inconclusive, "queries would settle it (200 now)"},
		"high enough":               {base, "recall@10 >= 0.75", gate.Pass, "against >= 0.75"},
		"too low":                   {base, "recall@10 >= 0.9", gate.Regression, "beyond chance"},
		"near the bound":            {base, "recall@10 >= 0.81", gate.Inconclusive, "queries would settle it"},
		"fast enough":               {base, "latency_p95_ms < 11", gate.Pass, "10.0 ms"},
		"too slow":                  {base, "latency_p95_ms < 9", gate.Regression, "against < 9 ms"},
		"exactly the bound":         {base, "latency_p95_ms < 10", gate.Regression, "against < 10 ms"},
		"exactly the allowed bound": {base, "latency_p95_ms <= 10", gate.Pass, "against <= 10 ms"},
		"no slower":                 {base, "latency_p95_ms rise < 1%", gate.Pass, "the times are the same on all 200 queries"},
		"a stage that was not":      {base, "rerank_p95_ms < 9", gate.NoData, "no query of old has a time of rerank"},
	} {
		t.Run(name, func(t *testing.T) {
			v := judge(t, c.candidate, base, c.rule)
			r := v.Rules[0]
			if r.Outcome != c.want || v.Outcome != c.want || !strings.Contains(r.Reason, c.says) {
				t.Errorf("%s: %s (gate: %s), want %s with %q", r.Outcome, r.Reason, v.Outcome, c.want, c.says)
			}
			if (r.Needed != nil) != (c.want == gate.Inconclusive) {
				t.Errorf("needed: %v", r.Needed)
			}
		})
	}
}

// TestUnderThirtyNothingPasses: not a gain, not an equal run, not a perfect score; but what is a regression stays one.
func TestUnderThirtyNothingPasses(t *testing.T) {
	texts := []string{"recall@10 drop < 0.5", "recall@10 >= 0.1", "latency_p50_ms < 1000", "latency_p50_ms rise < 50%"}
	base := side("old", repeat(29, 1, 0.8)...)
	for _, n := range []int{29, 30} {
		s := side("old", repeat(n, 1, 0.8)...)
		v := judge(t, s, s, texts...)
		for _, r := range v.Rules {
			if want := map[int]gate.Outcome{29: gate.Inconclusive, 30: gate.Pass}[n]; r.Outcome != want {
				t.Errorf("%d queries: %s is %s: %s", n, r.Rule, r.Outcome, r.Reason)
			}
			if n == 29 && (!strings.Contains(r.Reason, "under 30 nothing passes") || r.Needed == nil || *r.Needed != 30) {
				t.Errorf("%s does not say what is missing: %s", r.Rule, r.Reason)
			}
		}
	}
	if v := judge(t, side("new", repeat(29, 0)...), base, texts[0]); v.Outcome != gate.Regression {
		t.Errorf("all answers lost on 29 queries: %s, %s", v.Outcome, v.Reason)
	}
	// Thirty-nine queries from three documents are three.
	in := gate.Input{Rules: rules(t, texts[1]), Candidate: *side("new", repeat(39, 1, 0.8)...), Query: func(id string) (assay.Query, bool) {
		return assay.Query{ID: id, Origin: &assay.Origin{Document: string(id[5] % 3)}}, true
	}}
	if v := evaluate(t, in); v.Outcome != gate.Inconclusive || !strings.Contains(v.Reason, "independent") {
		t.Errorf("%s: %s", v.Outcome, v.Reason)
	}
}

// TestRoundingNeverPasses is case C4: 0.3 − 0.1 is 0.19999… in floats and not under 0.2; 0.7966 is not 0.80.
func TestRoundingNeverPasses(t *testing.T) {
	three, one := make([]float64, 10), make([]float64, 10)
	three[0], three[1], three[2], one[0] = 1, 1, 1, 1
	v := judge(t, side("new", one...), side("old", three...), "recall@10 drop < 0.2")
	if v.Outcome == gate.Pass || v.ExitCode == 0 || !strings.Contains(v.Reason, "a drop of 0.2000") {
		t.Errorf("3/10 → 1/10: %s, %s", v.Outcome, v.Reason)
	}
	// A drop of exactly the margin on every query, where the interval has no width to hide behind.
	v = judge(t, side("new", repeat(5000, 0.1)...), side("old", repeat(5000, 0.3)...), "recall@10 drop < 0.2")
	if r := v.Rules[0]; r.Outcome != gate.Regression {
		t.Errorf("0.3 − 0.1 under 0.2: %s, %s", r.Outcome, r.Reason)
	}
	v = judge(t, side("new", repeat(300, append(repeat(59, 0.7966), 0.7966)...)...), nil, "recall@10 >= 0.80")
	if v.Outcome == gate.Pass || !strings.Contains(v.Reason, "0.7966") {
		t.Errorf("0.7966 >= 0.80: %s, %s", v.Outcome, v.Reason)
	}
	v = judge(t, side("new", repeat(50_000, 0.799996)...), nil, "recall@10 >= 0.8")
	if v.Outcome == gate.Pass || !strings.Contains(v.Reason, "0.799996") || !strings.Contains(v.Reason, ">= 0.8") {
		t.Errorf("not enough digits: %s", v.Reason)
	}
}

// TestEveryProblemHasItsOwnCode, and the gravest decides: 2, 6, 5, 3, 4, 0.
func TestExitCodes(t *testing.T) {
	good, bad := side("old", repeat(100, 1, 0.5)...), side("new", repeat(100, 0)...)
	base := side("old", repeat(100, 1, 0.5)...)
	half := side("new", repeat(100, 1, failed)...)
	unfinished := *good
	unfinished.Finished = false
	drop, floor, rerank := "recall@10 drop < 0.02", "recall@10 >= 0.5", "rerank_p95_ms < 5"
	unsure := "recall@10 >= 0.75"
	for name, c := range map[string]struct {
		candidate, baseline *compare.Side
		policy              gate.Policy
		rules               []string
		want                int
		sentinel            error
	}{
		"pass":                              {good, base, "", []string{drop, floor}, 0, nil},
		"regression":                        {bad, base, "", []string{drop, floor}, 3, assay.ErrRegression},
		"inconclusive":                      {good, base, "", []string{unsure}, 4, assay.ErrUndecided},
		"inconclusive, strict":              {good, base, gate.Strict, []string{unsure}, 3, assay.ErrRegression},
		"inconclusive, lenient":             {good, base, gate.Lenient, []string{unsure}, 0, nil},
		"regression, lenient":               {bad, base, gate.Lenient, []string{drop}, 3, assay.ErrRegression},
		"regression before inconclusive":    {good, base, "", []string{unsure, "recall@10 >= 0.95"}, 3, assay.ErrRegression},
		"half failed":                       {half, base, "", []string{floor}, 5, assay.ErrIncomplete},
		"half failed, lenient":              {half, base, gate.Lenient, []string{floor}, 5, assay.ErrIncomplete},
		"half failed and a regression":      {half, base, "", []string{"recall@10 >= 0.999"}, 5, assay.ErrIncomplete},
		"the baseline failed":               {good, half, "", []string{drop}, 5, assay.ErrIncomplete},
		"a failed baseline is not asked":    {good, half, "", []string{floor}, 0, nil},
		"not finished":                      {&unfinished, base, "", []string{floor}, 5, assay.ErrIncomplete},
		"no baseline":                       {good, nil, "", []string{drop}, 6, assay.ErrStale},
		"no baseline and no need":           {good, nil, "", []string{floor}, 0, nil},
		"no baseline, lenient":              {good, nil, gate.Lenient, []string{drop, floor}, 6, assay.ErrStale},
		"no baseline before half failed":    {half, nil, "", []string{drop}, 6, assay.ErrStale},
		"no baseline before regression":     {bad, nil, "", []string{drop, floor}, 6, assay.ErrStale},
		"other queries":                     {good, side("old", repeat(80, 1, 0.5)...), "", []string{drop}, 6, assay.ErrStale},
		"nothing to look at":                {good, base, gate.Lenient, []string{floor, rerank}, 2, assay.ErrUsage},
		"an empty test set":                 {side("new"), nil, gate.Lenient, []string{floor}, 2, assay.ErrUsage},
		"an empty test set, and a baseline": {side("new"), base, "", []string{drop}, 2, assay.ErrUsage},
	} {
		t.Run(name, func(t *testing.T) {
			v := evaluate(t, gate.Input{Rules: rules(t, c.rules...), Candidate: *c.candidate, Baseline: c.baseline, Policy: c.policy})
			if v.ExitCode != c.want {
				t.Errorf("exit %d (%s: %s), want %d", v.ExitCode, v.Outcome, v.Reason, c.want)
			}
			if err := v.Err(); (err == nil) != (c.sentinel == nil) || c.sentinel != nil && !errors.Is(err, c.sentinel) {
				t.Errorf("error %v, want %v", err, c.sentinel)
			}
			if v.Reason == "" || c.want != 0 && v.Outcome != gate.Regression && v.Hint == "" && len(v.Rules) > 0 && c.want != 3 {
				t.Errorf("no reason or no hint: %+v", v)
			}
			for _, r := range v.Rules {
				if r.Outcome == "" || r.Reason == "" {
					t.Errorf("%+v", r)
				}
				if v.Outcome == gate.Incomplete && r.Outcome == gate.Pass {
					t.Errorf("%s passes over a part of the data", r.Rule)
				}
			}
		})
	}
}

func TestIntersectionIsAskedFor(t *testing.T) {
	in := gate.Input{Rules: rules(t, "recall@10 drop < 0.02"), Candidate: *side("new", repeat(100, 1, 0.5)...), Baseline: side("old", repeat(80, 1, 0.5)...)}
	if v := evaluate(t, in); v.Outcome != gate.NotComparable || !strings.Contains(v.Hint, "--intersection") {
		t.Errorf("%s: %s; %s", v.Outcome, v.Reason, v.Hint)
	}
	in.Intersection = true
	if v := evaluate(t, in); v.Outcome != gate.Inconclusive || v.Compared != 80 || v.LeftOut != 20 {
		t.Errorf("%+v", v)
	}
}

func TestProblemsOfTheCallerRuleOutAPass(t *testing.T) {
	in := gate.Input{Rules: rules(t, "recall@10 >= 0.5"), Candidate: *side("new", repeat(100, 1)...),
		Problems: []gate.Problem{{Outcome: gate.NotComparable, Reason: "12 queries are newer than the run", Hint: "assay run"}}}
	v := evaluate(t, in)
	if v.ExitCode != 6 || v.Hint != "assay run" || v.Rules[0].Outcome != gate.NotComparable || !strings.Contains(v.Rules[0].Reason, "12 queries") {
		t.Errorf("%+v", v)
	}
}

// TestUncalibratedJudgePassesNoGate, whatever the policy; latencies need no judge.
func TestUncalibratedJudgePassesNoGate(t *testing.T) {
	candidate := side("new", repeat(100, 1)...)
	candidate.Warnings = []assay.Warning{{Code: assay.WarnUncalibratedJudge, Text: "nobody measured the judge"}}
	v := evaluate(t, gate.Input{Rules: rules(t, "recall@10 >= 0.5"), Candidate: *candidate, Policy: gate.Lenient})
	if v.ExitCode != 6 || v.Reason != "nobody measured the judge" || v.Rules[0].Outcome == gate.Pass {
		t.Errorf("%+v", v)
	}
	if v := judge(t, candidate, nil, "latency_p50_ms < 1000"); v.ExitCode != 0 {
		t.Errorf("%+v", v)
	}
}

// TestRelativeLatencyRefusesOtherMachines, and passes none of them.
func TestRelativeLatencyRefusesOtherMachines(t *testing.T) {
	for name, change := range map[string]func(*compare.Side){
		"machine": func(s *compare.Side) {
			s.Environment = map[string]string{"os": "linux", "arch": "amd64", "cpus": "2", "cpu": "X"}
		},
		"concurrency": func(s *compare.Side) { s.Workers = 1 },
		"unknown":     func(s *compare.Side) { s.Environment = nil },
	} {
		base, candidate := side("old", repeat(200, 1)...), side("new", repeat(200, 1)...)
		change(candidate)
		v := judge(t, candidate, base, "latency_p95_ms rise < 20%", "latency_p95_ms < 100")
		if v.ExitCode != 6 || v.Rules[0].Outcome != gate.NotComparable || v.Rules[1].Outcome != gate.Pass {
			t.Errorf("%s: exit %d, %+v", name, v.ExitCode, v.Rules)
		}
	}
}

func TestLatencyRise(t *testing.T) {
	base, slower := side("old", repeat(400, 1)...), side("new", repeat(400, 1)...)
	for i := range base.Queries {
		at := time.Duration(100+i%50) * time.Millisecond
		base.Queries[i].Timings.Total, slower.Queries[i].Timings.Total = at, at+at/4
	}
	v := judge(t, slower, base, "latency_p95_ms rise < 20%", "latency_p95_ms rise < 30%", "latency_p50_ms rise < 20", "latency_p50_ms rise < 0.1s")
	var got []gate.Outcome
	for _, r := range v.Rules {
		got = append(got, r.Outcome)
	}
	if want := []gate.Outcome{gate.Regression, gate.Pass, gate.Regression, gate.Pass}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v: %+v", got, want, v.Rules)
	}
}

// TestTooFewForAPercentile: the slowest of forty queries bounds no 95th percentile.
func TestTooFewForAPercentile(t *testing.T) {
	v := judge(t, side("new", repeat(40, 1)...), nil, "latency_p95_ms < 1000")
	if r := v.Rules[0]; r.Outcome != gate.Inconclusive || r.Needed == nil || !strings.Contains(r.Reason, "cannot bound") {
		t.Errorf("%s: %s", r.Outcome, r.Reason)
	}
}

// TestRegressionsAreCorrected: what one rule alone would call a regression, ten do not; passes stay.
func TestRegressionsAreCorrected(t *testing.T) {
	a, b := repeat(100, 1), repeat(100, 1)
	for i := range 7 {
		b[i] = 0 // exact binomial: p = 2/128 = 0.0156
	}
	alone := judge(t, side("new", b...), side("old", a...), "recall@10 drop < 0.001")
	if alone.Outcome != gate.Regression {
		t.Fatalf("alone: %s, %s", alone.Outcome, alone.Reason)
	}
	texts := []string{"recall@10 drop < 0.001", "recall@9 drop < 0.3", "recall@8 drop < 0.001", "recall@7 drop < 0.001"}
	v := judge(t, side("new", b...), side("old", a...), texts...)
	for i, want := range []gate.Outcome{gate.Inconclusive, gate.Pass, gate.Inconclusive, gate.Inconclusive} {
		if r := v.Rules[i]; r.Outcome != want || want == gate.Inconclusive && !strings.Contains(r.Reason, "corrected for 4 rules") {
			t.Errorf("%s: %s, %s", r.Rule, r.Outcome, r.Reason)
		}
	}
	// The same for rules on the value itself, which have no test of their own.
	low := side("new", append(repeat(85, 1), repeat(15, 0)...)...)
	bound := "recall@%d >= 0.915" // Wilson's interval at 95 % ends just below
	if v := judge(t, low, nil, strings.Replace(bound, "%d", "10", 1)); v.Outcome != gate.Regression {
		t.Fatalf("alone: %s", v.Reason)
	}
	var many []string
	for _, k := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"} {
		many = append(many, strings.Replace(bound, "%d", k, 1))
	}
	if v := judge(t, low, nil, many...); v.Outcome != gate.Inconclusive {
		t.Errorf("ten such rules: %s, %s", v.Outcome, v.Reason)
	}
}

// TestPassThatRestsOnLittleSaysSo: three queries of a hundred moved, and the interval is theirs alone.
func TestPassThatRestsOnLittleSaysSo(t *testing.T) {
	a, b := repeat(100, 1, 0.5), repeat(100, 1, 0.5)
	b[0], b[2], b[4] = 0.9, 0.9, 0.9
	if v := judge(t, side("new", b...), side("old", a...), "recall@10 drop < 0.05"); v.Outcome != gate.Pass || !strings.Contains(v.Rules[0].Reason, "3 queries that differ") {
		t.Errorf("%s: %s", v.Outcome, v.Rules[0].Reason)
	}
}

func TestVerdictShowsWhatLost(t *testing.T) {
	a, b := repeat(60, 1, 0.5), repeat(60, 0.5, 1)
	for i := range 40 {
		b[i] = 0
	}
	v := judge(t, side("new", b...), side("old", a...), "recall@10 drop < 0.02")
	if v.Outcome != gate.Regression || len(v.Moves) != 10 || slices.ContainsFunc(v.Moves, func(m compare.Move) bool { return m.Diff >= 0 }) {
		t.Errorf("%s, %d moves", v.Outcome, len(v.Moves))
	}
}

func TestNoRules(t *testing.T) {
	if _, err := gate.Evaluate(gate.Input{Candidate: *side("new", 1)}); !errors.Is(err, assay.ErrUsage) || assay.Hint(err) == "" {
		t.Errorf("%v", err)
	}
}
