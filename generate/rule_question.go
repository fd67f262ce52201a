package generate

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of a question.
const (
	minQuestionWords = 3
	maxQuestionWords = 40
	maxQuestionBytes = 1000
)

// RuleQuestion refuses what is not one question of a sensible length.
func RuleQuestion() Rule {
	return Rule{"question", func(_ context.Context, c *Candidate) (string, error) {
		c.Question = strings.Join(strings.Fields(c.Question), " ")
		n := len(Words(c.Question))
		switch {
		case n == 0:
			return "the question is empty", nil
		case !utf8.ValidString(c.Question) || len(c.Question) > maxQuestionBytes:
			return fmt.Sprintf("the question is not valid text of at most %d bytes", maxQuestionBytes), nil
		case n < minQuestionWords || n > maxQuestionWords:
			return fmt.Sprintf("the question has %d words; %d to %d are expected", n, minQuestionWords, maxQuestionWords), nil
		}
		return "", nil
	}}
}

// RuleExample refuses a question that repeats an example of the prompt, in all but a few letters: a weak
// model does that instead of reading the passage.
func RuleExample() Rule {
	return Rule{"example", func(_ context.Context, c *Candidate) (string, error) {
		for _, e := range exampleQuestions {
			if alike(e, c.Question) {
				return "repeats an example of the prompt", nil
			}
		}
		for _, e := range c.shown {
			if alike(e, c.Question) {
				return fmt.Sprintf("repeats %q, which it was shown as an example", e), nil
			}
		}
		return "", nil
	}}
}
