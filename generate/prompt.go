package generate

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// promptText is what the model is asked. Examples of real queries steer style more than any instruction
// does; the passage stands between marks that its text cannot contain.
const promptText = `You help to test a search engine. Below is a passage from a document. Write one question that a person who has
not seen the passage might type into the search box, and that this passage answers.

Rules:
- Ask about one thing. The question must make sense on its own, without the passage at hand.
- Use your own words; do not copy phrases from the passage.
- Do not mention "the passage", "the text", "the author" or "the document".
- Copy into "evidence", letter for letter, the one sentence or phrase of the passage that answers the question.
- Write in the language of the passage.
%s
Reply with one JSON object and nothing else: {"question": "...", "evidence": "..."}

%s
%s
%s`

// replySchema is the JSON Schema of a reply.
var replySchema = json.RawMessage(`{"type":"object","properties":{"question":{"type":"string"},"evidence":{"type":"string"}},"required":["question","evidence"],"additionalProperties":false}`)

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
	open, end := "<passage "+mark+">", "</passage "+mark+">"
	text := chunk.Text
	if chunk.Title != "" {
		text = chunk.Title + "\n\n" + text
	}
	return fmt.Sprintf(promptText, b.String(), open, text, end)
}
