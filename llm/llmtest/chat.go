package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// Capital is a conversation that even a small base model goes on with rightly, as long as it is given to
// it as it stands. Stop ends it after the answer.
func Capital() assay.ChatRequest {
	return assay.ChatRequest{
		Messages: []assay.Message{{Role: "user", Text: "Question: What is the capital of Germany? Answer: Berlin\nQuestion: What is the capital of France? Answer:"}},
		Stop:     []string{"\n"},
		// Room enough for the answer; the stop word ends it.
		MaxTokens: 16,
		Seed:      1,
	}
}

// answer is a form that a small model can fill within a few tokens.
type answer struct {
	Capital string `json:"capital"`
	Sure    bool   `json:"sure"`
}

var answerSchema = json.RawMessage(`{"type":"object","properties":{"capital":{"type":"string","maxLength":12},"sure":{"type":"boolean"}},` +
	`"required":["capital","sure"],"additionalProperties":false}`)

// Chat holds a chat model to its contract. limit is the tokens of prompt it takes at most; 0 leaves that
// test out.
func Chat(t *testing.T, c assay.Chat, limit int) {
	t.Helper()
	ctx := t.Context()

	t.Run("answer", func(t *testing.T) {
		r, err := c.Chat(ctx, Capital())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(r.Text); !strings.HasPrefix(got, "Paris") {
			t.Errorf("the capital of France is %q", got)
		}
		if r.Cached || r.PromptTokens < 10 || r.OutputTokens < 1 || r.OutputTokens > 16 {
			t.Errorf("cached %v, %d tokens read, %d written", r.Cached, r.PromptTokens, r.OutputTokens)
		}
	})

	t.Run("bound to a schema", func(t *testing.T) {
		req := Capital()
		req.Stop, req.MaxTokens, req.Schema = nil, 48, answerSchema
		got, r, err := llm.JSON[answer](ctx, c, req)
		if assay.KindOf(err) == assay.KindTruncated {
			// A weak model may fill the white space of the form for ever. That is the one other outcome
			// allowed, and it must carry what was written.
			var e *assay.Error
			if !errors.As(err, &e) || !strings.HasPrefix(strings.TrimSpace(e.Raw), "{") {
				t.Errorf("cut, but without the raw text: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, r.Text)
		}
		if got.Capital == "" {
			t.Errorf("no capital in %s", r.Text)
		}
	})

	t.Run("cut at its cap", func(t *testing.T) {
		req := Capital()
		req.Stop, req.MaxTokens = nil, 3
		_, err := c.Chat(ctx, req)
		wantKind(t, err, assay.KindTruncated)
		var e *assay.Error
		if !errors.As(err, &e) || !strings.Contains(e.Raw, "Paris") || assay.Hint(err) == "" {
			t.Errorf("wants the raw text and a hint: %+v", e)
		}
		if !assay.OfReply(err) {
			t.Errorf("the model wrote what was cut: %+v", e)
		}
	})

	t.Run("no messages", func(t *testing.T) {
		_, err := c.Chat(ctx, assay.ChatRequest{})
		wantKind(t, err, assay.KindInvalid)
	})

	t.Run("at once", func(t *testing.T) {
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if r, err := c.Chat(ctx, Capital()); err != nil || !strings.Contains(r.Text, "Paris") {
					t.Errorf("%q, %v", r.Text, err)
				}
			})
		}
		wg.Wait()
	})

	t.Run("caller gives up", func(t *testing.T) {
		gone, cancel := context.WithCancel(ctx)
		cancel()
		_, err := c.Chat(gone, Capital())
		wantKind(t, err, assay.KindCanceled)
		late, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
		defer cancel()
		_, err = c.Chat(late, Capital())
		wantKind(t, err, assay.KindTimeout)
	})

	if limit == 0 {
		return
	}
	t.Run("prompt too long", func(t *testing.T) {
		req := Capital()
		req.Messages = []assay.Message{{Role: "user", Text: words(2 * limit)}}
		_, err := c.Chat(ctx, req)
		wantKind(t, err, assay.KindTruncated)
		if assay.Hint(err) == "" {
			t.Errorf("no hint what to do: %v", err)
		}
		if assay.OfReply(err) {
			t.Errorf("no model has written a reply to this: %v", err)
		}
	})
}
