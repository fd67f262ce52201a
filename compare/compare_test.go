package compare_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// TestDifferenceIsBMinusA: the second run is held against the first, and wins are the second's.
func TestDifferenceIsBMinusA(t *testing.T) {
	res := run(t, compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{
		side("old", 0, 0, 0, 0, 0, 0, 0, 0, 1, 0.5), side("new", 1, 1, 1, 1, 1, 1, 1, 1, 0, 0.5)}})
	m := res.Pairs[0].Measures[0]
	if *m.MeanA != 0.15 || *m.MeanB != 0.85 || math.Abs(m.Diff-0.7) > 1e-12 {
		t.Errorf("means %v and %v, difference %v", *m.MeanA, *m.MeanB, m.Diff)
	}
	if m.Wins != 8 || m.Ties != 1 || m.Losses != 1 || m.Finding != compare.Better || !m.Interval.Contains(0.7) || m.MDD == nil || m.Dz == nil {
		t.Errorf("%+v", m)
	}
	// The exact sign-flipping test of 8 gains and 1 loss of one size: 2·(1 + 9)/2^9.
	if math.Abs(m.P-20.0/512) > 1e-12 {
		t.Errorf("p = %v", m.P)
	}
}

// TestLowerIsBetter: of a measure that is better when lower, a lower value wins.
func TestLowerIsBetter(t *testing.T) {
	var lower string
	for _, f := range measure.Families() {
		if f.Definition.Direction == measure.LowerIsBetter && f.Definition.Cutoff == measure.RankCutoff {
			lower = f.Definition.Name + "@10"
		}
	}
	a, b := make([]float64, 40), make([]float64, 40)
	for i := range a {
		a[i], b[i] = 0.9, 0.1+float64(i)/100
	}
	m := run(t, compare.Input{Measures: measures(lower), Sides: []compare.Side{side("a", a...), side("b", b...)}}).Pairs[0].Measures[0]
	if m.Wins != 40 || m.Losses != 0 || m.Diff >= 0 || m.Finding != compare.Better {
		t.Errorf("%s: %d wins, %d losses, difference %v: %s", lower, m.Wins, m.Losses, m.Diff, m.Finding)
	}
}

func TestFailedAndUnjudgedAreCountedNotScored(t *testing.T) {
	a := sideOf("a", [][]float64{{1}, nil, {0}, {1}, {0}})
	b := sideOf("b", [][]float64{{0}, {1}, {1}, {1}, {0}})
	for _, s := range []*compare.Side{&a, &b} {
		s.Queries[4].Outcome, s.Queries[4].Values = measure.Unjudged, nil
	}
	res := run(t, compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{a, b}})
	if diff := cmp.Diff(compare.Matching{Compared: 3, Failed: 1, Unjudged: 1}, res.Matching); diff != "" {
		t.Error(diff)
	}
	if m := res.Pairs[0].Measures[0]; m.N != 3 || m.Diff != 0 || m.Finding != compare.NotShown {
		t.Errorf("%+v", m)
	}
	if !slices.Contains(codes(res.Caveats), "failed_left_out") {
		t.Errorf("not said: %v", res.Caveats)
	}
}

func TestDifferentQueries(t *testing.T) {
	a, b := side("a", 1, 0, 1), side("b", 1, 1, 1, 0, 0)
	in := compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{a, b}}
	_, err := compare.Run(in)
	if !errors.Is(err, assay.ErrStale) || !strings.Contains(err.Error(), "2 queries are only in b (q00003, q00004); 3 are in all") {
		t.Errorf("%v", err)
	}
	in.Intersection = true
	res := run(t, in)
	if res.Matching.Compared != 3 || res.Matching.LeftOut() != 2 || !slices.Contains(codes(res.Caveats), "left_out") {
		t.Errorf("%+v %v", res.Matching, res.Caveats)
	}
	// Nothing in common is no comparison, whatever was asked.
	for i := range b.Queries {
		b.Queries[i].ID = "other" + b.Queries[i].ID
	}
	if _, err := compare.Run(in); !errors.Is(err, assay.ErrStale) || !strings.Contains(err.Error(), "in common") {
		t.Errorf("%v", err)
	}
}

// TestUnjudgedQueriesAreNoGap: a query that nobody labelled need not be in both runs.
func TestUnjudgedQueriesAreNoGap(t *testing.T) {
	a, b := side("a", 1, 0, 1), side("b", 1, 1, 1)
	a.Queries = append(a.Queries, compare.Query{ID: "new", Outcome: measure.Unjudged})
	if res := run(t, compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{a, b}}); res.Matching.Unjudged != 1 || res.Matching.Compared != 3 {
		t.Errorf("%+v", res.Matching)
	}
}

// TestUndefinedValuesLeaveTheirMeasureOnly: a query without a value of one measure still counts for the others.
func TestUndefinedValuesLeaveTheirMeasureOnly(t *testing.T) {
	nan := math.NaN()
	res := run(t, compare.Input{Measures: measures("recall@10", "mrr"), Sides: []compare.Side{
		sideOf("a", [][]float64{{1, 1}, {0, nan}, {1, 0.5}}), sideOf("b", [][]float64{{0, 0.5}, {1, 1}, {1, nan}})}})
	if m := res.Pairs[0].Measures; m[0].N != 3 || m[1].N != 1 {
		t.Errorf("n = %d and %d", m[0].N, m[1].N)
	}
	none := run(t, compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{side("a", nan), side("b", nan)}}).Pairs[0].Measures[0]
	if none.Test != nil || none.MeanA != nil || none.Finding != compare.Untested || none.Why == "" {
		t.Errorf("%+v", none)
	}
}

// TestHolmOverTheTable: all measures of all pairs are one family.
func TestHolmOverTheTable(t *testing.T) {
	rows := func(shift float64) [][]float64 {
		var out [][]float64
		for i := range 60 {
			x := float64(i%10) / 20
			out = append(out, []float64{x + shift*float64(i%3)/3, x + shift*float64(i%2)/9})
		}
		return out
	}
	res := run(t, compare.Input{Measures: measures("recall@10", "ndcg@10"), Sides: []compare.Side{sideOf("a", rows(0)), sideOf("b", rows(0.2)), sideOf("c", rows(0.01))}})
	var p, adjusted []float64
	for _, pair := range res.Pairs {
		for _, m := range pair.Measures {
			p, adjusted = append(p, m.P), append(adjusted, m.PHolm)
		}
	}
	if diff := cmp.Diff(stats.Holm(p), adjusted); diff != "" || len(p) != 4 || res.Settings.Family != 4 {
		t.Errorf("family of %d: %s", res.Settings.Family, diff)
	}
}

// TestQueriesOfOneDocumentCountTogether: thirty queries from three documents are three pieces of evidence.
func TestQueriesOfOneDocumentCountTogether(t *testing.T) {
	a, b := make([]float64, 30), make([]float64, 30)
	for i := range b {
		a[i], b[i] = 0.2, 0.5+float64(i%10)/100
	}
	in := compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{side("a", a...), side("b", b...)}}
	alone := run(t, in).Pairs[0].Measures[0]
	in.Query = func(q string) (assay.Query, bool) {
		return assay.Query{ID: q, Origin: &assay.Origin{Document: q[len(q)-1:][:1]}}, true
	}
	docs := run(t, in).Pairs[0].Measures[0]
	if alone.Finding != compare.Better || docs.Units != 10 || alone.Units != 30 || !(docs.P > alone.P) {
		t.Errorf("alone: %d units, p = %v; by document: %d units, p = %v", alone.Units, alone.P, docs.Units, docs.P)
	}
}

func TestChangesAreNamedFirst(t *testing.T) {
	base := ledger.Fingerprint{"testset.queries": "1", "testset.labels": "1", "system.k": "10", "system.retriever.kind": "exact",
		"system.embed": "nomic", "system.embed.digest": "sha256:1", "corpus.version": "c1", "index.count": "20"}
	with := func(kv ...string) ledger.Fingerprint {
		f := ledger.Fingerprint{}
		for k, v := range base {
			f[k] = v
		}
		for i := 0; i < len(kv); i += 2 {
			f[kv[i]] = kv[i+1]
		}
		return f
	}
	for name, c := range map[string]struct {
		b    ledger.Fingerprint
		want []string
		says string
	}{
		"nothing":          {with(), []string{"nothing_changed"}, "same fingerprint"},
		"one thing":        {with("system.k", "20"), []string{}, ""},
		"one model":        {with("system.embed", "bge", "system.embed.digest", "sha256:2"), []string{}, ""},
		"index follows":    {with("corpus.version", "c2", "index.count", "21"), []string{}, ""},
		"two things":       {with("system.k", "20", "system.embed", "bge"), []string{"several_changes"}, "system.embed, system.k"},
		"two settings":     {with("system.retriever.k1", "2", "system.retriever.b", "0.1"), []string{"several_changes"}, "system.retriever.b, system.retriever.k1"},
		"one setting":      {with("system.retriever.k1", "2", "index.config.k1", "2", "index.count", "7"), []string{}, ""},
		"two of a part":    {with("system.plain.retriever.k1", "2", "system.plain.retriever.b", "0.1"), []string{"several_changes"}, "2 things"},
		"labels":           {with("testset.labels", "2", "system.k", "20"), []string{"labels_differ"}, "today's"},
		"test set":         {with("testset.queries", "2", "system.k", "20"), []string{"testset_differs"}, "matched by id"},
		"another kind":     {with("system.retriever.kind", "bm25", "system.embed", "", "system.retriever.k1", "0.9"), []string{}, ""},
		"nothing recorded": {nil, []string{"fingerprint_unknown"}, "of how b came about"},
	} {
		a, b := side("a", 1, 0), side("b", 0, 1)
		a.Fingerprint, b.Fingerprint = base, c.b
		res := run(t, compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{a, b}})
		if diff := cmp.Diff(c.want, codes(res.Caveats)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		} else if len(res.Caveats) > 0 && !strings.Contains(res.Caveats[0].Text, c.says) {
			t.Errorf("%s: %q does not say %q", name, res.Caveats[0].Text, c.says)
		}
		if want := base.Diff(c.b); c.b != nil && !cmp.Equal(res.Pairs[0].Changes, append([]ledger.Change{}, want...)) {
			t.Errorf("%s: changes %v", name, res.Pairs[0].Changes)
		}
	}
}

func TestRecordedNumbersThatNoLongerHold(t *testing.T) {
	a, b := side("a", 1, 0), side("b", 0, 1)
	a.Drift = []compare.Drift{{Measure: "recall@10", Recorded: 0.9, Now: 0.5}}
	b.Finished = false
	res := run(t, compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{a, b}})
	if got := codes(res.Caveats); !slices.Contains(got, "recorded_differs") || !slices.Contains(got, "unfinished") {
		t.Errorf("%v", got)
	}
}

func TestLargestMovesWithBothRankings(t *testing.T) {
	a, b := side("a", 1, 0, 0.5, 0, 1), side("b", 0, 1, 0.5, 0.25, 1)
	explain := func(who string) func([]string) (map[string]compare.Ranking, error) {
		return func(ids []string) (map[string]compare.Ranking, error) {
			out := map[string]compare.Ranking{}
			for _, q := range ids {
				out[q] = compare.Ranking{Hits: []compare.Hit{{ID: who + " " + q}}}
			}
			return out, nil
		}
	}
	a.Explain, b.Explain = explain("a"), explain("b")
	in := compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{a, b},
		Query: func(q string) (assay.Query, bool) { return assay.Query{ID: q, Text: "text of " + q}, true },
		Gold:  func(q string) []string { return []string{"gold of " + q} }}
	moves := run(t, in).Pairs[0].Moves
	var got []string
	for _, m := range moves {
		got = append(got, m.Query)
		if m.Text != "text of "+m.Query || m.Gold[0] != "gold of "+m.Query || m.RankingA.Hits[0].ID != "a "+m.Query || m.RankingB.Hits[0].ID != "b "+m.Query {
			t.Errorf("%+v", m)
		}
	}
	// Of equal size the loss comes first; what did not move is no move.
	if diff := cmp.Diff([]string{id(0), id(1), id(3)}, got); diff != "" {
		t.Error(diff)
	}
	in.Moves = 1
	if moves := run(t, in).Pairs[0].Moves; len(moves) != 1 || moves[0].Diff != -1 {
		t.Errorf("%+v", moves)
	}
	a.Explain = func([]string) (map[string]compare.Ranking, error) { return nil, errors.New("disk on fire") }
	in.Sides = []compare.Side{a, b}
	if _, err := compare.Run(in); err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("%v", err)
	}
}

func TestStrata(t *testing.T) {
	a, b := make([]float64, 20), make([]float64, 20)
	var even, odd []string
	for i := range a {
		if i%2 == 0 {
			b[i] = 0.5
			even = append(even, id(i))
		} else {
			odd = append(odd, id(i))
		}
	}
	res := run(t, compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{side("a", a...), side("b", b...)},
		Strata: func(queries []assay.Query) []compare.Layer {
			if len(queries) != 20 {
				t.Errorf("cut %d queries", len(queries))
			}
			return []compare.Layer{{"tag", "even", even}, {"tag", "odd", odd}, {"tag", "few", odd[:4]}, {"tag", "strangers", []string{"x", "y", "z", "u", "v"}}}
		}})
	s := res.Pairs[0].Strata
	if len(s) != 2 || s[0].Value != "even" || s[0].Diff != 0.5 || s[0].Wins != 10 || s[1].Diff != 0 || s[1].Ties != 10 || s[1].N != 10 {
		t.Errorf("%+v", s)
	}
	if n := res.Pairs[0].SmallStrata; n != 1 {
		t.Errorf("%d parts are too small, not 1: that of which no query was compared is none", n)
	}
}

func TestLatencyIsComparableOnOneMachineOnly(t *testing.T) {
	machine := map[string]string{"os": "linux", "arch": "amd64", "cpus": "8", "cpu": "X"}
	other := map[string]string{"os": "linux", "arch": "amd64", "cpus": "8", "cpu": "Y"}
	for _, c := range []struct {
		env     map[string]string
		workers int
		why     string
	}{{machine, 4, ""}, {other, 4, "the machines differ: cpu is X and Y"}, {machine, 2, "4 and 2 queries"}, {machine, 0, "unknown"}, {nil, 4, "unknown"}} {
		a, b := side("a", 1, 0, 1), side("b", 1, 1, 1)
		a.Environment, a.Workers, b.Environment, b.Workers = machine, 4, c.env, c.workers
		l := run(t, compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{a, b}}).Pairs[0].Latency
		if l == nil || l.N != 3 || l.Comparable != (c.why == "") || !strings.Contains(l.Why, c.why) || l.Quantiles[0].A != 2 || l.Quantiles[0].Diff != 0 {
			t.Errorf("%+v: %+v", c, l)
		}
	}
}

func TestSameRankingsAreCounted(t *testing.T) {
	a, b := side("a", 1, 0, 1), side("b", 1, 0, 1)
	b.Queries[0].Digest = a.Queries[0].Digest
	a.Queries[1].Digest, b.Queries[1].Digest = [16]byte{}, [16]byte{} // unknown on both sides is not equal
	if p := run(t, compare.Input{Measures: measures("recall@10"), Sides: []compare.Side{a, b}}).Pairs[0]; p.SameRankings != 1 {
		t.Errorf("%d", p.SameRankings)
	}
}

func TestRefusesMisuse(t *testing.T) {
	for name, in := range map[string]compare.Input{
		"one side":   {Measures: measures("mrr"), Sides: []compare.Side{side("a", 1)}},
		"no measure": {Sides: []compare.Side{side("a", 1), side("b", 1)}},
		"columns":    {Measures: measures("mrr", "map"), Sides: []compare.Side{side("a", 1), side("b", 1)}},
	} {
		if _, err := compare.Run(in); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
