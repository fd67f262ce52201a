package openai

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// structured is how a server binds a reply to a schema.
type structured string

const (
	bindUnknown structured = ""            // nothing has been asked yet
	bindSchema  structured = "json_schema" // the decoder follows the schema
	bindObject  structured = "json_object" // the decoder follows JSON, the prompt tells the schema
	bindPrompt  structured = "prompt only" // nothing is enforced, the prompt tells the schema
)

func (c *Client) binding() structured {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mode
}

func (c *Client) setBinding(m structured) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mode = m
}

// bind puts the schema of a request into a body in the way of a mode.
func bind(body map[string]any, req assay.ChatRequest, m structured) {
	switch m {
	case bindSchema:
		body["response_format"] = map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": "reply", "strict": true, "schema": req.Schema}}
		return
	case bindObject:
		body["response_format"] = map[string]any{"type": "json_object"}
	}
	body["messages"] = llm.WithSchema(req.Messages, req.Schema)
}

// chatBound makes a schema-bound call. A server that refuses the schema is asked once what it can do; the
// answer is remembered, and Identify tells it.
func (c *Client) chatBound(ctx context.Context, body map[string]any, req assay.ChatRequest) (*chatReply, structured, error) {
	mode := c.binding()
	if mode == bindUnknown {
		mode = bindSchema
	}
	bind(body, req, mode)
	r, err := c.complete(ctx, body)
	if !refusesForm(err) || mode != bindSchema {
		if err == nil {
			c.setBinding(mode)
		}
		return r, mode, err
	}
	able, probeErr := c.StructuredOutput(ctx)
	if probeErr != nil || able == string(bindSchema) {
		return nil, mode, err // it is this schema, or this request, that the server does not like
	}
	delete(body, "response_format")
	bind(body, req, structured(able))
	r, err = c.complete(ctx, body)
	return r, structured(able), err
}

// StructuredOutput tries, with requests of a few tokens, how the server can bind a reply to a schema:
// "json_schema", "json_object" or "prompt only".
func (c *Client) StructuredOutput(ctx context.Context) (string, error) {
	trivial := assay.ChatRequest{
		Messages: []assay.Message{{Role: "user", Text: `Answer {"ok":true}.`}},
		Schema:   json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"],"additionalProperties":false}`),
	}
	for _, m := range []structured{bindSchema, bindObject, bindPrompt} {
		body := c.chatBody(trivial, 16)
		bind(body, trivial, m)
		_, err := c.complete(ctx, body)
		if err == nil {
			c.setBinding(m)
			return string(m), nil
		}
		if !refusesForm(err) {
			return "", err
		}
	}
	return "", assay.Errorf(assay.KindInvalid, "chat", c.rest.Host(), "the server refuses even a plain request")
}

// refusesForm reports whether a server may have refused the form of a request rather than failed at it.
func refusesForm(err error) bool {
	k := assay.KindOf(err)
	return k == assay.KindInvalid || k == assay.KindInternal
}

var fenced = regexp.MustCompile("(?s)^\\s*```(?:json|JSON)?\\s*\\n(.*?)\\n?\\s*```\\s*$")

// unfence takes off a code fence that stands around the whole reply, the habit of models that were only
// told to answer in JSON. A fence with text before or after it stays, and the reply will not parse.
func unfence(text string) string {
	if m := fenced.FindStringSubmatch(text); m != nil && !strings.Contains(m[1], "```") {
		return m[1]
	}
	return text
}
