package generate

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// RulePreamble refuses a reply that talks about the question before, or instead of, asking it.
func RulePreamble() Rule { return phraseRule("preamble", "is not only the question: %q") }

// RuleQuiz refuses exam questions, which nobody types into a search box.
func RuleQuiz() Rule { return phraseRule("quiz", "is an exam question: %q") }

// phraseRule refuses what a section of the phrases for its language catches.
func phraseRule(section, reason string) Rule {
	return Rule{section, func(_ context.Context, c *Candidate) (string, error) {
		for _, book := range booksFor(c.Question, c.language()) {
			if m, ok := book.find(section, plain(c.Question)); ok {
				return fmt.Sprintf(reason, m), nil
			}
		}
		return "", nil
	}}
}

// RuleSingle refuses two questions in one: half an answer would count as none, or as a whole one.
func RuleSingle() Rule {
	return Rule{"single", func(_ context.Context, c *Candidate) (string, error) {
		text := plain(c.Question)
		if secondSentence(text) {
			return "has more than one sentence", nil
		}
		for _, book := range booksFor(c.Question, c.language()) {
			if m, ok := book.find("two", book.without("joint", text)); ok {
				return fmt.Sprintf("asks for two things: %q", m), nil
			}
		}
		return "", nil
	}}
}

// plain is a question as phrases are written for: single spaces, straight quotes.
func plain(question string) string {
	return strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`).Replace(strings.Join(strings.Fields(question), " "))
}

var sentenceEnd = regexp.MustCompile(`([\p{L}\d]+)["')]*[.!?…]+["')]* +["'(]*[\p{Lu}\d]`)

// abbreviations end with a full stop that ends no sentence. Single letters do, too.
var abbreviations = set("approx art bspw bzw ca co corp dept dr eg etc evtl fig ggf ie incl inc inkl jr max min mr mrs ms no nr prof sog st str tel usw vgl vs zb")

// secondSentence reports whether a sentence ends before the text does.
func secondSentence(text string) bool {
	for _, m := range sentenceEnd.FindAllStringSubmatchIndex(text, -1) {
		word := strings.ToLower(text[m[2]:m[3]])
		dot := strings.HasPrefix(text[m[3]:], ".")
		if !dot || len([]rune(word)) > 1 && !abbreviations[word] {
			return true
		}
	}
	return false
}
