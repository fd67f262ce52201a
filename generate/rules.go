package generate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/anchor"
)

// MaxSharedRun is the longest run of words that a question may share with its source: six in a row are
// copied (Chroma's question set: 15.5 % of synthetic questions, against 0.1 % of real ones).
const MaxSharedRun = 5

// Bounds of a question.
const (
	minQuestionWords = 3
	maxQuestionWords = 40
	maxQuestionBytes = 1000
)

// DefaultRules are the filters every written question passes, in order.
func DefaultRules() []Rule {
	return []Rule{RuleQuestion(), RuleExample(), RuleEvidence(), RuleCopy()}
}

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

// RuleExample refuses a question that repeats an example of the prompt: a weak model does that instead of
// reading the passage.
func RuleExample() Rule {
	return Rule{"example", func(_ context.Context, c *Candidate) (string, error) {
		for _, e := range exampleQuestions {
			if slices.Equal(Words(e), Words(c.Question)) {
				return "repeats an example of the prompt", nil
			}
		}
		return "", nil
	}}
}

// RuleEvidence refuses a question whose quote is not found in the source or stands there more than once,
// and anchors the one that is.
func RuleEvidence() Rule {
	return Rule{"evidence", func(_ context.Context, c *Candidate) (string, error) {
		quote := strings.TrimSpace(c.Quote)
		if quote == "" {
			return "no evidence was quoted", nil
		}
		m, ok := anchor.Find(c.Chunk.Text, quote)
		if !ok {
			return "the quoted evidence is not in the source", nil
		}
		if !m.Unique {
			return "the quoted evidence stands more than once in the source", nil
		}
		a, err := anchor.At(c.Chunk.Text, m.Span)
		if err != nil {
			return "", err
		}
		a.Document, a.Version = c.Chunk.Document, c.Chunk.Version
		if c.Chunk.Span != nil {
			a.Start, a.End = a.Start+c.Chunk.Span.Start, a.End+c.Chunk.Span.Start
		}
		c.Evidence, c.Quote = &a, a.Quote
		return "", nil
	}}
}

// RuleCopy measures leakage and refuses a question that copies its source.
func RuleCopy() Rule {
	return Rule{"copy", func(_ context.Context, c *Candidate) (string, error) {
		c.Leakage = Measure(c.Question, c.Chunk.Title+"\n"+c.Chunk.Text)
		if n := c.Leakage.LongestSharedNgram; n > MaxSharedRun {
			return fmt.Sprintf("copies %d words in a row from the source", n), nil
		}
		return "", nil
	}}
}
