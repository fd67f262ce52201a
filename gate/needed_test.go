package gate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/stats"
)

// stretch is n queries in the proportions of the given ones: in their order, each stands for the queries up to its share of n.
func stretch[T any](in []T, n int) []T {
	var out []T
	for i, v := range in {
		for end := int(math.Round(float64(i+1) * float64(n) / float64(len(in)))); len(out) < end; {
			out = append(out, v)
		}
	}
	return out
}

// paired are 0/1 scores of a baseline and a candidate with so many queries in each cell of their table.
func paired(both, lost, won, neither int) (old, now []float64) {
	for cell, count := range []int{both, lost, won, neither} {
		for range count {
			old = append(old, []float64{1, 1, 0, 0}[cell])
			now = append(now, []float64{1, 0, 1, 0}[cell])
		}
	}
	return old, now
}

// TestNeededIsWhatTheVerdictTakes: the number of queries that is said to settle a rule does settle it, and one fewer does not, when
// the gate is run again over so many queries of the same kind. The numbers with a source were calculated apart from assay.
func TestNeededIsWhatTheVerdictTakes(t *testing.T) {
	ones, all := repeat(120, 1), repeat(110, 1)
	mixed, mixedNow := paired(60, 9, 3, 28)
	gained, gainedNow := paired(50, 4, 9, 37)
	risen, risenNow := paired(50, 4, 9, 37)
	risen, risenNow = risenNow, risen // so that its cells stand in the order of what is worse
	seven := append(repeat(7, 1), repeat(33, 0.5)...)
	sevenNow := append(repeat(7, 0.9), repeat(33, 0.5)...)
	five := []string{"recall@10 drop < 0.001", "recall@9 drop < 0.001", "recall@8 drop < 0.001", "recall@7 drop < 0.001", "recall@6 drop < 0.001"}
	fiveOld, fiveNow := paired(33, 7, 0, 0)
	var bounds []string
	for _, k := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"} {
		bounds = append(bounds, "recall@"+k+" >= 0.915")
	}
	for name, c := range map[string]struct {
		old, now []float64
		rules    []string
		want     int // 0: whatever it is
	}{
		"equal 0/1 scores":            {ones, ones, []string{"recall@10 drop < 0.02"}, 189}, // z²(1−0.02)/0.02, Wilson 1927
		"equal 0/1 scores, more":      {repeat(170, 1), repeat(170, 1), []string{"recall@10 drop < 0.02"}, 189},
		"a perfect score":             {nil, all, []string{"recall@10 >= 0.97"}, 125},                         // z²·0.97/0.03
		"equal graded scores":         {repeat(40, 0.5), repeat(40, 0.5), []string{"mrr@10 drop < 0.05"}, 59}, // 0.95^n ≤ 0.05
		"a value":                     {nil, append(repeat(90, 1), repeat(10, 0)...), []string{"recall@10 >= 0.85"}, 0},
		"a value too low":             {nil, append(repeat(83, 1), repeat(17, 0)...), []string{"recall@10 >= 0.85"}, 0},
		"ten bounds":                  {nil, append(repeat(85, 1), repeat(15, 0)...), bounds, 0},
		"a loss beyond a wide margin": {mixed, mixedNow, []string{"recall@10 drop < 0.01"}, 0},
		"a loss inside the margin":    {mixed, mixedNow, []string{"recall@10 drop < 0.1"}, 0},
		"a gain":                      {gained, gainedNow, []string{"recall@10 drop < 0.01"}, 0},
		"lower is better":             {risen, risenNow, []string{"unj@10 rise < 0.01"}, 0},
		"seven of forty, five rules":  {fiveOld, fiveNow, five, 43}, // 5·2/2⁸ ≤ 0.05 < 5·2/2⁷; 7.5/40 of 43 are 8
		"the same on part of a score": {seven, sevenNow, []string{"ndcg@10 drop < 0.0001", "ndcg@9 drop < 0.0001", "ndcg@8 drop < 0.0001", "ndcg@7 drop < 0.0001", "ndcg@6 drop < 0.0001"}, 43},
	} {
		t.Run(name, func(t *testing.T) {
			again := func(n int) *gate.Verdict {
				var base *compare.Side
				if c.old != nil {
					base = side("old", stretch(c.old, n)...)
				}
				return judge(t, side("new", stretch(c.now, n)...), base, c.rules...)
			}
			r := again(len(c.now)).Rules[0]
			if r.Outcome != gate.Inconclusive || r.Needed == nil || c.want > 0 && *r.Needed != c.want {
				t.Fatalf("%s: %s; want %d", r.Outcome, r.Reason, c.want)
			}
			if r := again(*r.Needed).Rules[0]; r.Outcome == gate.Inconclusive {
				t.Errorf("%d do not settle it: %s", r.N, r.Reason)
			}
			if r := again(*r.Needed - 1).Rules[0]; r.Outcome != gate.Inconclusive {
				t.Errorf("%d settle it: %s, %s", r.N, r.Outcome, r.Reason)
			}
		})
	}
}

// TestNeededIsAboutRight where an interval is drawn and only its growth is known: the next whole multiple of the queries settles the
// rule, and the one before does not.
func TestNeededIsAboutRight(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	old, now := noise(rng, 80)
	slices.SortFunc(old, func(a, b float64) int { return int(12 * (a - b)) })
	slices.SortFunc(now, func(a, b float64) int { return int(12 * (a - b)) })
	worse := slices.Clone(now)
	for i := range worse {
		if i%5 == 0 {
			worse[i] = max(0, worse[i]-1.0/3)
		} else if i%7 == 0 {
			worse[i] = min(1, worse[i]+1.0/3)
		}
	}
	documents := func(id string) (assay.Query, bool) { // two queries a document
		return assay.Query{ID: id, Origin: &assay.Origin{Document: id[:5] + string("01234"[(id[5]-'0')/2])}}, true
	}
	for name, c := range map[string]struct {
		old, now []float64
		rule     string
		query    func(string) (assay.Query, bool)
	}{
		"a mean":                  {nil, now, "ndcg@10 >= 0.44", nil},
		"a mean too low":          {nil, now, "ndcg@10 >= 0.56", nil},
		"a drop inside":           {now, worse, "ndcg@10 drop < 0.04", nil},
		"a drop":                  {now, worse, "ndcg@10 drop < 0.001", nil},
		"0/1, two a document":     {nil, stretch([]float64{1, 1, 1, 1, 1, 1, 1, 0, 1}, 90), "recall@10 >= 0.84", documents},
		"a drop, two a document":  {now, worse, "ndcg@10 drop < 0.04", documents},
		"too few, two a document": {now, now[:50], "ndcg@10 >= 0.1", documents},
	} {
		t.Run(name, func(t *testing.T) {
			again := func(n int) gate.RuleResult {
				in := gate.Input{Rules: rules(t, c.rule), Candidate: *side("new", repeat(n, c.now...)...), Query: c.query,
					Stats: stats.Options{Flips: 20_000, Draws: 10_000, Seed: 1}}
				if c.old != nil {
					in.Baseline = side("old", repeat(n, c.old[:len(c.now)]...)...)
				}
				return evaluate(t, in).Rules[0]
			}
			r := again(len(c.now))
			if r.Outcome != gate.Inconclusive || r.Needed == nil {
				t.Fatalf("%s: %s", r.Outcome, r.Reason)
			}
			t.Log(r.Reason)
			whole := len(c.now) // of which every multiple has the same mean
			n := (*r.Needed + whole - 1) / whole * whole
			if r := again(n); r.Outcome == gate.Inconclusive {
				t.Errorf("%d do not settle it: %s", r.N, r.Reason)
			}
			if n -= whole; n > whole && float64(n) < 0.95*float64(*r.Needed) { // Student's t of few documents is a little wider than that of more
				if r := again(n); r.Outcome != gate.Inconclusive {
					t.Errorf("%d settle it: %s, %s", n, r.Outcome, r.Reason)
				}
			}
		})
	}
}

// timed is a side whose queries took so many milliseconds.
func timed(name string, millis []float64) *compare.Side {
	s := side(name, repeat(len(millis), 1)...)
	for i, ms := range millis {
		s.Queries[i].Timings.Total = time.Duration(ms * float64(time.Millisecond))
	}
	return s
}

// ramp is n times from lo on, evenly apart.
func ramp(n int, lo, step float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = lo + step*float64(i)
	}
	return out
}

// TestNeededOfAPercentile: what bounds it and what puts it on one side of its limit, and one number for both.
func TestNeededOfAPercentile(t *testing.T) {
	for name, c := range map[string]struct {
		times []float64
		rule  string
		want  int
	}{
		"too few for p95":     {repeat(40, 10), "latency_p95_ms < 1000", 72}, // 0.95^72 ≤ 0.025 < 0.95^71
		"too few for p99":     {repeat(40, 10), "latency_p99_ms < 1000", 368},
		"too few for all":     {repeat(20, 10), "latency_p50_ms < 1000", 30},
		"near the limit":      {ramp(100, 10, 1), "latency_p50_ms < 65", 0},
		"beyond it":           {ramp(100, 10, 1), "latency_p50_ms < 55", 0},
		"the tail near":       {ramp(100, 10, 1), "latency_p95_ms < 106", 0},
		"the tail near, late": {ramp(60, 10, 1), "latency_p95_ms < 68", 0},
	} {
		t.Run(name, func(t *testing.T) {
			again := func(n int) gate.RuleResult { return judge(t, timed("new", stretch(c.times, n)), nil, c.rule).Rules[0] }
			r := again(len(c.times))
			if r.Outcome != gate.Inconclusive || r.Needed == nil || c.want > 0 && *r.Needed != c.want {
				t.Fatalf("%s: %s; want %d", r.Outcome, r.Reason, c.want)
			}
			if r := again(*r.Needed); r.Outcome == gate.Inconclusive {
				t.Errorf("%d do not settle it: %s", r.N, r.Reason)
			}
			if r := again(*r.Needed - 1); r.Outcome != gate.Inconclusive {
				t.Errorf("%d settle it: %s, %s", r.N, r.Outcome, r.Reason)
			}
			if strings.Count(r.Reason, "queries would settle") != 1 || strings.Contains(r.Reason, "enough") {
				t.Errorf("two numbers in %q", r.Reason)
			}
		})
	}
}

// TestNeededOfARise, whose interval is that of a bootstrap of few times: within a third.
func TestNeededOfARise(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 6))
	old, slower := make([]float64, 150), make([]float64, 150)
	for i := range old {
		old[i] = 100 * math.Exp(0.4*rng.NormFloat64())
	}
	slices.Sort(old)
	for i := range old {
		slower[i] = old[i]*1.02 + 20*rng.NormFloat64()
	}
	for name, rule := range map[string]string{"inside": "latency_p50_ms rise < 5%", "absolute": "latency_p50_ms rise < 5"} {
		t.Run(name, func(t *testing.T) {
			again := func(n int) gate.RuleResult {
				return evaluate(t, gate.Input{Rules: rules(t, rule), Candidate: *timed("new", stretch(slower, n)), Baseline: timed("old", stretch(old, n)),
					Stats: stats.Options{Draws: 4000, Seed: 3}}).Rules[0]
			}
			r := again(len(old))
			if r.Outcome != gate.Inconclusive || r.Needed == nil {
				t.Fatalf("%s: %s", r.Outcome, r.Reason)
			}
			t.Log(r.Reason)
			if r := again(*r.Needed * 4 / 3); r.Outcome == gate.Inconclusive {
				t.Errorf("%d do not settle it: %s", r.N, r.Reason)
			}
			if n := *r.Needed * 3 / 4; n > r.N {
				if r := again(n); r.Outcome != gate.Inconclusive {
					t.Errorf("%d settle it: %s, %s", n, r.Outcome, r.Reason)
				}
			}
		})
	}
}

// TestNothingSettlesWhatLiesOnTheLimit, and no number is made up.
func TestNothingSettlesWhatLiesOnTheLimit(t *testing.T) {
	v := judge(t, side("new", repeat(100, 1, 0.5, 1, 0.5)...), nil, "ndcg@10 >= 0.75")
	if r := v.Rules[0]; r.Outcome != gate.Inconclusive || r.Needed != nil || !strings.Contains(r.Reason, "no number of queries would settle it") {
		t.Errorf("%s: %s", r.Outcome, r.Reason)
	}
}
