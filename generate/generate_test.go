package generate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

var backup = assay.Chunk{ID: "ops/backup.md#100-171", Document: "ops/backup.md", Version: "sha256:x", Span: &assay.Span{Start: 100, End: 171},
	Text: "Backups are kept for 30 days. After that they are deleted for good — no copy."}

// replies is a chat model that says what it is told to; the real ones are in the tests of llm and cli.
type replies map[string]string

func (r replies) Chat(_ context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	for mark, reply := range r {
		if strings.Contains(req.Messages[0].Text, mark) {
			if kind, ok := strings.CutPrefix(reply, "error "); ok {
				return assay.ChatReply{}, assay.Errorf(assay.Kind(kind), "chat", "host", "as told")
			}
			return assay.ChatReply{Text: reply}, nil
		}
	}
	return assay.ChatReply{}, fmt.Errorf("unexpected prompt %q", req.Messages[0].Text)
}

func reply(question, evidence string) string {
	return fmt.Sprintf(`{"question":%q,"evidence":%q}`, question, evidence)
}

func TestRules(t *testing.T) {
	for _, tc := range []struct{ name, reply, wantRule, wantReason string }{
		{"good", reply("How long do you keep backups?", "Backups are kept for 30 days."), "", ""},
		{"quote marks and spaces differ", reply("Can a deleted backup be restored later?", "deleted for  good - no copy"), "", ""},
		{"prose", "Sure! Here is a question: …", "reply", "malformed"},
		{"preamble", "Here it is: " + reply("a b c", "x"), "reply", "malformed"},
		{"trailing text", reply("How long do you keep backups?", "Backups are kept for 30 days.") + " Hope that helps!", "reply", "malformed"},
		{"missing field", `{"question":"How long do you keep backups?"}`, "reply", "malformed"},
		{"extra field", `{"question":"How long do you keep backups?","evidence":"x","grade":3}`, "reply", "malformed"},
		{"cut off", "error truncated", "reply", "truncated"},
		{"invented quote", reply("How long do you keep backups?", "Backups are kept for a year."), "evidence", "not in the source"},
		{"ambiguous quote", reply("How long do you keep backups?", "are"), "evidence", "more than once"},
		{"no quote", reply("How long do you keep backups?", " "), "evidence", "no evidence"},
		{"example of the prompt", reply("is there a charge for my four-year old", "Backups are kept for 30 days."), "example", "repeats an example"},
		{"copied", reply("Is it so that backups are kept for 30 days?", "Backups are kept for 30 days."), "copy", "copies 6 words"},
		{"too short", reply("Backups?", "Backups are kept for 30 days."), "question", "1 words"},
		{"a page", reply(strings.Repeat("why ", 60), "Backups are kept for 30 days."), "question", "60 words"},
		{"empty", reply("", "Backups are kept for 30 days."), "question", "empty"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var kept []generate.Accepted
			var rejects []generate.Reject
			rep, err := generate.Run(t.Context(), generate.Options{
				Writer: &generate.LLMWriter{Chat: replies{"Backups": tc.reply}}, Rules: generate.DefaultRules(nil),
				Chunks: []assay.Chunk{backup}, Want: 1,
				Keep:   func(a generate.Accepted) error { kept = append(kept, a); return nil },
				Reject: func(r generate.Reject) error { rejects = append(rejects, r); return nil },
			})
			if err != nil {
				t.Fatal(err)
			}
			if tc.wantRule == "" {
				if len(kept) != 1 || rep.Produced != 1 {
					t.Fatalf("refused: %+v", rejects)
				}
				e := kept[0].Query.Evidence
				if got := backup.Text[e.Start-100 : e.End-100]; got != e.Quote {
					t.Errorf("evidence %d-%d is %q, quote %q", e.Start, e.End, got, e.Quote)
				}
				return
			}
			if len(rejects) != 1 || rejects[0].Rule != tc.wantRule || !strings.Contains(rejects[0].Reason, tc.wantReason) {
				t.Errorf("got %+v, want rule %s with %q", rejects, tc.wantRule, tc.wantReason)
			}
			if !rep.Exhausted || rep.Rejected[tc.wantRule] != 1 {
				t.Errorf("report %+v", rep)
			}
		})
	}
}

// What a chunk says of a chat template is shown with a blank in it; the evidence is found in the chunk nevertheless.
func TestEvidenceWithTokensOfATemplate(t *testing.T) {
	c := assay.Chunk{ID: "c1", Document: "d", Text: "A turn begins with <|im_start|> and its role, and ends with <|im_end|> at last.", Before: "Before it.\n\n", After: " And behind it."}
	var kept []generate.Accepted
	_, err := generate.Run(t.Context(), generate.Options{
		Writer: &generate.LLMWriter{Chat: replies{"< |im_start|>": reply("What closes what somebody says?", "< |im_end|> at last")}},
		Rules:  generate.DefaultRules(nil), Chunks: []assay.Chunk{c}, Want: 1,
		Keep:   func(a generate.Accepted) error { kept = append(kept, a); return nil },
		Reject: func(r generate.Reject) error { t.Errorf("refused: %+v", r); return nil },
	})
	if err != nil || len(kept) != 1 || kept[0].Query.Evidence.Quote != "<|im_end|> at last" {
		t.Fatalf("kept %+v, %v", kept, err)
	}
	if e := kept[0].Query.Evidence; e.After != ". And behind it." || !strings.HasSuffix(e.Before, "its role, and ends with ") {
		t.Errorf("context ends at the chunk: %+v", e)
	}
}

func chunks(n int) []assay.Chunk {
	out := make([]assay.Chunk, n)
	for i := range out {
		out[i] = assay.Chunk{ID: fmt.Sprintf("c%03d", i), Text: fmt.Sprintf("Marker%03d is the name of machine number %d in the cellar.", i, i)}
	}
	return out
}

func model(n int) replies {
	r := replies{}
	for i := range n {
		r[fmt.Sprintf("Marker%03d", i)] = reply(fmt.Sprintf("Which box downstairs is called %d?", i), fmt.Sprintf("Marker%03d", i))
		if i%3 == 1 {
			r[fmt.Sprintf("Marker%03d", i)] = "error malformed"
		}
	}
	return r
}

// TestBrokenOffAndContinued stops a generation after every possible number of kept items and goes on:
// the files are those of an unbroken run, and nothing is asked twice.
func TestBrokenOffAndContinued(t *testing.T) {
	const n, want = 12, 6
	run := func(stopAfter, workers int) (kept, refused []string) {
		stop := errors.New("killed")
		asked := map[string]int{}
		once := func() error {
			_, err := generate.Run(t.Context(), generate.Options{
				Writer: &generate.LLMWriter{Chat: model(n)}, Rules: generate.DefaultRules(nil), Chunks: chunks(n), Want: want, Workers: workers,
				Have: len(kept), Done: func(c string, nth int) bool { return nth < asked[c] },
				Keep: func(a generate.Accepted) error {
					if len(kept)+len(refused) == stopAfter {
						return stop
					}
					kept, asked[a.Chunk.ID] = append(kept, a.Query.Text), asked[a.Chunk.ID]+1
					return nil
				},
				Reject: func(r generate.Reject) error {
					if len(kept)+len(refused) == stopAfter {
						return stop
					}
					refused, asked[r.Chunk] = append(refused, r.Chunk), asked[r.Chunk]+1
					return nil
				},
			})
			return err
		}
		if err := once(); errors.Is(err, stop) {
			stopAfter = -1
			err = once()
			if err != nil {
				t.Fatal(err)
			}
		} else if err != nil {
			t.Fatal(err)
		}
		for c, times := range asked {
			if times != 1 {
				t.Errorf("%s asked %d times", c, times)
			}
		}
		return kept, refused
	}
	wantKept, wantRefused := run(-1, 1)
	if len(wantKept) != want {
		t.Fatalf("kept %d", len(wantKept))
	}
	for stopAfter := range 9 {
		for _, workers := range []int{1, 4} {
			kept, refused := run(stopAfter, workers)
			if !slices.Equal(kept, wantKept) || !slices.Equal(refused, wantRefused) {
				t.Errorf("stopped after %d with %d workers: %v %v, want %v %v", stopAfter, workers, kept, refused, wantKept, wantRefused)
			}
		}
	}
}

// crowd counts the calls that are under way at once, and all of them.
type crowd struct {
	replies
	now, most, calls atomic.Int32
}

func (c *crowd) Chat(ctx context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	c.calls.Add(1)
	now := c.now.Add(1)
	defer c.now.Add(-1)
	for most := c.most.Load(); now > most && !c.most.CompareAndSwap(most, now); most = c.most.Load() {
	}
	time.Sleep(time.Second) // of synctest's clock: time for others to come
	return c.replies.Chat(ctx, req)
}

// TestWorkersAreCallsUnderWay: one worker means one call after another, and none beyond the last that is
// needed, because a local model answers one at a time and a call in vain costs seconds.
func TestWorkersAreCallsUnderWay(t *testing.T) {
	for _, workers := range []int{0, 1, 3} {
		synctest.Test(t, func(t *testing.T) {
			c := &crowd{replies: model(30)}
			rep, err := generate.Run(t.Context(), generate.Options{
				Writer: &generate.LLMWriter{Chat: c}, Rules: generate.DefaultRules(nil), Chunks: chunks(30), Want: 10, Workers: workers,
				Keep: func(generate.Accepted) error { return nil }, Reject: func(generate.Reject) error { return nil },
			})
			if err != nil {
				t.Fatal(err)
			}
			if most := c.most.Load(); int(most) != max(1, workers) {
				t.Errorf("%d workers: %d calls at once", workers, most)
			}
			if over := int(c.calls.Load()) - rep.Asked; over >= max(1, workers) {
				t.Errorf("%d workers: %d calls whose answer nobody used", workers, over)
			}
		})
	}
}

func TestServerGoneEndsItAfterAFewTries(t *testing.T) {
	rep, err := generate.Run(t.Context(), generate.Options{
		Writer: &generate.LLMWriter{Chat: replies{"Marker": "error unavailable"}}, Chunks: chunks(50), Want: 50,
		Reject: func(generate.Reject) error { t.Error("a failed call is no reject"); return nil },
	})
	if assay.KindOf(err) != assay.KindUnavailable || rep.Failed != 5 {
		t.Errorf("report %+v, err %v", rep, err)
	}
}

// TestOnlyRepliesAreRejects: what says nothing of the question is kept as no reject, or the sample would be used up by a wrong key
// or too small a window. What will be the same for every question ends it at once; a chunk that is too long is passed over.
func TestOnlyRepliesAreRejects(t *testing.T) {
	call := func(kind assay.Kind) error {
		e := assay.Errorf(kind, "chat", "host", "as told")
		e.Call = true
		return e
	}
	for name, c := range map[string]struct {
		err                       error
		asked, rejected, accepted int
		ends                      bool
	}{
		"no access":         {assay.WithHint(assay.Errorf(assay.KindRefused, "chat", "host", "401"), "check api_key"), 1, 0, 0, true},
		"no such model":     {assay.Errorf(assay.KindNotFound, "chat", "host", "404"), 1, 0, 0, true},
		"page of a proxy":   {call(assay.KindMalformed), 1, 0, 0, true},
		"nothing came":      {call(assay.KindEmpty), 1, 0, 0, true},
		"prompts too long":  {call(assay.KindTruncated), 5, 0, 0, true},
		"a prompt too long": {call(assay.KindTruncated), 6, 0, 5, false},
		"declined":          {assay.Errorf(assay.KindDeclined, "chat", "host", "I cannot"), 6, 6, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := &failing{err: c.err, only: c.accepted > 0}
			kept, refused := 0, 0
			rep, err := generate.Run(t.Context(), generate.Options{
				Writer: w, Chunks: chunks(6), Want: 6,
				Keep:   func(generate.Accepted) error { kept++; return nil },
				Reject: func(generate.Reject) error { refused++; return nil },
			})
			if rep.Asked != c.asked || refused != c.rejected || kept != c.accepted || (err != nil) != c.ends || rep.Failed != c.asked-c.rejected-c.accepted {
				t.Errorf("%d asked, %d refused, %d kept, %v", rep.Asked, refused, kept, err)
			}
			if err != nil && (assay.KindOf(err) != assay.KindOf(c.err) || assay.Hint(err) != assay.Hint(c.err)) || rep.Failed > 0 && rep.Failure == "" {
				t.Errorf("%v, hint %q, %q", err, assay.Hint(err), rep.Failure)
			}
		})
	}
}

// failing is a writer whose every question fails, or only that of the second chunk.
type failing struct {
	err  error
	only bool
}

func (f *failing) Write(_ context.Context, c assay.Chunk, _ int) (generate.Candidate, error) {
	if f.only && c.ID != "c001" {
		return generate.Candidate{Chunk: c, Question: "Which box is in " + c.ID + "?"}, nil
	}
	return generate.Candidate{Chunk: c}, f.err
}

func (f *failing) Origin() assay.Origin { return assay.Origin{Method: "llm"} }

// TestLeakage counts by hand: "kept for 30 days" are 4 words in a row; of kept, 30, days, tapes the
// source holds 3.
func TestLeakage(t *testing.T) {
	got := generate.Measure("Are tapes kept for 30 days?", backup.Text)
	if diff := cmp.Diff(assay.Leakage{LongestSharedNgram: 4, ContentCoverage: 0.75}, got); diff != "" {
		t.Error(diff)
	}
}

func TestKnownItemIsRepeatableAndFromItsChunk(t *testing.T) {
	cs := chunks(30)
	terms, err := generate.CountTerms(func(yield func(assay.Chunk, error) bool) {
		for _, c := range cs {
			if !yield(c, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		k := &generate.KnownItem{Terms: terms, Model: rapid.SampledFrom(generate.TermModels).Draw(t, "model"), Seed: rapid.Uint64().Draw(t, "seed")}
		c := cs[rapid.IntRange(0, len(cs)-1).Draw(t, "chunk")]
		a, err := k.Write(context.Background(), c, 0)
		if err != nil {
			if assay.KindOf(err) != assay.KindEmpty {
				t.Fatal(err)
			}
			return
		}
		b, _ := k.Write(context.Background(), c, 0)
		if a.Question != b.Question || a.Question == "" {
			t.Fatalf("%q then %q", a.Question, b.Question)
		}
		if a.Leakage.ContentCoverage != 1 {
			t.Fatalf("%q has words from elsewhere without noise", a.Question)
		}
	})
}

// TestKnownItemPrefersRareWords holds the discriminative model to its formula: over many draws a word
// twice as rare in the collection leads twice as often.
func TestKnownItemPrefersRareWords(t *testing.T) {
	cs := []assay.Chunk{{ID: "a", Text: "apple banana"}, {ID: "b", Text: "banana cherry"}}
	terms, _ := generate.CountTerms(func(yield func(assay.Chunk, error) bool) {
		for _, c := range cs {
			if !yield(c, nil) {
				return
			}
		}
	})
	first := map[string]int{}
	const n = 4000
	for seed := range uint64(n) {
		k := &generate.KnownItem{Terms: terms, Model: generate.Discriminative, Seed: seed}
		c, err := k.Write(context.Background(), cs[0], 0)
		if err != nil {
			t.Fatal(err)
		}
		first[strings.Fields(c.Question)[0]]++
	}
	if share := float64(first["apple"]) / n; share < 0.64 || share > 0.70 {
		t.Errorf("apple leads %.3f of the queries, want 2/3", share)
	}
}
