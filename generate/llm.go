package generate

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/strictjson"
)

// replyTokens caps a reply: a question and a quote fit, a model that repeats itself is cut.
const replyTokens = 400

// LLMWriter asks a language model for a question and its evidence.
type LLMWriter struct {
	Chat     assay.Chat
	Identity assay.Identity
	Examples []string // the person's own queries, shown as a guide to style
	Seed     uint64
	Planner  *Planner // what each question is to be; nil leaves all of it open
}

// Origin implements Writer.
func (w *LLMWriter) Origin() assay.Origin {
	return assay.Origin{Method: "llm", Model: w.Identity.Model, Digest: w.Identity.Digest, Prompt: promptID(w.Planner), Seed: w.Seed}
}

// Write implements Writer. The seed differs for every further question of a chunk, so that asking again
// does not give the same one.
func (w *LLMWriter) Write(ctx context.Context, chunk assay.Chunk, nth int) (Candidate, error) {
	c := Candidate{Chunk: chunk}
	if w.Planner != nil {
		c.Plan = w.Planner.Plan(&chunk, nth)
	}
	c.shown = someExamples(w.Examples, chunk.Text, w.Seed)
	reply, err := w.Chat.Chat(ctx, assay.ChatRequest{
		Messages:    []assay.Message{{Role: "user", Text: prompt(chunk, c.shown, &c.Plan)}},
		Schema:      replySchema,
		MaxTokens:   replyTokens,
		Temperature: temperature(nth),
		Seed:        w.Seed + uint64(nth),
	})
	if err != nil {
		return c, err
	}
	c.Raw = reply.Text
	return c, parseReply(reply.Text, &c)
}

// temperature is 0 for the first question, which makes it repeatable, and warmer for further ones.
func temperature(nth int) float64 {
	if nth == 0 {
		return 0
	}
	return 0.7
}

// reply is what the model is asked for.
type reply struct {
	Evidence string `json:"evidence"`
	Question string `json:"question"`
}

// parseReply reads the reply strictly: it must be the object and nothing else.
func parseReply(text string, c *Candidate) error {
	r, err := strictjson.Parse[reply](text)
	if err != nil {
		e := assay.Errorf(assay.KindMalformed, "chat", "", "the reply is not the JSON that was asked for: %w", err)
		e.Raw = text[:min(len(text), assay.RawLimit)]
		return e
	}
	c.Question, c.Quote = r.Question, r.Evidence
	return nil
}
