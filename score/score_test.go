package score_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/stats"
)

// queries makes n queries q0, q1, ….
func queries(n int) []assay.Query {
	out := make([]assay.Query, n)
	for i := range out {
		out[i] = assay.Query{ID: fmt.Sprint("q", i), Text: fmt.Sprint("question ", i)}
	}
	return out
}

func bare(query, chunk string, grade assay.Grade) assay.Label {
	return label(query, grade, assay.Target{Chunk: chunk})
}

// TestCounts: a failed query is never 0 and never silent; unlabelled queries are run, not scored; empty
// gold is excluded; an empty result scores 0.
func TestCounts(t *testing.T) {
	bad := bare("q5", "x", 0)
	bad.Event = assay.EventBadQuery
	set := newSet(t, queries(7), bare("q0", "a", 3), bare("q1", "a", 3), bare("q2", "a", 3), bare("q4", "a", 1), bad, bare("q6", "a", 2))
	s := mustScore(t, set, nil, measures(t, "recall@1", "mrr@10"), score.Options{K: 3},
		assay.Result{Query: "q0", Hits: hits("a", "b", "c")},
		assay.Result{Query: "q1", Hits: []assay.RankedHit{}},
		assay.Result{Query: "q2", Error: &assay.Failure{Kind: assay.KindTimeout, Message: "no answer in 30s"}},
		assay.Result{Query: "q3", Hits: hits("a")},
		assay.Result{Query: "q4", Hits: hits("a", "c")},
		assay.Result{Query: "q5", Hits: hits("a")},
		assay.Result{Query: "gone", Hits: hits("a")},
	)
	want := score.Counts{Queries: 7, Scored: 2, Failed: 1, Unlabelled: 2, NoGold: 1, EmptyResults: 1, BadQuery: 1}
	if diff := cmp.Diff(want, s.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if got := value(t, s, "recall@1"); got != 0.5 {
		t.Errorf("recall@1 %v, want 0.5: of one found and one empty", got)
	}
	var statuses []string
	for _, q := range s.Queries {
		statuses = append(statuses, string(q.Status))
	}
	if got := strings.Join(statuses, " "); got != "scored empty failed unlabelled no_gold bad_query unlabelled" {
		t.Errorf("statuses: %s", got)
	}
	if diff := cmp.Diff([]score.Failures{{Kind: assay.KindTimeout, Count: 1, Query: "q2", Message: "no answer in 30s"}}, s.Failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	for _, code := range []string{"failed_queries", "empty_results", "unlabelled", "no_gold", "bad_queries", "unknown_queries", "not_run", "few_queries"} {
		if _, ok := hasWarning(s, code); !ok {
			t.Errorf("no warning %s among %v", code, s.Warnings)
		}
	}
	if m := s.Metrics(); m["n_queries"] != 2 || m["recall@1"] != 0.5 || len(m) != 3 {
		t.Errorf("metrics %v", m)
	}
}

// TestSelected: a run of some queries is not reproached for the others.
func TestSelected(t *testing.T) {
	set := newSet(t, queries(3), bare("q0", "a", 3), bare("q1", "a", 3), bare("q2", "a", 3))
	for wanted, want := range map[string]string{"q0": "", "q2": "1 labelled query of the test set not run"} {
		s := mustScore(t, set, nil, measures(t, "map"), score.Options{Selected: func(q *assay.Query) bool { return q.ID == wanted }}, assay.Result{Query: "q0", Hits: hits("a")})
		if got, _ := hasWarning(s, "not_run"); got != want {
			t.Errorf("selected %s: %q, want %q", wanted, got, want)
		}
	}
}

// TestRerunReplaces: a query that failed and was tried again counts once, with its last result.
func TestRerunReplaces(t *testing.T) {
	set := newSet(t, queries(1), bare("q0", "a", 3))
	s := mustScore(t, set, nil, measures(t, "recall@1"), score.Options{},
		assay.Result{Query: "q0", Error: &assay.Failure{Kind: assay.KindTimeout}},
		assay.Result{Query: "q0", Hits: hits("a"), Timings: assay.Timings{Total: time.Millisecond}})
	if s.Counts != (score.Counts{Queries: 1, Scored: 1}) || value(t, s, "recall@1") != 1 || len(s.Failures) != 0 || s.Resolved.Matched() != 1 {
		t.Errorf("counts %+v, failures %v, resolved %v", s.Counts, s.Failures, s.Resolved)
	}
}

// TestNothingScored: no mean, no interval, no NaN, and a warning that says why.
func TestNothingScored(t *testing.T) {
	set := newSet(t, queries(1))
	s := mustScore(t, set, nil, measures(t, "recall@1", "map"), score.Options{}, assay.Result{Query: "q0", Hits: hits("a")})
	if text, ok := hasWarning(s, "nothing_scored"); !ok || !strings.Contains(text, "1 without label") {
		t.Errorf("warnings %v", s.Warnings)
	}
	if diff := cmp.Diff(map[string]float64{"n_queries": 0}, s.Metrics()); diff != "" || s.MetricsRaw() != nil || len(s.Intervals()) != 0 {
		t.Errorf("metrics %s, raw %v, intervals %v", diff, s.MetricsRaw(), s.Intervals())
	}
}

func TestStreamErrorEnds(t *testing.T) {
	broken := errors.New("results.jsonl:7: torn")
	_, err := score.Score(newSet(t, queries(1)), func(yield func(assay.Result, error) bool) { yield(assay.Result{}, broken) }, nil, measures(t, "map"), score.Options{})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	_, err = score.Score(newSet(t, queries(1)), stream(), nil, nil, score.Options{})
	if !errors.Is(err, assay.ErrUsage) {
		t.Errorf("no measure: %v", err)
	}
}

// TestCeiling is case C3: one of four relevant passages at rank 1 is recall@1 0.25 and mrr@1 1, and
// recall@1 cannot be more.
func TestCeiling(t *testing.T) {
	set := newSet(t, queries(1), bare("q0", "a", 3), bare("q0", "b", 3), bare("q0", "c", 3), bare("q0", "d", 3))
	s := mustScore(t, set, nil, measures(t, "recall@1", "mrr@1", "recall@10"), score.Options{}, assay.Result{Query: "q0", Hits: hits("a", "x")})
	if r, m := value(t, s, "recall@1"), value(t, s, "mrr@1"); r != 0.25 || m != 1 {
		t.Errorf("recall@1 %v, mrr@1 %v", r, m)
	}
	recall, _ := s.Mean("recall@1")
	mrr, _ := s.Mean("mrr@1")
	ten, _ := s.Mean("recall@10")
	if recall.Ceiling == nil || *recall.Ceiling != 0.25 || mrr.Ceiling != nil || ten.Ceiling != nil {
		t.Errorf("ceilings %v %v %v", recall.Ceiling, mrr.Ceiling, ten.Ceiling)
	}
	if text, ok := hasWarning(s, "recall_ceiling"); !ok || !strings.Contains(text, "recall@1 cannot exceed 0.2500") {
		t.Errorf("warnings %v", s.Warnings)
	}
}

// TestGoldItems: one item is satisfied once, at its best rank; repeats keep their rank with gain 0;
// denominators count items; plain ids are beside it, and the difference is said.
func TestGoldItems(t *testing.T) {
	same := assay.HashText("thirty days")
	twin := func(id string, grade assay.Grade) assay.Label {
		return label("q0", grade, assay.Target{Chunk: id, TextHash: same})
	}
	passages := texts{same: "thirty days"}
	ranking := hits("a1", "a2", "b")
	ranking[0].TextHash, ranking[1].TextHash = same, same
	set := newSet(t, queries(1), twin("a1", 3), twin("a2", 3), bare("q0", "b", 3))
	s := mustScore(t, set, passages, measures(t, "recall@2", "recall@3", "p@3", "ndcg@3"), score.Options{}, assay.Result{Query: "q0", Hits: ranking})
	for name, want := range map[string][2]float64{ // by item, by plain id
		"recall@2": {0.5, 2.0 / 3}, "recall@3": {1, 1}, "p@3": {2.0 / 3, 1},
		"ndcg@3": {(3 + 3/math.Log2(4)) / (3 + 3/math.Log2(3)), 1},
	} {
		raw, _ := s.RawMean(name)
		if got := value(t, s, name); !near(got, want[0]) || !near(raw.Value, want[1]) {
			t.Errorf("%s: %v by item and %v by id, want %v", name, got, raw.Value, want)
		}
	}
	if text, ok := hasWarning(s, "raw_differs"); !ok || !strings.Contains(text, "recall@2 is 0.5000 by text and 0.6667 by plain chunk ids") {
		t.Errorf("warnings %v", s.Warnings)
	}
	if q := s.Queries[0]; q.Gold != 2 || q.Found != 2 || q.First != 1 {
		t.Errorf("gold %d, found %d, first %d", q.Gold, q.Found, q.First)
	}
	// An item covered in part first and in full later is satisfied where it is covered in full.
	target := assay.Target{Document: "d", Start: 100, End: 200}
	set = newSet(t, queries(1), label("q0", 3, target))
	s = mustScore(t, set, nil, measures(t, "mrr@10", "ndcg@10"), score.Options{}, assay.Result{Query: "q0", Hits: []assay.RankedHit{at("x", "d", 0, 150), at("y", "d", 100, 200), at("z", "d", 90, 210)}})
	if m, n := value(t, s, "mrr@10"), value(t, s, "ndcg@10"); m != 0.5 || !near(n, 1/math.Log2(3)) {
		t.Errorf("part, then full: mrr %v, ndcg %v", m, n)
	}
	if s.Raw != nil {
		t.Errorf("labels without ids have no raw score: %v", s.Raw)
	}
}

// TestAuthorityOverText: a person who judged a whole chunk decides over the sentence in it that a query
// was written from, and over an equal text elsewhere.
func TestAuthorityOverText(t *testing.T) {
	synthetic := assay.Label{Query: "q0", Event: assay.EventGrade, Grade: 3, By: assay.BySynthetic,
		Target: assay.Target{Chunk: "c", Document: "d", Version: "v", Start: 10, End: 40, Quote: strings.Repeat("x", 30), TextHash: "sha256:c"}}
	human := func(grade assay.Grade, target assay.Target) assay.Label { return label("q0", grade, target) }
	for _, tc := range []struct {
		name  string
		human assay.Label
		gold  int // relevant items
	}{
		{"the chunk around it is irrelevant", human(0, assay.Target{Chunk: "c2", Document: "d", Version: "v", Start: 0, End: 90}), 0},
		{"the chunk around it is relevant: one item", human(2, assay.Target{Chunk: "c2", Document: "d", Version: "v", Start: 0, End: 90}), 1},
		{"a part of it is irrelevant", human(0, assay.Target{Chunk: "c2", Document: "d", Version: "v", Start: 10, End: 15}), 1},
		{"a chunk that overlaps a little is another item", human(3, assay.Target{Chunk: "c2", Document: "d", Version: "v", Start: 35, End: 90}), 2},
		{"equal text elsewhere is irrelevant", human(0, assay.Target{Chunk: "c3", TextHash: "sha256:c"}), 0},
		{"another version of the document is another text", human(0, assay.Target{Chunk: "c2", Document: "d", Version: "w", Start: 0, End: 90}), 1},
	} {
		set := newSet(t, queries(1), synthetic, tc.human)
		s := mustScore(t, set, nil, measures(t, "recall@1"), score.Options{}, assay.Result{Query: "q0", Hits: hits("none")})
		if got := s.Queries[0].Gold; got != tc.gold {
			t.Errorf("%s: %d relevant items, want %d", tc.name, got, tc.gold)
		}
	}
}

func TestWarnings(t *testing.T) {
	target := assay.Target{Chunk: "a", TextHash: assay.HashText("old")}
	text := func(id, body string) assay.RankedHit { return assay.RankedHit{ID: id, TextHash: assay.HashText(body)} }
	for _, tc := range []struct {
		name   string
		labels []assay.Label
		hits   []assay.RankedHit
		opts   score.Options
		code   string
		want   string
	}{
		{"ids of another corpus", []assay.Label{bare("q0", "doc-1", 3)}, hits("17", "18"), score.Options{}, "id_mismatch", `retrieved "17", "18"; labels name "doc-1"`},
		{"gold not in the index", []assay.Label{bare("q0", "gone", 3)}, hits("a"), score.Options{Index: &index{}}, "gold_not_indexed", `query q0, "gone"`},
		{"short list", []assay.Label{bare("q0", "a", 3)}, hits("a", "b"), score.Options{K: 10}, "short_lists", "1 query got fewer than the 10 hits"},
		{"cutoff beyond k", []assay.Label{bare("q0", "a", 3)}, hits("a", "b", "c"), score.Options{K: 3}, "cutoff_beyond_k", "recall@10, ndcg@10: look below the 3 hits"},
		{"unjudged", []assay.Label{bare("q0", "a", 3)}, hits("a", "b", "c", "d"), score.Options{}, "unjudged", "75.0 % of the top 10 hits"},
		{"sparse labels", []assay.Label{bare("q0", "a", 3)}, hits("a", "b"), score.Options{}, "sparse_labels", "ndcg@10"},
		{"scores out of order", []assay.Label{bare("q0", "a", 3)}, []assay.RankedHit{{ID: "b", Score: 1}, {ID: "a", Score: 2}}, score.Options{}, "order_contradicts_scores", "q0"},
		{"repeated id", []assay.Label{bare("q0", "a", 3)}, hits("a", "a"), score.Options{}, "duplicate_ids", "1 hit taken out"},
		{"text changed under a key", []assay.Label{label("q0", 3, target)}, []assay.RankedHit{text("a", "new")}, score.Options{}, "text_changed", "1 hit had the key"},
		{"two answers in one hit", []assay.Label{label("q0", 3, assay.Target{Document: "d", Start: 0, End: 9}), label("q0", 3, assay.Target{Document: "d", Start: 50, End: 59})},
			[]assay.RankedHit{at("x", "d", 0, 100)}, score.Options{}, "shared_hits", "1 gold item found"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set := newSet(t, queries(1), tc.labels...)
			s := mustScore(t, set, nil, measures(t, "recall@10", "ndcg@10"), tc.opts, assay.Result{Query: "q0", Hits: tc.hits})
			if got, ok := hasWarning(s, tc.code); !ok || !strings.Contains(got, tc.want) {
				t.Errorf("%s: %q, want %q; all: %v", tc.code, got, tc.want, s.Warnings)
			}
		})
	}
}

// TestNoFalseAlarm: 60 queries with two judged answers, all found, in full lists, all in the index.
func TestNoFalseAlarm(t *testing.T) {
	var labels []assay.Label
	var results []assay.Result
	corpus := &index{chunks: map[string]assay.Chunk{}}
	for i := range 60 {
		q, a, b := fmt.Sprint("q", i), fmt.Sprint("a", i), fmt.Sprint("b", i)
		labels = append(labels, bare(q, a, 3), bare(q, b, 0))
		ids := []string{a, b}
		if i%3 == 0 {
			ids = []string{b, a}
		}
		results = append(results, assay.Result{Query: q, Hits: hits(ids...)})
		corpus.chunks[a], corpus.chunks[b] = assay.Chunk{ID: a}, assay.Chunk{ID: b}
	}
	s := mustScore(t, newSet(t, queries(60), labels...), nil, measures(t, "recall@2", "mrr@2"), score.Options{K: 2, Index: corpus}, results...)
	for _, w := range s.Warnings {
		if w.Code != "degenerate" { // recall@2 is 1 throughout, which its interval says of itself
			t.Errorf("unexpected warning %s: %s", w.Code, w.Text)
		}
	}
}

// TestIntervals: Wilson's where all scores are 0 or 1 (40 of 60, by Wilson's formula in Python with z from
// statistics.NormalDist), BCa else, and queries of one document together.
func TestIntervals(t *testing.T) {
	qs := queries(60)
	var labels []assay.Label
	var results []assay.Result
	for i := range qs {
		qs[i].Origin = &assay.Origin{Method: "llm", Document: fmt.Sprint("d", i)}
		labels = append(labels, bare(qs[i].ID, "a", 3))
		ids := []string{"a", "b"}
		if i%3 == 0 {
			ids = []string{"b", "a"}
		}
		results = append(results, assay.Result{Query: qs[i].ID, Hits: hits(ids...)})
	}
	ms := measures(t, "recall@1", "mrr@10")
	s := mustScore(t, newSet(t, qs, labels...), nil, ms, score.Options{}, results...)
	recall, _ := s.Mean("recall@1")
	if recall.Summary.Method != stats.MethodWilson || math.Abs(recall.Summary.Lo-0.5405686645) > 1e-9 || math.Abs(recall.Summary.Hi-0.7727073847) > 1e-9 {
		t.Errorf("recall@1 %v %v", recall.Summary.Method, recall.Summary.Interval)
	}
	mrr, _ := s.Mean("mrr@10")
	if mrr.Summary.Method != stats.MethodBCa || !mrr.Summary.Contains(mrr.Value) || mrr.Summary.Units != 60 {
		t.Errorf("mrr@10 %+v", mrr.Summary)
	}
	alone := mrr.Summary.Width()
	for i := range qs { // the same queries from three documents
		qs[i].Origin.Document = fmt.Sprint("d", i%3)
	}
	s = mustScore(t, newSet(t, qs, labels...), nil, ms, score.Options{}, results...)
	mrr, _ = s.Mean("mrr@10")
	if mrr.Summary.Units != 3 || mrr.Summary.Width() <= alone {
		t.Errorf("clusters: %d units, width %v, alone %v", mrr.Summary.Units, mrr.Summary.Width(), alone)
	}
	// Traffic weights: the mean that counts and the plain one are both there.
	for i := range qs {
		qs[i].Origin, qs[i].Weight = nil, 1
		if i%3 == 0 {
			qs[i].Weight = 4
		}
	}
	s = mustScore(t, newSet(t, qs, labels...), nil, ms, score.Options{}, results...)
	recall, _ = s.Mean("recall@1")
	if !near(recall.Value, 40.0/120) || recall.Unweighted == nil || !near(*recall.Unweighted, 40.0/60) {
		t.Errorf("weighted %v, plain %v", recall.Value, recall.Unweighted)
	}
}

func TestTimings(t *testing.T) {
	set := newSet(t, queries(200))
	var results []assay.Result
	for i := range 100 {
		ms := time.Duration(i+1) * time.Millisecond
		results = append(results, assay.Result{Query: fmt.Sprint("q", i), Hits: hits("a"), Timings: assay.Timings{Search: ms, Total: 2 * ms}},
			assay.Result{Query: fmt.Sprint("q", 100+i), Error: &assay.Failure{Kind: assay.KindTimeout}, Timings: assay.Timings{Total: time.Hour}})
	}
	s := mustScore(t, set, nil, measures(t, "map"), score.Options{}, results...)
	// numpy.percentile(range(1, 101), [50, 95, 99]), and twice that.
	want := []score.Latency{{Stage: "search", N: 100, P50: 50.5, P95: 95.05, P99: 99.01, Max: 100}, {Stage: "total", N: 100, P50: 101, P95: 190.1, P99: 198.02, Max: 200}}
	if diff := cmp.Diff(want, s.Timings); diff != "" {
		t.Errorf("timings (-want +got):\n%s", diff)
	}
}

// TestQueryLine: what a line of scores.jsonl looks like.
func TestQueryLine(t *testing.T) {
	set := newSet(t, queries(2), bare("q0", "a", 3))
	var lines []string
	opts := score.Options{Each: func(q score.Query) error {
		line, err := json.Marshal(q)
		lines = append(lines, string(line))
		return err
	}}
	mustScore(t, set, nil, measures(t, "recall@1", "span_recall"), opts, assay.Result{Query: "q0", Hits: hits("b", "a")},
		assay.Result{Query: "q1", Error: &assay.Failure{Kind: assay.KindTimeout, Message: "late"}})
	want := []string{
		`{"query":"q0","status":"scored","scores":{"recall@1":0},"scores_raw":{"recall@1":0},"gold":1,"found":1,"first_rank":2,"hits":2,"resolved":{"unresolved":1,"key":1}}`,
		`{"query":"q1","status":"failed","error":{"kind":"timeout","message":"late"},"gold":0,"found":0,"hits":0,"resolved":{}}`,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDigest: rankings of equal ids in equal order have one digest, others another; a failed query has none, and its time is not known.
func TestDigest(t *testing.T) {
	set := newSet(t, queries(6), bare("q0", "a", 3))
	other := hits("a", "b")
	other[0].Score, other[1].Score = 9, 0.1
	s := mustScore(t, set, nil, measures(t, "map"), score.Options{}, assay.Result{Query: "q0", Hits: hits("a", "b"), Timings: assay.Timings{Total: time.Second}},
		assay.Result{Query: "q1", Hits: other}, assay.Result{Query: "q2", Hits: hits("b", "a")}, assay.Result{Query: "q3", Hits: hits("ab")}, assay.Result{Query: "q4", Hits: hits("a", "c")},
		assay.Result{Query: "q5", Error: &assay.Failure{Kind: assay.KindTimeout}, Timings: assay.Timings{Total: time.Hour}})
	q := s.Queries
	if q[0].Digest() != q[1].Digest() {
		t.Error("scores show in the digest")
	}
	seen := map[[16]byte]bool{{}: true}
	for i := 1; i < 5; i++ {
		if seen[q[i].Digest()] {
			t.Errorf("the digest of %s is that of another ranking", q[i].ID)
		}
		seen[q[i].Digest()] = true
	}
	if q[5].Digest() != [16]byte{} || q[0].Timings().Total != time.Second || q[5].Timings().Total != 0 {
		t.Errorf("%v %v %v", q[5].Digest(), q[0].Timings(), q[5].Timings())
	}
}
