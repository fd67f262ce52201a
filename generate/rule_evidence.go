package generate

import (
	"context"
	"strings"

	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/internal/untrusted"
)

// RuleEvidence refuses a question whose quote is not found in the source or stands there more than once,
// and anchors the one that is.
func RuleEvidence() Rule {
	return Rule{"evidence", func(_ context.Context, c *Candidate) (string, error) {
		if c.Plan.Unanswerable {
			return "", nil // there is none, and that is the point
		}
		quote := strings.TrimSpace(c.Quote)
		if quote == "" {
			return "no evidence was quoted", nil
		}
		m, ok := anchor.Find(c.Chunk.Text, untrusted.Quote(c.Chunk.Text, quote))
		if !ok {
			return "the quoted evidence is not in the source", nil
		}
		if !m.Unique {
			return "the quoted evidence stands more than once in the source", nil
		}
		a, err := anchor.Within(c.Chunk.Before, c.Chunk.Text, c.Chunk.After, m.Span)
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
