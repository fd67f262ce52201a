package openai

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm/internal/reply"
	"github.com/assay-eval/assay/llm/internal/tokens"
	"github.com/assay-eval/assay/llm/internal/wire"
)

const chatPath = "/chat/completions"

type chatReply struct {
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      struct {
			Content          string `json:"content"`
			ReasoningContent string `json:"reasoning_content"` // llama.cpp, vLLM, LM Studio
			Reasoning        string `json:"reasoning"`         // newer vLLM, OpenRouter
			Refusal          string `json:"refusal"`
		} `json:"message"`
		Logprobs struct {
			Content []wire.TokenLogprobs `json:"content"`
		} `json:"logprobs"`
	} `json:"choices"`
	Usage struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
	} `json:"usage"`
}

// Chat completes a conversation. KindTruncated is a reply that hit its cap (with the text in Raw) or a
// prompt that does not fit the server's context; KindDeclined a model or filter that declines; KindEmpty a
// reply without an answer.
func (c *Client) Chat(ctx context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	if len(req.Messages) == 0 {
		return assay.ChatReply{}, assay.Errorf(assay.KindInvalid, "chat", c.rest.Host(), "no messages")
	}
	limit := wire.MaxTokens(req.MaxTokens, c.opts.MaxTokens)
	body := c.chatBody(req, limit)
	if len(req.Schema) == 0 {
		r, err := c.complete(ctx, body)
		if err != nil {
			return assay.ChatReply{}, err
		}
		return c.finish(r, req, limit)
	}
	r, mode, err := c.chatBound(ctx, body, req)
	if err != nil {
		return assay.ChatReply{}, err
	}
	out, err := c.finish(r, req, limit)
	if mode != bindSchema {
		out.Text = unfence(out.Text)
	}
	return out, err
}

func (c *Client) chatBody(req assay.ChatRequest, limit int) map[string]any {
	body := map[string]any{
		"model": c.opts.Model, "messages": req.Messages, "stream": false,
		"max_tokens": limit, "temperature": req.Temperature, "seed": wire.Seed(req.Seed),
	}
	if len(req.Stop) > 0 {
		body["stop"] = slices.Clone(req.Stop)
	}
	if req.TopLogprobs > 0 {
		body["logprobs"] = true
		body["top_logprobs"] = req.TopLogprobs
	}
	return body
}

// complete makes one call.
func (c *Client) complete(ctx context.Context, body map[string]any) (*chatReply, error) {
	var r chatReply
	if err := c.post(ctx, "chat", chatPath, body, &r); err != nil {
		if assay.KindOf(err) == assay.KindTruncated {
			err = assay.WithHint(err, "shorten the prompt, or start the server with a longer context")
		}
		return nil, err
	}
	if err := c.check("chat", chatPath, r.Error); err != nil {
		return nil, err
	}
	if len(r.Choices) == 0 {
		err := c.rest.Wrong("chat", chatPath, nil, "the reply has no choices")
		err.Call = true // no model wrote that
		return nil, err
	}
	return &r, nil
}

// finish makes the reply out of what the server said.
func (c *Client) finish(r *chatReply, req assay.ChatRequest, limit int) (assay.ChatReply, error) {
	where := c.rest.Host() + chatPath
	choice := r.Choices[0]
	answer, inline := reply.SplitThinking(choice.Message.Content)
	thinking := inline
	for _, t := range []string{choice.Message.Reasoning, choice.Message.ReasoningContent} {
		if t != "" {
			thinking = t
		}
	}
	low := 0
	for _, m := range req.Messages {
		low += tokens.Of(m.Text).Low
	}
	read := r.Usage.PromptTokens
	switch {
	case read > 0 && read < low:
		err := c.rest.Wrong("chat", chatPath, nil, "the server read %d tokens of a prompt that has at least %d: part of it was left out", read, low)
		err.Kind, err.Call = assay.KindTruncated, true
		return assay.ChatReply{}, assay.WithHint(err, "shorten the prompt, or load the model with a longer context")
	case choice.Message.Refusal != "":
		err := c.rest.Wrong("chat", chatPath, []byte(choice.Message.Refusal), "the model declines: %.200s", choice.Message.Refusal)
		err.Kind = assay.KindDeclined
		return assay.ChatReply{}, err
	case choice.FinishReason == "content_filter":
		err := c.rest.Wrong("chat", chatPath, []byte(answer), "a content filter stopped the reply")
		err.Kind = assay.KindDeclined
		return assay.ChatReply{}, err
	case choice.FinishReason == "length", choice.FinishReason == "" && r.Usage.CompletionTokens >= limit:
		return assay.ChatReply{}, reply.Cut(where, answer, thinking, limit)
	case answer == "":
		return assay.ChatReply{}, reply.Empty(where, thinking)
	}
	return assay.ChatReply{Text: answer, Thinking: thinking, PromptTokens: read, OutputTokens: r.Usage.CompletionTokens,
		Logprobs: wire.Logprobs(choice.Logprobs.Content)}, nil
}
