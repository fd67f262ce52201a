package generate

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
)

// MaxSharedRun is the longest run of words that a question may share with its source: six in a row are
// copied (Chroma's question set: 15.5 % of synthetic questions, against 0.1 % of real ones).
const MaxSharedRun = 5

// RuleCopy measures leakage and refuses a question that copies its source.
func RuleCopy() Rule {
	return Rule{"copy", func(_ context.Context, c *Candidate) (string, error) {
		c.Leakage = Measure(c.Question, sourceText(&c.Chunk))
		if n := c.Leakage.LongestSharedNgram; n > MaxSharedRun {
			return fmt.Sprintf("copies %d words in a row from the source", n), nil
		}
		return "", nil
	}}
}

// sourceText is all that the writer saw of a chunk.
func sourceText(c *assay.Chunk) string { return c.Title + "\n" + c.Text }
