package ollama

import (
	"context"
	"errors"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm/internal/reply"
	"github.com/assay-eval/assay/llm/internal/wire"
)

type chatReply struct {
	embedded
	Message struct {
		Content  string `json:"content"`
		Thinking string `json:"thinking"`
	} `json:"message"`
	Done            bool                 `json:"done"`
	DoneReason      string               `json:"done_reason"`
	PromptEvalCount int                  `json:"prompt_eval_count"`
	EvalCount       int                  `json:"eval_count"`
	LoadDuration    int64                `json:"load_duration"`
	Logprobs        []wire.TokenLogprobs `json:"logprobs"`
}

// windowError marks a prompt that did not fit the window it was given: a larger one may hold it.
type windowError struct{ error }

func (w *windowError) Unwrap() error { return w.error }

func isWindow(err error) bool {
	var w *windowError
	return errors.As(err, &w)
}

// plain drops the mark and says what to do when no larger window is left.
func plain(err error) error {
	var w *windowError
	if !errors.As(err, &w) {
		return err
	}
	return assay.WithHint(w.error, "shorten the prompt, or use a model with a longer context")
}

// chatOnce makes one call with a context window of size tokens.
func (c *Client) chatOnce(ctx context.Context, body chatRequest, size, promptLow, limit int) (assay.ChatReply, error) {
	var r chatReply
	err := c.post(ctx, "chat", chatPath, body, &r)
	if err == nil {
		err = c.check("chat", chatPath, r.embedded)
	}
	if overflow(err) {
		return assay.ChatReply{}, &windowError{err}
	}
	if err != nil {
		return assay.ChatReply{}, err
	}
	if err := c.checkCounts(&r, size, promptLow); err != nil {
		return assay.ChatReply{}, &windowError{err}
	}
	bookLoad(ctx, r.LoadDuration)
	return c.finish(&r, limit)
}

// checkCounts finds the cuts that the server makes without a word: a prompt cut to the window, messages
// left out, and a window that slid over the prompt while the reply was written.
func (c *Client) checkCounts(r *chatReply, size, promptLow int) error {
	read, written := r.PromptEvalCount, r.EvalCount
	switch {
	case read >= size:
		return c.tooLong("chat", chatPath, "the prompt was cut to the context window of %d tokens", size)
	case read > 0 && read < promptLow:
		return c.tooLong("chat", chatPath, "the server read %d tokens of a prompt that has at least %d: part of it was left out", read, promptLow)
	case read+written > size:
		return c.tooLong("chat", chatPath, "prompt (%d tokens) and reply (%d) outgrew the context window of %d tokens, so the start was dropped", read, written, size)
	}
	return nil
}

// finish makes the reply out of what the server said.
func (c *Client) finish(r *chatReply, limit int) (assay.ChatReply, error) {
	where := c.rest.Host() + chatPath
	answer, inline := reply.SplitThinking(r.Message.Content)
	thinking := r.Message.Thinking
	if thinking == "" {
		thinking = inline
	}
	switch {
	case !r.Done:
		return assay.ChatReply{}, c.rest.Wrong("chat", chatPath, []byte(answer), "the reply says it is not done")
	case r.DoneReason == "length", r.DoneReason == "" && r.EvalCount >= limit:
		return assay.ChatReply{}, reply.Cut(where, answer, thinking, limit)
	case answer == "":
		return assay.ChatReply{}, reply.Empty(where, thinking)
	}
	return assay.ChatReply{Text: answer, Thinking: thinking, PromptTokens: r.PromptEvalCount, OutputTokens: r.EvalCount,
		Logprobs: wire.Logprobs(r.Logprobs)}, nil
}
