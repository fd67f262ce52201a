package generate

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// promptText is what the model is asked. The evidence comes before the question: a model that has to point
// at the answer first asks about it, and a small one copies from the passage instead of inventing. The
// worked examples steer more than the rules do; a question that repeats one of them is rejected.
const promptText = `You help to test a search engine. For each passage below, copy the one sentence or phrase that holds a useful fact, letter for
letter, and write the question that a person who has never seen the passage would type into the search box to learn that fact.

Rules:
- Ask about one thing. The question must make sense on its own, without the passage at hand.
- Use your own words; do not copy phrases from the passage.
- Do not mention "the passage", "the text", "the author" or "the document".
- Write in the language of the passage.
- Reply with one JSON object and nothing else.
%s
Passage: The reading room opens at nine. Coats stay at the desk, and pens are not allowed; pencils are lent for free.
{"evidence": "pens are not allowed; pencils are lent for free", "question": "What may I take notes with as a visitor?"}

Passage: Tickets are sold until half an hour before the gate closes. Children under six pay nothing.
{"evidence": "Children under six pay nothing.", "question": "Is there a charge for my four year old?"}

%s
%s
%s
`

// exampleQuestions are the questions that the prompt shows.
var exampleQuestions = []string{"What may I take notes with as a visitor?", "Is there a charge for my four year old?"}

// replySchema is the JSON Schema of a reply. The lengths bound a model that repeats itself.
var replySchema = json.RawMessage(`{"type":"object","properties":{"evidence":{"type":"string","maxLength":600},"question":{"type":"string","maxLength":300}},` +
	`"required":["evidence","question"],"additionalProperties":false}`)

// PromptID names the prompt with its schema, so that a query can be traced to what asked for it.
var PromptID = strings.TrimPrefix(assay.HashText(promptText+string(replySchema)), "sha256:")[:12]

// maxExamples bounds how many of the person's own queries go into the prompt.
const maxExamples = 8

// prompt renders the request for one chunk.
func prompt(chunk assay.Chunk, examples []string) string {
	var b strings.Builder
	if len(examples) > 0 {
		b.WriteString("\nReal queries of this search engine, as a guide to style and length:\n")
		for _, e := range examples[:min(len(examples), maxExamples)] {
			fmt.Fprintf(&b, "- %s\n", strings.Join(strings.Fields(e), " "))
		}
	}
	// A mark made of the text's own hash cannot occur in the text.
	mark := strings.TrimPrefix(assay.HashText(chunk.Text), "sha256:")[:8]
	open, end := "Passage "+mark+":", "(end of passage "+mark+")"
	text := chunk.Text
	if chunk.Title != "" {
		text = chunk.Title + "\n\n" + text
	}
	return fmt.Sprintf(promptText, b.String(), open, text, end)
}
