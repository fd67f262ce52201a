package generate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

// reader is a model that reads: it answers a question from a text that holds the answer, and says so when it
// does not. knows are the questions that it answers without a text; odd are replies to prompts that hold a
// mark. What a real model makes of such prompts is in docs/queries.md.
type reader struct {
	answers map[string]string // part of a text → what it answers
	knows   map[string]string // question → answer
	odd     map[string]string // part of the prompt → reply
	calls   int
}

func (r *reader) Chat(_ context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	r.calls++
	prompt := req.Messages[0].Text
	if req.MaxTokens == 0 || len(req.Schema) == 0 || req.Temperature != 0 {
		return assay.ChatReply{}, fmt.Errorf("a check must be bounded, bound to a schema and cold: %+v", req)
	}
	for mark, text := range r.odd {
		if strings.Contains(prompt, mark) {
			if kind, ok := strings.CutPrefix(text, "error "); ok {
				return assay.ChatReply{}, assay.Errorf(assay.Kind(kind), "chat", "host", "as told")
			}
			return assay.ChatReply{Text: text}, nil
		}
	}
	say := func(found bool, answer string) (assay.ChatReply, error) {
		text, err := json.Marshal(map[string]any{"found": found, "answer": answer})
		return assay.ChatReply{Text: string(text)}, err
	}
	switch {
	case strings.Contains(prompt, "types this into a search box"):
		return say(!strings.Contains(prompt, "that thing"), "")
	case strings.Contains(prompt, "from what you know"):
		for q, a := range r.knows {
			if strings.Contains(prompt, q) {
				return say(true, a)
			}
		}
		return say(false, "")
	}
	for part, a := range r.answers {
		if strings.Contains(prompt, part) {
			return say(true, a)
		}
	}
	return say(false, "")
}

// shelf is a retriever that returns texts, whatever it is asked, and notes the filter.
type shelf struct {
	texts  []string
	filter *assay.Filter
}

func (s *shelf) Search(_ context.Context, req assay.Request) (assay.Response, error) {
	s.filter = req.Filter
	var out assay.Response
	for i, t := range s.texts[:min(req.K, len(s.texts))] {
		out.Hits = append(out.Hits, assay.Hit{ID: fmt.Sprintf("%s-%d", t[:4], i), Text: t, Score: float64(-i)})
	}
	return out, nil
}

func fill(n int, text string) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%s number %d on the shelf.", text, i))
	}
	return out
}

func TestChecks(t *testing.T) {
	const question = "How long is a backup there?"
	kept := map[string]string{"Backups are kept": "for 30 days"}
	for _, tc := range []struct {
		name     string
		reader   reader
		question string
		other    string
		shelves  [][]string
		plan     generate.Plan
		rule     string // that refuses it
		tags     []string
	}{
		{name: "good", reader: reader{answers: kept}, shelves: [][]string{fill(30, "nothing"), {backup.Text}}},
		{name: "unclear", question: "How long is that thing there?", reader: reader{answers: kept}, rule: "standalone"},
		{name: "no answer in the evidence", reader: reader{}, rule: "answerable"},
		{name: "read in two ways", reader: reader{answers: kept, odd: map[string]string{"claims that the following": `{"found":true,"answer":"a year"}`}}, rule: "answerable"},
		{name: "only one prompt finds it", reader: reader{answers: kept, odd: map[string]string{"claims that the following": `{"found":false,"answer":""}`}}, rule: "answerable"},
		{name: "any passage answers", reader: reader{answers: map[string]string{"Backups are kept": "30 days", "elephants": "30 days"}}, other: "All about elephants.", rule: "answerable"},
		{name: "a passage drawn at random does not", reader: reader{answers: kept}, other: "All about elephants."},
		{name: "known by heart", reader: reader{answers: kept, knows: map[string]string{question: "30 days, I think"}}, tags: []string{assay.TagParametric}},
		{name: "known wrongly", reader: reader{answers: kept, knows: map[string]string{question: "a year"}}},
		{name: "not found", reader: reader{answers: kept}, shelves: [][]string{fill(200, "nothing")}, tags: []string{assay.TagNotFound}},
		{name: "found at rank 100", reader: reader{answers: kept}, shelves: [][]string{append(fill(99, "nothing"), backup.Text)}},
		{name: "found at rank 101", reader: reader{answers: kept}, shelves: [][]string{append(fill(100, "nothing"), backup.Text)}, tags: []string{assay.TagNotFound}},
		{name: "found by the second", reader: reader{answers: kept}, shelves: [][]string{fill(3, "nothing"), {"More. Backups are kept for 30 days. And more."}}},
		{name: "broad", reader: reader{answers: map[string]string{"Backups are kept": "30 days", "Spare": "30 days"}},
			shelves: [][]string{fill(5, "Spare"), {backup.Text}}, tags: []string{assay.TagBroad}},
		{name: "answered five times is not broad", reader: reader{answers: map[string]string{"Backups are kept": "30 days", "Spare": "30 days"}},
			shelves: [][]string{fill(4, "Spare"), {backup.Text}}},
		{name: "conflict", reader: reader{answers: map[string]string{"Backups are kept": "30 days", "Spare": "90 days"}},
			shelves: [][]string{fill(1, "Spare"), {backup.Text}}, tags: []string{assay.TagConflict}},
		{name: "unusable replies are neither yes nor no", reader: reader{answers: kept, odd: map[string]string{"search box": "well", "from what you know": "error truncated"}},
			tags: []string{generate.TagUnchecked, generate.TagUnchecked}},
		{name: "unusable answers refuse", reader: reader{answers: kept, odd: map[string]string{"claims that the following": "error malformed"}}, rule: "answerable"},
		{name: "to have no answer, and has one", plan: generate.Plan{Unanswerable: true}, reader: reader{answers: kept}, shelves: [][]string{fill(3, "nothing"), {backup.Text}}, rule: "no-answer"},
		{name: "to have no answer, and has none", plan: generate.Plan{Unanswerable: true}, reader: reader{}, shelves: [][]string{fill(3, "nothing"), {backup.Text}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			k := &generate.Checks{Chat: &tc.reader, Other: func(*generate.Candidate) string { return tc.other }}
			for i, s := range tc.shelves {
				k.Retrievers = append(k.Retrievers, generate.Named{Name: fmt.Sprint(i), Retriever: &shelf{texts: s}})
			}
			c := generate.Candidate{Chunk: backup, Question: question, Quote: "Backups are kept for 30 days.", Plan: tc.plan}
			if tc.question != "" {
				c.Question = tc.question
			}
			rule := ""
			for _, r := range k.Rules() {
				why, err := r.Check(t.Context(), &c)
				if err != nil {
					t.Fatal(err)
				}
				if why != "" {
					rule = r.Name
					break
				}
			}
			if rule != tc.rule || rule == "" && !slices.Equal(c.Tags, tc.tags) {
				t.Errorf("rule %q, tags %q; want %q, %q", rule, c.Tags, tc.rule, tc.tags)
			}
		})
	}
}

// TestChecksFoldNearDuplicates: of passages that say the same the model reads one, whoever found them, so that copies make no
// question broad, nor an older wording of its source a conflict. One that only contains another is read.
func TestChecksFoldNearDuplicates(t *testing.T) {
	long := "The archive in the cellar holds what was written before the move, ordered by year and by the hand that wrote it, " +
		"and whoever wants to see a page of it asks the keeper on a weekday morning, since the lamp is out in the afternoon; "
	blank := "In the drawer under the window lie sheets without a word on them, sorted by size and by how white they still are, and who " +
		"needs one takes it from the front and writes a line into the book beside it, so that the drawer is filled again before it is empty; "
	spare := func(i int) string { return blank + fmt.Sprintf("spare pages are kept for 30 days (copy %d).", i) }
	source := backup
	source.Text = "Backups are kept for 30 days. " + long
	older := "Backups were held for a year. " + long
	for _, tc := range []struct {
		name    string
		shelves [][]string
		reads   int // passages put to the model
		tags    []string
	}{
		{"six copies", [][]string{{spare(1), spare(2), spare(3)}, {spare(4), spare(5), spare(6), spare(1)}}, 1, nil},
		{"six passages", [][]string{fill(3, "Spare pages are there"), fill(3, "Sparse pages are there")}, 6, []string{assay.TagBroad}},
		{"one inside another", [][]string{{spare(1)}, {spare(1) + " " + long}}, 2, nil},
		{"the source in older words", [][]string{{older}, {older + "!"}}, 0, nil},
		{"the source in a page", [][]string{{older + strings.Repeat("And then nothing else was said of it. ", 12) + strings.ToUpper(long)}, {"none"}}, 2, []string{assay.TagConflict}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			model := &reader{answers: map[string]string{"are kept for 30 days": "30 days", "pages are there": "30 days", "held for a year": "a year"}}
			k := &generate.Checks{Chat: model}
			for i, s := range tc.shelves {
				k.Retrievers = append(k.Retrievers, generate.Named{Name: fmt.Sprint(i), Retriever: &shelf{texts: s}})
			}
			c := generate.Candidate{Chunk: source, Question: "How long is a backup there?", Quote: "Backups are kept for 30 days."}
			for _, r := range k.Rules() {
				switch r.Name {
				case "answerable": // gives the source's own answer, which the others are held against
				case "ambiguity":
					model.calls = 0
				default:
					continue
				}
				if why, err := r.Check(t.Context(), &c); err != nil || why != "" {
					t.Fatalf("%s: %q, %v", r.Name, why, err)
				}
			}
			if model.calls != tc.reads || !slices.Equal(c.Tags, tc.tags) {
				t.Errorf("%d passages read, tags %q; want %d, %q", model.calls, c.Tags, tc.reads, tc.tags)
			}
		})
	}
}

// TestChecksSendTheFilter: a query with a filter is looked up with it.
func TestChecksSendTheFilter(t *testing.T) {
	s := &shelf{texts: []string{backup.Text}}
	f := &assay.Filter{Field: "lang", Eq: "de"}
	k := &generate.Checks{Chat: &reader{}, Retrievers: []generate.Named{{Name: "shelf", Retriever: s}}}
	c := generate.Candidate{Chunk: backup, Question: "How long?", Plan: generate.Plan{Filter: f}}
	for _, r := range k.Rules() {
		if r.Name == "round-trip" {
			if _, err := r.Check(t.Context(), &c); err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff(f, s.filter); diff != "" {
		t.Error(diff)
	}
}

// TestCheckThatCannotBeMadeEndsTheGeneration: a server that is gone is no verdict on a question.
func TestCheckThatCannotBeMadeEndsTheGeneration(t *testing.T) {
	for _, kind := range []assay.Kind{assay.KindUnavailable, assay.KindRefused} {
		k := &generate.Checks{Chat: &reader{odd: map[string]string{"": "error " + string(kind)}}}
		for _, r := range k.Rules() {
			c := generate.Candidate{Chunk: backup, Question: "How long?", Quote: "Backups are kept for 30 days."}
			why, err := r.Check(t.Context(), &c)
			if r.Name == "closed-book" {
				continue // has nothing to compare with
			}
			if assay.KindOf(err) != kind || why != "" || len(c.Tags) > 0 {
				t.Errorf("%s: %q, %v, %q", r.Name, why, err, c.Tags)
			}
		}
	}
}
