package report

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// sides are two runs of a system with a foreign name over queries, chunks and tags that are foreign, too. The second lost what
// the first found on every third query.
func sides(foreign string) []compare.Side {
	var out []compare.Side
	for n, name := range []string{"old", foreign} {
		s := compare.Side{SideInfo: compare.SideInfo{Name: name, Ref: foreign, System: foreign, Run: name, Finished: true,
			Fingerprint: ledger.Fingerprint{"system.retriever.note": name, "system.k": "10"}}}
		for i := range 60 {
			v := float64(i%2) / 2
			if n == 1 && i%3 == 0 {
				v = 0
			} else if n == 0 && i%3 == 0 {
				v = 1
			}
			s.Queries = append(s.Queries, compare.Query{ID: "q" + string(rune('A'+i)), Outcome: measure.Scored, Values: []float64{v, v / 2}})
		}
		s.Counts = compare.Counts{Queries: 60, Scored: 60}
		s.Explain = func(queries []string) (map[string]compare.Ranking, error) {
			out := map[string]compare.Ranking{}
			for _, q := range queries {
				out[q] = compare.Ranking{Hits: []compare.Hit{{ID: foreign, Document: foreign, Text: foreign, Judged: true, Grade: 3}, {ID: "x", Text: foreign}}, Missed: []string{foreign}}
			}
			return out, nil
		}
		out = append(out, s)
	}
	return out
}

// about is what the test set says of the queries.
func about(foreign string) (query func(string) (assay.Query, bool), gold func(string) []string) {
	return func(id string) (assay.Query, bool) {
			return assay.Query{ID: id, Text: foreign, Tags: []string{foreign}}, true
		},
		func(string) []string { return []string{foreign} }
}

// comparison is the model of two such runs.
func comparison(t *testing.T, foreign string) *Model {
	t.Helper()
	in := compare.Input{Measures: []measure.Measure{measure.MustParse("recall@10"), measure.MustParse("mrr@10")}, Sides: sides(foreign),
		Options: compare.Options{Stats: stats.Options{Flips: 500, Draws: 200}},
		Strata: func(queries []assay.Query) []compare.Layer {
			var ids []string
			for _, q := range queries[:20] {
				ids = append(ids, q.ID)
			}
			return []compare.Layer{{Facet: "tag", Value: foreign, Queries: ids}}
		}}
	in.Query, in.Gold = about(foreign)
	res, err := compare.Run(in)
	if err != nil {
		t.Fatal(err)
	}
	return Comparison(res)
}

// verdict is the model of a gate that such a run fails.
func verdict(t *testing.T, foreign string) (*Model, *gate.Verdict) {
	t.Helper()
	rules, err := gate.ParseAll([]gate.Line{{Text: "recall@10 drop < 0.02", Where: foreign + ":7"}, {Text: "mrr@10 >= 0.1"}, {Text: "rerank_p50_ms < 3"}})
	if err != nil {
		t.Fatal(err)
	}
	s := sides(foreign)
	in := gate.Input{Rules: rules[:2], Measures: []measure.Measure{rules[0].Measure, rules[1].Measure}, Candidate: s[1], Baseline: &s[0], Stats: stats.Options{Flips: 500, Draws: 200}}
	in.Query, in.Gold = about(foreign)
	v, err := gate.Evaluate(in)
	if err != nil {
		t.Fatal(err)
	}
	return Gate(v), v
}

// TestComparisonsTakeNoTextForMarkup is case C20 for comparisons and verdicts: names, queries, chunks and fingerprints.
func TestComparisonsTakeNoTextForMarkup(t *testing.T) {
	page, err := ForFile("x.html")
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]func(string) *Model{
		"comparison": func(s string) *Model { return comparison(t, s) },
		"gate":       func(s string) *Model { m, _ := verdict(t, s); return m },
	}
	for name, model := range models {
		want, _ := skeleton(t, render(t, page, model("word")))
		for _, s := range hostile {
			got, text := skeleton(t, render(t, page, model(s)))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %q changes the page (-want +got):\n%s", name, s, diff)
			}
			if n := strings.Count(squeeze(text), squeeze(term.Printable(s))); n < 10 {
				t.Errorf("%s: %q is found as text %d times only", name, s, n)
			}
			if out, rest := onTerminal(t, model(s), true); strings.ContainsAny(out+rest, "\x1b\u202e\r") {
				t.Errorf("%s: %q reaches the terminal", name, s)
			}
		}
	}
}

// TestComparisonAsCSV has a row for each query, with the values of both sides in full.
func TestComparisonAsCSV(t *testing.T) {
	f, err := ForFile("x.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(render(t, f, comparison(t, "new")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"query", "text", "recall@10 old", "recall@10 new", "mrr@10 old", "mrr@10 new"}, rows[0]); diff != "" || len(rows) != 61 {
		t.Errorf("%d rows, header %s", len(rows), diff)
	}
	if diff := cmp.Diff([]string{"qA", "new", "1", "0", "0.5", "0"}, rows[1]); diff != "" {
		t.Error(diff)
	}
}

// TestComparisonAsJSON is the result itself, without a number that JSON does not have.
func TestComparisonAsJSON(t *testing.T) {
	f, err := ForFile("x.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Schema string
		Pairs  []struct{ Measures []struct{ Finding string } }
	}
	if err := json.Unmarshal([]byte(render(t, f, comparison(t, hostile[0]))), &doc); err != nil || doc.Schema != compare.Schema || doc.Pairs[0].Measures[0].Finding != "worse" {
		t.Errorf("%+v, %v", doc, err)
	}
}

// TestVerdictFitsAComment: a forge takes comments of 65,536 characters.
func TestVerdictFitsAComment(t *testing.T) {
	m, v := verdict(t, strings.Repeat("a long text ", 30))
	if v.Outcome != gate.Regression || len(v.Moves) != 10 {
		t.Fatalf("%s, %d moves", v.Outcome, len(v.Moves))
	}
	f, err := ForFile("x.md")
	if err != nil {
		t.Fatal(err)
	}
	text := render(t, f, m)
	if len(text) > 65_536 {
		t.Errorf("%d bytes", len(text))
	}
	for _, want := range []string{"**regression**", "recall@10 drop < 0.02", "Queries that lost most"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
