package generate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/untrusted"
	"github.com/assay-eval/assay/internal/words"
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

// ownLanguage is the rule that does not hold for StyleOther.
const ownLanguage = "- Write in the language of the passage.\n"

// exampleQuestions are the questions that the prompt shows.
var exampleQuestions = []string{"What may I take notes with as a visitor?", "Is there a charge for my four year old?"}

// replySchema is the JSON Schema of a reply. The lengths bound a model that repeats itself.
var replySchema = json.RawMessage(`{"type":"object","properties":{"evidence":{"type":"string","maxLength":600},"question":{"type":"string","maxLength":300}},` +
	`"required":["evidence","question"],"additionalProperties":false}`)

// PromptID names the prompt with its schema, so that a query can be traced to what asked for it.
var PromptID = shortHash(promptText + string(replySchema))

// promptID is PromptID, or where forms are asked for, that of the prompt with what it says of them.
func promptID(p *Planner) string {
	if p == nil || len(p.Styles)+len(p.Lengths) == 0 && p.Unanswerable == 0 {
		return PromptID
	}
	text := promptText + string(replySchema) + unanswerableText
	for _, s := range Styles {
		text += styleText[s]
	}
	for _, l := range words.Lengths {
		text += lengthText[l]
	}
	return shortHash(text)
}

func shortHash(text string) string { return strings.TrimPrefix(assay.HashText(text), "sha256:")[:12] }

// styleText is what the model is told of a style.
var styleText = map[Style]string{
	StyleQuestion:   "Write a whole question that ends with a question mark.",
	StyleKeywords:   "Do not write a question. Write three to six key words, as people type them into a search box, without a question mark.",
	StyleHowTo:      `Ask how to do something: begin with "How do I" or "How to", in the language asked for.`,
	StyleTypo:       "Write a whole question that ends with a question mark.",
	StyleParaphrase: "Say it in entirely different words: use synonyms and everyday words, and avoid the words of the passage wherever you can.",
	StyleOther:      "Do not write in the language of the passage. Write the question in this language: %s.",
}

// lengthText is what the model is told of a length.
var lengthText = map[string]string{
	words.Short:  fmt.Sprintf("Use at most %d words.", words.ShortMax),
	words.Medium: fmt.Sprintf("Use %d to %d words.", words.ShortMax+1, words.MediumMax),
	words.Long:   fmt.Sprintf("Use more than %d words: tell a little of the situation you are in.", words.MediumMax),
}

// unanswerableText asks for a question without an answer. The evidence then names what is missing.
const unanswerableText = "This time ask for something that is NOT in the passage: a fact on the same subject that a reader would expect to find beside it, " +
	"and that the passage does not give. As evidence copy the sentence of the passage that comes closest."

// languageNames are the languages a model can be asked to write in, as it knows them.
var languageNames = map[string]string{"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "nl": "Dutch", "pt": "Portuguese",
	"zh": "Chinese", "ja": "Japanese", "ko": "Korean", "el": "Greek", "he": "Hebrew", "th": "Thai"}

// asks renders what a plan says as further rules of the prompt.
func (p *Plan) asks() string {
	var b strings.Builder
	say := func(text string) {
		if text != "" {
			fmt.Fprintf(&b, "- %s\n", text)
		}
	}
	if p.Unanswerable {
		say(unanswerableText)
	}
	switch text := styleText[p.Style]; {
	case p.Style != StyleOther:
		say(text)
	case p.Language != "":
		say(fmt.Sprintf(text, cmp.Or(languageNames[p.Language], p.Language)))
	}
	say(lengthText[p.Length])
	return b.String()
}

// Bounds of the person's own queries in one prompt: how many, and how long each may be.
const (
	maxExamples     = 8
	maxExampleRunes = 300
)

// someExamples draws the examples that one chunk's prompt shows: with few, the model imitates those; over
// the sample all have their turn.
func someExamples(examples []string, text string, seed uint64) []string {
	if len(examples) <= maxExamples {
		return examples
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	rng := rand.New(rand.NewPCG(seed, h.Sum64()))
	out := make([]string, maxExamples)
	for i, j := range rng.Perm(len(examples))[:maxExamples] {
		out[i] = examples[j]
	}
	return out
}

// prompt renders the request for one chunk.
func prompt(chunk assay.Chunk, examples []string, plan *Plan) string {
	var b strings.Builder
	b.WriteString(plan.asks())
	if len(examples) > 0 {
		b.WriteString("\nReal queries of this search engine, as a guide to style and length:\n")
		for _, e := range examples {
			shown := []rune(strings.Join(strings.Fields(e), " "))
			fmt.Fprintf(&b, "- %s\n", untrusted.Text(string(shown[:min(len(shown), maxExampleRunes)])))
		}
	}
	template := promptText
	if plan.Style == StyleOther {
		template = strings.Replace(template, ownLanguage, "", 1)
	}
	text := chunk.Text
	if chunk.Title != "" {
		text = chunk.Title + "\n\n" + text
	}
	text = untrusted.Text(text)
	mark := untrusted.Mark(0, text)
	open, end := "Passage "+mark+":", "(end of passage "+mark+")"
	return fmt.Sprintf(template, b.String(), open, text, end)
}
