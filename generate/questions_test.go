package generate_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

type listed struct {
	Source string `json:"source"`
	Kind   string `json:"kind"`
	Text   string `json:"text"`
}

type passage struct {
	ID   string `json:"id"`
	Set  string `json:"set"`
	Lang string `json:"lang"`
	Text string `json:"text"`
}

func lines[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/questions", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%s: %v: %s", name, err, line)
		}
		out = append(out, v)
	}
	return out
}

// TestQuestions holds the filters that need no model to a list of 100 bad questions and 100 good ones, in
// English and German: at least 90 % of the bad are refused, at most 5 % of the good. The held-out half was
// written before the filters, and its mistakes are counted here and not shown, so that nobody tunes on them.
func TestQuestions(t *testing.T) {
	sources := map[string]assay.Chunk{}
	for _, p := range lines[passage](t, "passages.jsonl") {
		sources[p.ID] = assay.Chunk{ID: p.ID, Text: p.Text}
		if got := generate.Language(p.Text); got != p.Lang {
			t.Errorf("passage %s is written in %q, want %q", p.ID, got, p.Lang)
		}
	}
	bad, refused, good, lost := 0, 0, 0, 0
	for _, half := range []string{"tuning", "heldout"} {
		var b, r, g, l int
		kinds := map[string][2]int{}
		for _, q := range lines[listed](t, half+".jsonl") {
			rule, why := judge(t, sources[q.Source], q.Text)
			n := kinds[q.Kind]
			n[1]++
			if rule != "" {
				n[0]++
			}
			kinds[q.Kind] = n
			if q.Kind == "good" {
				g++
				if rule != "" {
					l++
				}
			} else {
				b++
				if rule != "" {
					r++
				}
			}
			if wrong := (q.Kind == "good") != (rule == ""); wrong && half == "tuning" {
				t.Logf("%s: %q: %s %s", q.Kind, q.Text, rule, why)
			}
		}
		t.Logf("%s: %d of %d bad refused, %d of %d good; refused of each kind: %v", half, r, b, l, g, kinds)
		if b != 50 || g != 50 || 10*r < 9*b || 20*l > g {
			t.Errorf("%s: %d of %d bad refused, %d of %d good lost", half, r, b, l, g)
		}
		bad, refused, good, lost = bad+b, refused+r, good+g, lost+l
	}
	t.Logf("in all: %d of %d bad refused, %d of %d good", refused, bad, lost, good)
}

// judge takes a question through the rules and says which refuses it.
func judge(t *testing.T, source assay.Chunk, question string) (rule, why string) {
	t.Helper()
	c := generate.Candidate{Chunk: source, Question: question}
	for _, r := range generate.QuestionRules() {
		why, err := r.Check(context.Background(), &c)
		if err != nil {
			t.Fatal(err)
		}
		if why != "" {
			return r.Name, why
		}
	}
	return "", ""
}
