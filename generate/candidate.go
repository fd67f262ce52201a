package generate

import (
	"context"
	"time"

	"github.com/assay-eval/assay"
)

// Candidate is a question on its way through the filters.
type Candidate struct {
	Chunk    assay.Chunk
	Question string
	Quote    string // the evidence as the writer gave it; "" for simulated queries
	Raw      string // the writer's whole reply, kept with a reject
	Evidence *assay.Anchor
	Leakage  assay.Leakage
	Plan     Plan
	Tags     []string // flags of rules that mark and do not refuse
	Passed   []string // rules it passed, in order

	shown  []string // queries of the person that the prompt showed
	answer string   // what the evidence was found to answer
}

// Reject is a line of testset/rejects.jsonl: what was refused, by which rule and why.
type Reject struct {
	Chunk    string    `json:"chunk"`
	Document string    `json:"document,omitempty"`
	Rule     string    `json:"rule"`
	Reason   string    `json:"reason"`
	Question string    `json:"question,omitempty"`
	Quote    string    `json:"quote,omitempty"`
	Raw      string    `json:"raw,omitempty"`
	Method   string    `json:"method"`
	Model    string    `json:"model,omitempty"`
	Prompt   string    `json:"prompt,omitempty"`
	Seed     uint64    `json:"seed,omitempty"`
	Nth      int       `json:"nth,omitempty"` // which question of its chunk, from 0
	Time     time.Time `json:"time"`
}

// Writer writes the nth question of a chunk. An error about what the model wrote (assay.OfReply) is a reject of the
// question. Any other is none: the question is asked again next time, and the generation ends unless the next may go well.
type Writer interface {
	Write(ctx context.Context, chunk assay.Chunk, nth int) (Candidate, error)
	// Origin describes the queries it writes: method, model, digest, prompt, seed.
	Origin() assay.Origin
}

// Rule is one filter: it may complete the candidate and says why it refuses it, or "" to let it pass.
// An error means that the rule could not be applied and ends the generation.
type Rule struct {
	Name  string
	Check func(ctx context.Context, c *Candidate) (reason string, err error)
}
