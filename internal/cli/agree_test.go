//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
)

// judged makes a project of forty queries with two passages each, run, and with a label of a judge on every passage: the first
// of each query is relevant to it.
func judged(t *testing.T) *folder {
	f := newFolder(t)
	f.write("assay.yaml", `corpus: {path: docs.jsonl}
systems: {lexical: {retriever: {kind: bm25}, k: 2}}
measures: [recall@2, p@2]
gate: {rules: ["recall@2 >= 0.1"]}
`)
	var docs, topics strings.Builder
	for i := range 40 {
		for _, side := range []string{"yes", "no"} {
			fmt.Fprintf(&docs, `{"id":"%[1]s%[2]d","text":"Word%[2]d stands here %[3]s, and %[1]s is said of it in the %[2]dth place."}`+"\n", side, i, strings.Repeat("very ", i%7))
		}
		fmt.Fprintf(&topics, "q%d\tword%d\n", i, i)
	}
	f.write("docs.jsonl", docs.String())
	f.write("topics.tsv", topics.String())
	f.run(exitOK, "import", "topics.tsv")
	f.run(exitOK, "run")
	f.grade(assay.ByJudge, "model/umbrela-1234", 40, func(_ int, yes bool) int {
		if yes {
			return 3
		}
		return 0
	})
	return f
}

// grade appends labels on both passages of the first n queries.
func (f *folder) grade(by assay.Rater, who string, n int, grade func(i int, yes bool) int) {
	f.Helper()
	var lines strings.Builder
	for i := range n {
		for _, side := range []string{"yes", "no"} {
			data, err := json.Marshal(assay.Label{Query: fmt.Sprint("q", i), Target: assay.Target{Chunk: fmt.Sprint(side, i)}, Event: assay.EventGrade,
				Grade: grade(i, side == "yes"), By: by, Who: who})
			if err != nil {
				f.Fatal(err)
			}
			lines.Write(append(data, '\n'))
		}
	}
	f.write("testset/labels.jsonl", f.read("testset/labels.jsonl")+lines.String())
}

// A judge decides nothing until it was measured: every number says so, the gate does not pass, however lenient, and both end
// when people agree with it. People who do not agree bring the doubt back.
func TestJudgeIsMeasuredFirst(t *testing.T) {
	f := judged(t)
	doubtful := func(when string, want bool) {
		t.Helper()
		p := f.run(exitOK, "report", "last")
		rows := 0
		for line := range strings.Lines(p.out.String()) {
			if strings.HasSuffix(line, "\tuncalibrated judge\n") && (strings.HasPrefix(line, "recall@2\t") || strings.HasPrefix(line, "p@2\t")) {
				rows++
			}
		}
		if want != (rows == 2) || want != strings.Contains(p.err.String(), "which is not calibrated") {
			t.Errorf("%s: %d of 2 numbers carry the doubt\n%s%s", when, rows, &p.out, &p.err)
		}
		code := exitOK
		if want {
			code = exitStale
		}
		for _, args := range [][]string{{"gate"}, {"gate", "--lenient"}} {
			if p := f.run(code, args...); want != strings.Contains(p.out.String()+p.err.String(), "not calibrated") {
				t.Errorf("%s: %v says\n%s%s", when, args, &p.out, &p.err)
			}
		}
	}
	doubtful("nobody looked", true)

	f.grade(assay.ByHuman, "ann", 20, func(i int, yes bool) int {
		if yes && i != 7 {
			return 2
		}
		return 0
	})
	doubtful("people graded, and nobody compared", true)
	p := f.run(exitOK, "agree")
	for _, want := range []string{"model/umbrela-1234\tjudge\t80\t40\t0\t0\t40\t1.50", "(people) – model/umbrela-1234\t40\t", "0\t20\t0\t0\t1", "2\t0\t0\t0\t19"} {
		if !strings.Contains(p.out.String(), want) {
			t.Errorf("agree does not print %q:\n%s", want, &p.out)
		}
	}
	doubtful("measured, and good", false)

	// The card is written once for the labels it is about, and holds what was printed.
	f.run(exitOK, "agree")
	cards := records[label.Card](f, "testset/judge_cards.jsonl")
	if len(cards) != 1 || cards[0].Human == nil || cards[0].Human.Items != 40 || *cards[0].Human.Binary.Value < 0.9 {
		t.Errorf("cards: %+v", cards)
	}

	before := f.read("testset/labels.jsonl")
	f.write("testset/labels.jsonl", strings.ReplaceAll(before, `"who":"ann"`, `"who":"dee"`)) // the same grades, and not by whom the card is about
	doubtful("the labels of the card are gone", true)
	f.write("testset/labels.jsonl", before)
	doubtful("they are back", false)
	var judges strings.Builder
	for line := range strings.Lines(before) {
		if !strings.Contains(line, `"who":"ann"`) {
			judges.WriteString(line)
		}
	}
	f.write("testset/labels.jsonl", judges.String())
	doubtful("people took everything back", true)
	f.run(exitOK, "agree")
	doubtful("and it was compared again", true)
	if cards := records[label.Card](f, "testset/judge_cards.jsonl"); len(cards) != 2 || cards[1].Human != nil {
		t.Errorf("cards after everything was taken back: %+v", cards)
	}
	f.write("testset/labels.jsonl", before)
	f.run(exitOK, "agree")
	doubtful("said again, and compared", false)

	f.grade(assay.ByHuman, "bob", 20, func(int, bool) int { return 0 })
	f.grade(assay.ByHuman, "cy", 20, func(i int, _ bool) int { return 0 })
	p = f.run(exitOK, "agree")
	if !strings.Contains(p.err.String(), "under judge.min_kappa 0.40") || !strings.Contains(p.out.String(), "alpha of all people") {
		t.Errorf("agree says\n%s%s", &p.out, &p.err)
	}
	doubtful("people changed their minds", true)
}

// With people on a part of the queries and a judge on all, the means stand side by side.
func TestMeansByPeopleAndJudge(t *testing.T) {
	f := judged(t)
	f.grade(assay.ByHuman, "ann", 25, func(i int, yes bool) int { return 3 * (b2i(yes) | i%2) })
	var doc struct {
		Means []struct {
			Measure                    string
			Humans, ByJudge, JudgeOnly int `json:"-"`
			H                          int `json:"humans"`
			J                          int `json:"judge_only"`
			Judged                     struct{ Mean float64 }
			PPI                        *struct {
				Mean  float64
				Human struct{ Mean float64 } `json:"human_only"`
				Bias  float64                `json:"judge_bias"`
			}
		}
	}
	p := f.run(exitOK, "agree", "--json")
	if err := json.Unmarshal(p.out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Means) != 2 {
		t.Fatalf("means: %s", &p.out)
	}
	// p@2 by people: 1 of 2 for 13 even queries, 2 of 2 for 12 odd ones; the judge finds 1 of 2 everywhere.
	m := doc.Means[1]
	if m.Measure != "p@2" || m.H != 25 || m.J != 15 || m.Judged.Mean != 0.5 || m.PPI == nil || m.PPI.Human.Mean < 0.739 || m.PPI.Human.Mean > 0.741 || m.PPI.Bias > -0.239 || m.PPI.Bias < -0.241 {
		t.Errorf("%+v %+v", m, m.PPI)
	}
}

// A judge that agrees with people everywhere adds no bias, also where a fifth of the queries has nothing relevant: those of people are
// in no mean, and neither are those of the judge.
func TestMeansWithQueriesWithoutGold(t *testing.T) {
	f := judged(t)
	grade := func(i int, yes bool) int { return 3 * b2i(i%5 != 0) * (b2i(yes) | i%2) }
	f.grade(assay.ByJudge, "model/umbrela-1234", 40, grade)
	f.grade(assay.ByHuman, "ann", 25, grade)
	var doc struct {
		Means []struct {
			Measure string
			Humans  int `json:"humans"`
			None    int `json:"human_none"`
			Only    int `json:"judge_only"`
			PPI     *struct{ Mean, Lambda float64 }
		}
	}
	p := f.run(exitOK, "agree", "--json")
	if err := json.Unmarshal(p.out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	// p@2 is 1 of 2 for even queries and 2 of 2 for odd ones, as many of one as of the other in both parts.
	m := doc.Means[1]
	if m.Measure != "p@2" || m.Humans != 20 || m.None != 5 || m.Only != 15 || m.PPI == nil || math.Abs(m.PPI.Mean-0.75) > 1e-9 || m.PPI.Lambda < 0.3 {
		t.Errorf("%+v %+v", m, m.PPI)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// C20: foreign text reaches the terminal as text, and the files as it was.
func TestAgreeForeignText(t *testing.T) {
	f := judged(t)
	evil := "<img src=x onerror=alert(1)>\x1b[2J\u202e"
	f.grade(assay.ByHuman, evil, 5, func(_ int, yes bool) int { return 3 * b2i(yes) })
	f.grade(assay.ByJudge, evil, 5, func(_ int, yes bool) int { return 3 * b2i(yes) })
	p := f.run(exitOK, "agree", "--next", "3")
	if text := p.out.String() + p.err.String(); strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, "<img src=x onerror=alert(1)>") {
		t.Errorf("%q", text)
	}
	if !strings.Contains(f.read("testset/judge_cards.jsonl"), `<img src=x onerror=alert(1)>\u001b[2J`) && !strings.Contains(f.read("testset/judge_cards.jsonl"), `\u003cimg src=x onerror=alert(1)\u003e\u001b[2J`) {
		t.Errorf("the card: %s", f.read("testset/judge_cards.jsonl"))
	}
}
