package label

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

// oracle is a model that answers about each passage what it was told to, ask by ask.
type oracle struct {
	mu      sync.Mutex
	replies map[string][]any // by the passage's text; string or error
	asked   map[string]int
}

func (o *oracle) Chat(_ context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	prompt := req.Messages[0].Text
	for text, replies := range o.replies {
		if strings.Contains(prompt, "\n"+text+"\n") {
			n := o.asked[text]
			o.asked[text]++
			if err, ok := replies[n%len(replies)].(error); ok {
				return assay.ChatReply{}, err
			}
			return assay.ChatReply{Text: replies[n%len(replies)].(string), PromptTokens: 5, OutputTokens: 1}, nil
		}
	}
	return assay.ChatReply{}, fmt.Errorf("nobody told what to say to %q", prompt)
}

const (
	no      = `{"quote":"","grade":0}`
	lie     = `{"quote":"it is not there","grade":3}`
	nothing = "I cannot say."
)

var (
	cut  = assay.Errorf(assay.KindTruncated, "chat", "host", "the reply was cut")
	late = assay.Errorf(assay.KindTimeout, "chat", "host", "no answer in time")
)

// Every call is accounted for: each item ends as graded, failed or left, each call as a label or as a failure in the file,
// and nothing that is not a grade becomes one.
func TestJudgingAccounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		retries := rapid.IntRange(0, 2).Draw(t, "retries")
		budget := Budget{Items: rapid.IntRange(0, 8).Draw(t, "items"), Tokens: rapid.IntRange(0, 40).Draw(t, "tokens")}
		o := &oracle{replies: map[string][]any{}, asked: map[string]int{}}
		var jobs []Job
		for i := range rapid.IntRange(0, 10).Draw(t, "jobs") {
			text := fmt.Sprintf("passage %d end", i)
			o.replies[text] = rapid.SliceOfN(rapid.SampledFrom([]any{no, no, lie, nothing, cut, late}), 3, 3).Draw(t, text)
			jobs = append(jobs, Job{Item: Item{ID: ItemID("q", text), Query: "q", Passage: Passage{Text: text}}, Query: "?"})
		}
		labels, failures := map[string]int{}, map[string]int{}
		sum, err := Judging{
			Judge: &Judge{Chat: o, Rubric: Umbrela}, Jobs: jobs, Workers: rapid.IntRange(1, 3).Draw(t, "workers"), Retries: retries, Budget: budget,
			Keep: func(j Job, l assay.Label) error { labels[j.Item.Passage.Text]++; return nil },
			Fail: func(f Failure) error { failures[f.Item]++; return nil },
		}.Run(t.Context())
		if err != nil && !errors.Is(err, ErrGaveUp) {
			t.Fatal(err)
		}
		if sum.Wanted != len(jobs) || sum.Wanted != sum.Graded+sum.Failed+sum.Left {
			t.Fatalf("%d wanted, %d graded, %d failed, %d left", sum.Wanted, sum.Graded, sum.Failed, sum.Left)
		}
		calls, failed := 0, 0
		for _, n := range o.asked {
			calls += n
		}
		for _, n := range failures {
			failed += n
		}
		broken := 0
		for _, n := range sum.Refused {
			broken += n
		}
		for _, n := range sum.Errors {
			broken += n
		}
		if sum.Calls != calls || calls != len(labels)+failed || failed != broken || len(labels) != sum.Graded || sum.Grades[0] != sum.Graded {
			t.Fatalf("%d calls, %d labels, %d failures in the file; the tally is %+v", calls, len(labels), failed, sum)
		}
		for text, n := range o.asked {
			// What came last decides, and what was refused was asked again as often as allowed.
			replies := o.replies[text]
			last := replies[(n-1)%len(replies)]
			if (last == any(no)) != (labels[text] == 1) {
				t.Fatalf("%s ended with %v and has %d labels", text, last, labels[text])
			}
			if last != any(no) && last != any(late) && n <= retries && err == nil {
				t.Fatalf("%s was asked about %d times only", text, n)
			}
		}
		if budget.Items > 0 && len(o.asked) > budget.Items {
			t.Fatalf("%d items of a budget of %d", len(o.asked), budget.Items)
		}
	})
}

// A model that does not answer is left alone after five passages, and what is left is said.
func TestJudgingGivesUp(t *testing.T) {
	chat := &says{replies: []any{late}}
	var jobs []Job
	for i := range 50 {
		jobs = append(jobs, Job{Item: Item{ID: fmt.Sprint(i), Passage: Passage{Text: fmt.Sprint("passage ", i)}}})
	}
	sum, err := Judging{Judge: &Judge{Chat: chat, Rubric: Umbrela}, Jobs: jobs, Retries: 1,
		Keep: func(Job, assay.Label) error { return nil }, Fail: func(Failure) error { return nil }}.Run(t.Context())
	if !errors.Is(err, ErrGaveUp) || assay.KindOf(err) != assay.KindTimeout || sum.Failed != giveUpAfter || sum.Left != 50-giveUpAfter || len(chat.asked) != giveUpAfter {
		t.Errorf("%v after %d calls; %+v", err, len(chat.asked), sum)
	}
	// A passage that is too long is a failure of its own, and says nothing about the model.
	for i := range jobs {
		jobs[i].Item.Passage.Text = strings.Repeat("x", MaxPassage+1)
	}
	sum, err = Judging{Judge: &Judge{Chat: chat, Rubric: Umbrela}, Jobs: jobs,
		Keep: func(Job, assay.Label) error { return nil }, Fail: func(Failure) error { return nil }}.Run(t.Context())
	if err != nil || sum.Failed != 50 || sum.Calls != 0 {
		t.Errorf("%v; %+v", err, sum)
	}
}

// A disk that is full ends the judging: a grade that could not be kept is not counted.
func TestJudgingKeeps(t *testing.T) {
	chat := &says{replies: []any{no}}
	full := errors.New("disk full")
	sum, err := Judging{Judge: &Judge{Chat: chat, Rubric: Umbrela}, Jobs: make([]Job, 3),
		Keep: func(Job, assay.Label) error { return full }, Fail: func(Failure) error { return nil }}.Run(t.Context())
	if !errors.Is(err, full) || sum.Graded != 0 || sum.Left != 3 {
		t.Errorf("%v; %+v", err, sum)
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []Failure{
		{Judge: "a", Item: "1", Ask: 1, Rule: RuleReply}, {Judge: "a", Item: "1", Ask: 2, Rule: RuleMissing},
		{Judge: "a", Item: "2", Kind: assay.KindTimeout}, {Judge: "b", Item: "3", Ask: 1, Rule: RuleReply},
	} {
		if err := appendFailure(dir, f); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Refusals(dir, "a")
	want := map[string]Failure{"1": {Judge: "a", Item: "1", Ask: 2, Rule: RuleMissing}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestFamily(t *testing.T) {
	for model, want := range map[string]string{
		"llama3.1:8b": "Llama", "qwen3-8b": "Qwen", "gemma3-270m": "Gemma and Gemini", "gemini-2.5": "Gemma and Gemini", "mixtral:8x7b": "Mistral",
		"gpt-4o-mini": "GPT", "phi3:mini": "Phi", "deepseek-r1-distill-qwen": "DeepSeek", "bge-reranker-v2-m3": "BGE", "o3-mini": "GPT",
		"all-minilm": "MiniLM", "nomic-embed-text": "", "my-model": "", "sophia": "", "monot5-base": "T5",
	} {
		if got := Family(model); got != want {
			t.Errorf("%s is of the family %q, want %q", model, got, want)
		}
	}
	for _, tc := range []struct {
		a, b, family string
		ok           bool
	}{{"qwen3-8b", "Qwen3-Reranker-0.6B", "Qwen", true}, {"mine", "MINE", "mine", true}, {"qwen3", "llama3", "Qwen", false}, {"mine", "yours", "", false}, {"", "", "", false}} {
		if family, ok := Related(tc.a, tc.b); family != tc.family || ok != tc.ok {
			t.Errorf("%s and %s: %q, %v", tc.a, tc.b, family, ok)
		}
	}
}

// A budget of tokens counts what was read as well as what was written: 6 a call here.
func TestTokenBudget(t *testing.T) {
	for budget, want := range map[int]int{1: 1, 6: 1, 7: 2, 12: 2, 13: 3, 0: 9} {
		o := &oracle{replies: map[string][]any{}, asked: map[string]int{}}
		var jobs []Job
		for i := range 9 {
			text := fmt.Sprintf("passage %d end", i)
			o.replies[text] = []any{no}
			jobs = append(jobs, Job{Item: Item{ID: ItemID("q", text), Query: "q", Passage: Passage{Text: text}}, Query: "?"})
		}
		sum, err := Judging{Judge: &Judge{Chat: o, Rubric: Umbrela}, Jobs: jobs, Budget: Budget{Tokens: budget},
			Keep: func(Job, assay.Label) error { return nil }, Fail: func(Failure) error { return nil }}.Run(t.Context())
		if err != nil || sum.Graded != want || sum.PromptTokens != 5*want || sum.OutputTokens != want {
			t.Errorf("of %d tokens: %+v, %v; want %d calls", budget, sum, err, want)
		}
	}
}
