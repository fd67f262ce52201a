package generate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

// TestForm holds written queries to the form that was asked for.
func TestForm(t *testing.T) {
	for _, tc := range []struct {
		style        generate.Style
		length, text string
		ok           bool
	}{
		{generate.StyleQuestion, "", "How long are backups kept?", true},
		{generate.StyleQuestion, "", "how long are backups kept", true},
		{generate.StyleQuestion, "", "backups thirty days", false},
		{generate.StyleKeywords, "", "backup retention days", true},
		{generate.StyleKeywords, "", "backup retention days?", false},
		{generate.StyleKeywords, "", "how long backup kept", false},
		{generate.StyleKeywords, "", "one two three four five six seven eight nine", false},
		{generate.StyleHowTo, "", "How do I restore a backup?", true},
		{generate.StyleHowTo, "", "how to restore a backup", true},
		{generate.StyleHowTo, "", "How long are backups kept?", false},
		{generate.StyleHowTo, "", "Wie kann ich eine Sicherung einspielen?", true},
		{generate.StyleParaphrase, "", "How many weeks can somebody undo a disaster?", true},
		{generate.StyleParaphrase, "", "How many days are backups kept, then deleted?", false},
		{generate.StyleTypo, "", "backups thirty days", false},
		{"", "short", "How long are backups kept?", true},
		{"", "short", "How long are all the old backups kept?", false},
		{"", "long", "How long are backups kept?", false},
		{"", "", "anything at all goes", true},
	} {
		c := generate.Candidate{Chunk: backup, Question: tc.text, Plan: generate.Plan{Style: tc.style, Length: tc.length}}
		c.Leakage = generate.Measure(c.Question, backup.Text)
		why, err := generate.RuleForm().Check(t.Context(), &c)
		if err != nil || (why == "") != tc.ok {
			t.Errorf("%s %s %q: %q, %v", tc.style, tc.length, tc.text, why, err)
		}
	}
}

// TestTypo: one slip in one long word, the same every time, and never in the first letter; the stored
// leakage is that of the text as it is sent.
func TestTypo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &generate.Planner{Seed: rapid.Uint64().Draw(t, "seed"), Styles: []generate.Share{{Value: "typo", Share: 1}}}
		rules := generate.DefaultRules(p)
		slip := rules[len(rules)-1]
		question := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"backups", "Straße", "kept", "restored", "who", "Rückgabe?"}), 1, 6).Draw(t, "words"), " ")
		run := func() (string, string, assay.Leakage) {
			c := generate.Candidate{Chunk: backup, Question: question, Plan: generate.Plan{Style: generate.StyleTypo}}
			why, err := slip.Check(t.Context(), &c)
			if err != nil {
				t.Fatal(err)
			}
			return c.Question, why, c.Leakage
		}
		got, why, leak := run()
		if again, _, _ := run(); again != got {
			t.Fatalf("%q, then %q", got, again)
		}
		if !strings.ContainsAny(question, "bSRr") || why != "" {
			if why == "" || got != question {
				t.Fatalf("%q became %q: %s", question, got, why)
			}
			return
		}
		was, is := strings.Fields(question), strings.Fields(got)
		changed := 0
		for i := range was {
			if was[i] == is[i] {
				continue
			}
			changed++
			a, b := []rune(was[i]), []rune(is[i])
			if a[0] != b[0] || len(a)-len(b) > 1 || len(b)-len(a) > 1 {
				t.Fatalf("%q became %q", was[i], is[i])
			}
		}
		if len(was) != len(is) || changed != 1 {
			t.Fatalf("%q became %q", question, got)
		}
		if diff := cmp.Diff(generate.Measure(got, backup.Title+"\n"+backup.Text), leak); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestUnanswerable: a query that is to have no answer needs no evidence, keeps none, and says what it is.
func TestUnanswerable(t *testing.T) {
	p := &generate.Planner{Unanswerable: 1}
	asked := ""
	chat := replies{"Backups": reply("Which country are the tapes stored in?", "not in the text at all")}
	var kept []generate.Accepted
	_, err := generate.Run(t.Context(), generate.Options{
		Writer: &generate.LLMWriter{Chat: listening{chat, &asked}, Planner: p}, Rules: generate.DefaultRules(p), Plan: p.Plan, Chunks: []assay.Chunk{backup}, Want: 1,
		Keep:   func(a generate.Accepted) error { kept = append(kept, a); return nil },
		Reject: func(r generate.Reject) error { t.Errorf("%+v", r); return nil },
	})
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept %d, %v", len(kept), err)
	}
	q := kept[0].Query
	if !cmp.Equal(q.Tags, []string{assay.TagUnanswerable}) || q.Evidence != nil || q.Leakage != nil {
		t.Errorf("%+v", q)
	}
	if !strings.Contains(asked, "NOT in the passage") {
		t.Errorf("the prompt does not say so:\n%s", asked)
	}
}

// listening remembers the prompt.
type listening struct {
	replies
	prompt *string
}

func (l listening) Chat(ctx context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	*l.prompt = req.Messages[0].Text
	return l.replies.Chat(ctx, req)
}

// TestPromptSaysWhatIsPlanned: what a plan asks for stands in the prompt, and nothing when there is none.
func TestPromptSaysWhatIsPlanned(t *testing.T) {
	ask := func(p *generate.Planner, examples ...string) (prompt string, origin assay.Origin) {
		w := &generate.LLMWriter{Chat: listening{replies{"Backups": reply("x", "y")}, &prompt}, Planner: p, Examples: examples}
		if _, err := w.Write(t.Context(), backup, 0); err != nil {
			t.Fatal(err)
		}
		return prompt, w.Origin()
	}
	bare, plainOrigin := ask(nil)
	if strings.Contains(bare, "key words") || plainOrigin.Prompt != generate.PromptID {
		t.Errorf("nothing was planned, and the prompt is\n%s", bare)
	}
	styled, origin := ask(&generate.Planner{Styles: []generate.Share{{Value: "keywords", Share: 1}}, Lengths: []generate.Share{{Value: "short", Share: 1}}})
	if !strings.Contains(styled, "key words") || !strings.Contains(styled, "at most 5 words") || origin.Prompt == generate.PromptID {
		t.Errorf("prompt %s\n%s", origin.Prompt, styled)
	}
	other, _ := ask(&generate.Planner{Styles: []generate.Share{{Value: "other-language", Share: 1}}, Languages: []string{"de", "en"}})
	if !strings.Contains(other, "in this language: German") || strings.Contains(other, "- Write in the language of the passage") {
		t.Errorf("prompt\n%s", other)
	}
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("example%02d", i))
	}
	shown, _ := ask(nil, many...)
	if n := strings.Count(shown, "- example"); n != 8 {
		t.Errorf("%d of 30 examples are shown, want 8", n)
	}
}

// TestParrots: a reply that repeats one of the person's own examples is refused like one of the prompt's.
func TestParrots(t *testing.T) {
	var refused []generate.Reject
	_, err := generate.Run(t.Context(), generate.Options{
		Writer: &generate.LLMWriter{Chat: replies{"Backups": reply("how do I undo a merge?", "Backups are kept for 30 days.")}, Examples: []string{"How do I undo a merge"}},
		Rules:  generate.DefaultRules(nil), Chunks: []assay.Chunk{backup}, Want: 1,
		Keep:   func(a generate.Accepted) error { t.Errorf("kept %q", a.Query.Text); return nil },
		Reject: func(r generate.Reject) error { refused = append(refused, r); return nil },
	})
	if err != nil || len(refused) != 1 || refused[0].Rule != "example" {
		t.Errorf("%+v, %v", refused, err)
	}
}
