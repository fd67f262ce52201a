package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm/internal/tokens"
	"github.com/assay-eval/assay/llm/internal/wire"
)

const chatPath = "/api/chat"

type chatRequest struct {
	Model       string          `json:"model"`
	Messages    []assay.Message `json:"messages"`
	Stream      bool            `json:"stream"`
	Format      json.RawMessage `json:"format,omitempty"`
	Options     map[string]any  `json:"options"`
	KeepAlive   string          `json:"keep_alive,omitempty"`
	Think       any             `json:"think,omitempty"`
	Truncate    bool            `json:"truncate"` // false: since 0.12.4 a prompt that does not fit is refused
	Logprobs    bool            `json:"logprobs,omitempty"`
	TopLogprobs int             `json:"top_logprobs,omitempty"`
}

// Chat completes a conversation. The context window is sized by the prompt and the reply's cap, up to
// what the model was trained for. KindTruncated is a reply that hit its cap (with the text in Raw) or a
// prompt that does not fit; KindEmpty a reply without an answer.
func (c *Client) Chat(ctx context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	if len(req.Messages) == 0 {
		return assay.ChatReply{}, assay.Errorf(assay.KindInvalid, "chat", c.rest.Host(), "no messages")
	}
	i, err := c.show(ctx)
	if err != nil {
		return assay.ChatReply{}, err
	}
	think, err := c.think(i)
	if err != nil {
		return assay.ChatReply{}, err
	}
	limit := wire.MaxTokens(req.MaxTokens, c.opts.MaxTokens)
	prompt := promptTokens(req.Messages, i.preamble)
	body := chatRequest{Model: c.opts.Model, Messages: req.Messages, Format: req.Schema, KeepAlive: c.keepAlive(), Think: think,
		Logprobs: req.TopLogprobs > 0, TopLogprobs: req.TopLogprobs, Options: c.chatOptions(req, limit)}
	need := prompt.High + limit
	for {
		size, err := c.chatSize(i, prompt, need)
		if err != nil {
			return assay.ChatReply{}, err
		}
		body.Options["num_ctx"] = size
		reply, err := c.chatOnce(ctx, body, size, prompt.Low, limit)
		if !isWindow(err) || c.opts.NumCtx > 0 || i.context > 0 && size >= i.context || size >= largestGuess {
			return reply, plain(err)
		}
		need = size + 1 // the estimate was short: take the next step
	}
}

// largestGuess ends the growth of a window for a model that does not say what it was trained for.
const largestGuess = 128 << 10

func (c *Client) chatOptions(req assay.ChatRequest, limit int) map[string]any {
	o := c.runtimeOptions()
	o["temperature"] = req.Temperature
	o["seed"] = wire.Seed(req.Seed)
	o["num_predict"] = limit
	if len(req.Stop) > 0 {
		o["stop"] = slices.Clone(req.Stop)
	}
	return o
}

// chatSize picks the context window, and refuses a prompt that cannot fit into any.
func (c *Client) chatSize(i *info, prompt tokens.Range, need int) (int, error) {
	size := c.opts.NumCtx
	if size == 0 {
		size = c.chatWindow.fit(need, i.context)
	}
	if prompt.Low >= size {
		err := c.tooLong("chat", chatPath, "the prompt has at least %d tokens and the context window %d", prompt.Low, size)
		return 0, assay.WithHint(err, "shorten the prompt, or use a model with a longer context")
	}
	return size, nil
}

// promptTokens bounds the tokens of the prompt as the server will build it.
func promptTokens(messages []assay.Message, preamble string) tokens.Range {
	const perMessage, margin = 8, 256 // role marks of the template; what it says by itself
	sum := tokens.Range{High: margin + tokens.Of(preamble).High}
	for _, m := range messages {
		sum = sum.Add(tokens.Of(m.Text)).Add(tokens.Range{High: perMessage})
	}
	return sum
}

// think is the value to send: nothing for a model that does not think, since such a model may refuse it.
func (c *Client) think(i *info) (any, error) {
	if !i.thinks() {
		if c.opts.Think == "off" {
			return nil, nil
		}
		err := assay.Errorf(assay.KindInvalid, "chat", c.rest.Host(), "%s cannot think: think: %s is not possible", c.opts.Model, c.opts.Think)
		return nil, assay.WithHint(err, "leave think out for %s", c.opts.Model)
	}
	switch c.opts.Think {
	case "off":
		return false, nil
	case "on":
		return true, nil
	}
	return c.opts.Think, nil
}

// canonical is JSON with sorted keys, for display and keys.
func canonical(m map[string]any) string {
	b, err := json.Marshal(m)
	if err != nil {
		return fmt.Sprint(m)
	}
	return string(bytes.TrimSpace(b))
}
