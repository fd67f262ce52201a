package generate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/strictjson"
	"github.com/assay-eval/assay/internal/untrusted"
)

// Checks are the rules that ask a model or search: rules 5 (its second half) and 7 to 10 of the chain. They
// cost several calls a question. Round trip at rank 1 is not among them and is not on offer: it deletes a
// third to a half of good questions, and the hardest first.
type Checks struct {
	Chat assay.Chat
	Seed uint64
	// Other gives the text of a passage drawn at random that is not the candidate's: the control of the
	// question whether the model reads what it is shown.
	Other func(c *Candidate) string
	// Retrievers search the source's collection. Round trip takes the union of all; ambiguity needs two.
	Retrievers []Named
}

// Named is a retriever with the name that reasons call it by.
type Named struct {
	Name string
	assay.Retriever
}

// Rules are the rules that can be applied with what there is.
func (k *Checks) Rules() []Rule {
	rules := []Rule{k.standalone(), k.answerable(), k.closedBook()}
	if len(k.Retrievers) > 0 {
		rules = append(rules, k.noAnswer(), k.roundTrip())
	}
	if len(k.Retrievers) > 1 {
		rules = append(rules, k.ambiguity())
	}
	return rules
}

// TagUnchecked marks a query for which a check got no usable reply.
const TagUnchecked = "unchecked"

// answerTokens caps the reply to a check.
const answerTokens = 200

var answerSchema = json.RawMessage(`{"type":"object","properties":{"found":{"type":"boolean"},"answer":{"type":"string","maxLength":300}},` +
	`"required":["found","answer"],"additionalProperties":false}`)

// answer is what the model makes of a question.
type answer struct {
	Found  bool   `json:"found"`
	Answer string `json:"answer"`
}

// The prompts that ask for an answer from a text: two, because one model agreeing with itself under one
// wording shows little.
var fromText = []string{
	`Read the text and answer the question from the text alone, in a few words. If the text does not answer it, "found" is false and the answer is empty.

Text %[1]s:
%[2]s
(end of text %[1]s)

Question: %[3]s

Reply with one JSON object: {"found": true or false, "answer": "..."}`,
	`Question: %[3]s

Somebody claims that the following text settles this question. Check it. If it does, quote the few words that are the answer; if it does not, say "found": false with an empty answer. Use nothing but the text.

Text %[1]s:
%[2]s
(end of text %[1]s)

Reply with one JSON object: {"found": true or false, "answer": "..."}`,
}

const closedBookText = `Answer the question in a few words from what you know. If you cannot know it, because it is about some particular company, product or document, "found" is false and the answer is empty.

Question: %s

Reply with one JSON object: {"found": true or false, "answer": "..."}`

const standaloneText = `A stranger types this into a search box:

%s

Is it clear what the stranger wants to know, without seeing any other text? "found" is true when it is clear, and false when it points at something that is not named. The answer is empty.

Reply with one JSON object: {"found": true or false, "answer": ""}`

// ask puts one prompt to the model at temperature 0. usable is false when the reply was no answer, which is
// neither yes nor no; an error means that the model could not be asked.
func (k *Checks) ask(ctx context.Context, prompt string) (a answer, usable bool, err error) {
	reply, err := k.Chat.Chat(ctx, assay.ChatRequest{
		Messages: []assay.Message{{Role: "user", Text: prompt}}, Schema: answerSchema, MaxTokens: answerTokens, Seed: k.Seed,
	})
	if err != nil {
		if assay.OfReply(err) {
			return answer{}, false, nil
		}
		return answer{}, false, err
	}
	a, err = strictjson.Parse[answer](reply.Text)
	if err != nil || a.Found && strings.TrimSpace(a.Answer) == "" && strings.Contains(prompt, "few words") {
		return answer{}, false, nil //nolint:nilerr // a malformed reply is an unusable one
	}
	return a, true, nil
}

// from asks for an answer from a text, with one of the two prompts.
func (k *Checks) from(ctx context.Context, which int, text, question string) (answer, bool, error) {
	text, question = untrusted.Text(text), untrusted.Text(question)
	return k.ask(ctx, fmt.Sprintf(fromText[which], untrusted.Mark(0, text, question), text, question))
}

// agree reports whether two answers say the same: the same numbers where both have some, and at least half
// of the content words of the shorter one in the other.
func agree(a, b string) bool {
	if x, y := numbers(a), numbers(b); len(x) > 0 && len(y) > 0 {
		return slices.Equal(x, y)
	}
	x, y := set(strings.Join(contentWords(a), " ")), set(strings.Join(contentWords(b), " "))
	shared := 0
	for w := range x {
		if y[w] {
			shared++
		}
	}
	return shared > 0 && 2*shared >= min(len(x), len(y))
}

// numbers are the words of a text that have a digit, sorted, each once.
func numbers(text string) []string {
	var out []string
	for _, w := range Words(text) {
		if strings.IndexFunc(w, unicode.IsDigit) >= 0 {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
