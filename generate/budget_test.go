package generate_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

// purse lets so many calls through.
type purse struct {
	replies
	left int
}

func (p *purse) Chat(ctx context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	if p.left == 0 {
		return assay.ChatReply{}, fmt.Errorf("model: %w", generate.ErrCalls)
	}
	p.left--
	return p.replies.Chat(ctx, req)
}

// TestBudgetOfCalls gives a generation three calls at a time: it ends cleanly each time, asks nothing twice,
// and what it leaves in the end is what it leaves when nobody stops it.
func TestBudgetOfCalls(t *testing.T) {
	run := func(calls int) (kept, refused []string, stops int) {
		asked := map[string]int{}
		for {
			rep, err := generate.Run(t.Context(), generate.Options{
				Writer: &generate.LLMWriter{Chat: &purse{model(12), calls}}, Rules: generate.DefaultRules(nil), Chunks: chunks(12), Want: 6,
				Have: len(kept), Done: func(c string, nth int) bool { return nth < asked[c] },
				Keep: func(a generate.Accepted) error {
					kept, asked[a.Chunk.ID] = append(kept, a.Query.Text), asked[a.Chunk.ID]+1
					return nil
				},
				Reject: func(r generate.Reject) error {
					refused, asked[r.Chunk] = append(refused, r.Chunk), asked[r.Chunk]+1
					return nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Stopped == "" {
				return kept, refused, stops
			}
			if rep.Stopped != "calls" || rep.Asked != calls || rep.Failed != 0 {
				t.Fatalf("report %+v", rep)
			}
			if stops++; stops > 12 {
				t.Fatal("it never ends")
			}
		}
	}
	wantKept, wantRefused, _ := run(1000)
	kept, refused, stops := run(3)
	if !slices.Equal(kept, wantKept) || !slices.Equal(refused, wantRefused) || stops != 2 {
		t.Errorf("%d stops: %v %v, want %v %v", stops, kept, refused, wantKept, wantRefused)
	}
}

// TestBudgetOfMinutes: a call takes a second of synctest's clock, so that three and a half seconds are three
// calls; the fourth is dropped, not waited for.
func TestBudgetOfMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 3500*time.Millisecond, generate.ErrMinutes)
		defer cancel()
		start := time.Now()
		rep, err := generate.Run(ctx, generate.Options{
			Writer: &generate.LLMWriter{Chat: &crowd{replies: model(30)}}, Chunks: chunks(30), Want: 30,
			Keep: func(generate.Accepted) error { return nil }, Reject: func(generate.Reject) error { return nil },
		})
		if err != nil || rep.Stopped != "minutes" || rep.Asked != 3 || rep.Failed != 0 {
			t.Errorf("%+v, %v", rep, err)
		}
		// The stub does not listen to its context: a second at most goes by until its call is over.
		if d := time.Since(start); d > 4*time.Second {
			t.Errorf("it took %s", d)
		}
	})
}

// TestInterruptIsNoBudget: somebody's interrupt stays an error, so that the exit code says so.
func TestInterruptIsNoBudget(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rep, err := generate.Run(ctx, generate.Options{Writer: &generate.LLMWriter{Chat: model(3)}, Chunks: chunks(3), Want: 3})
	if err == nil || rep.Stopped != "" {
		t.Errorf("%+v, %v", rep, err)
	}
}

// TestYieldWarnings: the counts of the rules, and what is said of them.
func TestYieldWarnings(t *testing.T) {
	const n = 30
	chat := replies{}
	for i := range n {
		mark := fmt.Sprintf("Marker%03d", i)
		question := fmt.Sprintf("Which box downstairs is called %d?", i)
		if i%10 != 0 {
			question = "According to the passage, " + question
		}
		chat[mark] = reply(question, mark)
	}
	rep, err := generate.Run(t.Context(), generate.Options{
		Writer: &generate.LLMWriter{Chat: chat}, Rules: generate.DefaultRules(nil), Chunks: chunks(n), Want: n,
		Keep: func(generate.Accepted) error { return nil }, Reject: func(generate.Reject) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	at := func(rule string) generate.RuleCount {
		return rep.Rules[slices.IndexFunc(rep.Rules, func(c generate.RuleCount) bool { return c.Rule == rule })]
	}
	if got, want := at("context"), (generate.RuleCount{Rule: "context", Seen: n, Refused: 27}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := at("copy").Seen; got != 3 {
		t.Errorf("copy saw %d, want those that context let pass", got)
	}
	codes := map[string]string{}
	for _, w := range rep.YieldWarnings() {
		codes[w.Code] += w.Text
	}
	if len(codes) != 2 || codes["low_yield"] == "" || codes["high_yield"] == "" {
		t.Errorf("warnings %q", codes)
	}
}
