package generate

import (
	"context"
	"fmt"
)

// RuleLanguage refuses a question in another language than the one expected: that of its source, unless the
// writer was asked for another. Where either cannot be told, as with a few key words, it lets pass.
func RuleLanguage() Rule {
	return Rule{"language", func(_ context.Context, c *Candidate) (string, error) {
		want := c.language()
		if got := foreign(c.Question, want); got != "" {
			return fmt.Sprintf("is written in %s; %s is expected", got, want), nil
		}
		return "", nil
	}}
}

// language is the language the question is to be written in; "" when it is not known.
func (c *Candidate) language() string {
	if c.Plan.Language != "" {
		return c.Plan.Language
	}
	return Language(c.Chunk.Text)
}
