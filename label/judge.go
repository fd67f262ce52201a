package label

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay"
)

// Judge grades passages with a language model.
type Judge struct {
	Chat     assay.Chat
	Identity assay.Identity
	Rubric   Rubric
	Seed     uint64

	noLogprobs atomic.Bool // the server refuses to tell them
}

// Name is who of the judge's labels: the model, the rubric, and 8 hex digits of a hash of the model's digest and the whole
// prompt. Another version of any of them is another judge, with a card of its own.
func (j *Judge) Name() string {
	weights := j.Identity.Digest
	if weights == "" {
		weights = j.Identity.Model
	}
	return j.Identity.Model + "/" + j.Rubric.Name + "-" + hashOf(0, j.Identity.Provider, weights, j.Rubric.PromptID())[:8]
}

// Judgment is a grade with what it rests on.
type Judgment struct {
	Grade    assay.Grade
	Given    int           // on the rubric's own scale
	Evidence *assay.Anchor // the words that answer; set for every relevant grade
	// P are the probabilities of the grades 0 to 3, where the server told them; then Grade is the one nearest to their
	// expectation. Else nil, and Grade is the one that was written.
	P []float64
	Usage
}

// Usage is what a call cost.
type Usage struct {
	PromptTokens, OutputTokens int
	Cached                     bool
	Cut                        bool          // the query or the title was longer than its bound, and was cut
	Time                       time.Duration // 0 when cached
}

// alternatives is how many tokens a server is asked to name beside each that it wrote: enough to hold every grade.
const alternatives = 20

// Grade asks about one passage, once. after is the rule that the reply before broke, "" for the first ask. An error is never
// a grade: Refused says which rule a reply broke, any other error that there was no reply. The usage is right in both cases.
func (j *Judge) Grade(ctx context.Context, query string, p *Passage, after Rule) (Judgment, error) {
	var out Judgment
	if len(p.Text) > MaxPassage {
		return out, assay.Errorf(assay.KindInvalid, "judge", "", "the passage is %d bytes long, more than %d", len(p.Text), MaxPassage)
	}
	prompt := j.Rubric.Prompt(j.Seed, query, p)
	out.Cut = beyond(query, p)
	if after != "" {
		prompt += "\nAn earlier reply to this was refused: " + repair[after] + ".\n"
	}
	text, tokens, err := j.ask(ctx, prompt, j.Rubric.Schema(), replyTokens, &out.Usage)
	if err != nil {
		return out, err
	}
	v, err := j.Rubric.parse(text)
	if err != nil {
		return out, err
	}
	written, _ := j.Rubric.mean(v.Grade)
	out.Given, out.Grade = v.Grade, written
	if out.P = j.Rubric.probabilities(text, tokens); out.P != nil {
		out.Given = j.Rubric.expected(out.P)
		out.Grade, _ = j.Rubric.mean(out.Given)
	}
	if out.Grade >= assay.RelevantGrade {
		out.Evidence, err = evidence(p, v.Quote, text)
		if err != nil && written < assay.RelevantGrade {
			out.Given, out.Grade, err = v.Grade, written, nil // the odds alone do not make an answer of what the model itself did not call one
		}
	}
	return out, err
}

// ask makes one call at temperature 0.
func (j *Judge) ask(ctx context.Context, prompt string, schema []byte, limit int, u *Usage) (string, []assay.TokenProbs, error) {
	req := assay.ChatRequest{Messages: []assay.Message{{Role: "user", Text: prompt}}, Schema: schema, MaxTokens: limit, Seed: j.Seed}
	if !j.noLogprobs.Load() {
		req.TopLogprobs = alternatives
	}
	start := time.Now()
	r, err := j.Chat.Chat(ctx, req)
	if req.TopLogprobs > 0 && assay.KindOf(err) == assay.KindInvalid {
		req.TopLogprobs = 0
		if r, err = j.Chat.Chat(ctx, req); err == nil {
			j.noLogprobs.Store(true)
		}
	}
	u.PromptTokens, u.OutputTokens, u.Cached = r.PromptTokens, r.OutputTokens, r.Cached
	if !r.Cached {
		u.Time = time.Since(start)
	}
	return r.Text, r.Logprobs, err
}

// Label is the judgment of an item as an event of labels.jsonl.
func (j *Judge) Label(it *Item, v Judgment, now time.Time) assay.Label {
	l := assay.Label{Query: it.Query, Target: it.Passage.Target, Event: assay.EventGrade, Grade: v.Grade, By: assay.ByJudge,
		Who: j.Name(), Time: now, P: v.P}
	if v.Grade >= assay.RelevantGrade {
		l.Evidence = v.Evidence
	}
	if !j.Rubric.own() {
		given := float64(v.Given)
		l.Given = &given
	}
	return l
}
