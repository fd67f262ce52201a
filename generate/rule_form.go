package generate

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/words"
)

// Limits of the styles.
const (
	maxKeywords           = 8   // words of a keyword query
	maxParaphraseCoverage = 0.5 // of its content words that the source may hold
)

// RuleForm refuses what is not of the form that was asked for. It comes after leakage was measured.
func RuleForm() Rule {
	return Rule{"form", func(_ context.Context, c *Candidate) (string, error) {
		asks := strings.HasSuffix(strings.TrimSpace(c.Question), "?")
		opens, howTo := opener(c)
		n := len(Words(c.Question))
		switch c.Plan.Style {
		case StyleKeywords:
			if asks || opens || n > maxKeywords {
				return fmt.Sprintf("is no keyword query of at most %d words", maxKeywords), nil
			}
		case StyleHowTo:
			if !howTo {
				return "does not ask how to do something", nil
			}
		case StyleParaphrase:
			if c.Leakage.ContentCoverage > maxParaphraseCoverage {
				return fmt.Sprintf("is no paraphrase: the source has %.0f %% of its words", 100*c.Leakage.ContentCoverage), nil
			}
			fallthrough
		case StyleQuestion, StyleTypo:
			if !asks && !opens {
				return "is no question", nil
			}
		}
		if want := c.Plan.Length; want != "" && words.Length(n) != want {
			return fmt.Sprintf("is %s, with %d words; a %s query was asked for", words.Length(n), n, want), nil
		}
		return "", nil
	}}
}

// opener reports whether a text begins as a question does, and as one for the way to do something. For a
// language without phrases any beginning will do for both: only the question mark is looked at.
func opener(c *Candidate) (question, howTo bool) {
	text := plain(c.Question)
	books := booksFor(c.Question, c.language())
	for _, book := range books {
		_, q := book.find("opener", text)
		_, h := book.find("how-to", text)
		question, howTo = question || q, howTo || h
	}
	if len(books) == 0 {
		return c.Plan.Style != StyleKeywords, true
	}
	return question || howTo, howTo
}
