package generate

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/untrusted"
)

// standalone asks whether somebody who has not seen the text could have asked this.
func (k *Checks) standalone() Rule {
	return Rule{"standalone", func(ctx context.Context, c *Candidate) (string, error) {
		a, usable, err := k.ask(ctx, fmt.Sprintf(standaloneText, untrusted.Text(c.Question)))
		switch {
		case err != nil:
			return "", err
		case !usable:
			c.Tags = append(c.Tags, TagUnchecked)
		case !a.Found:
			return "the model does not see what is asked for without the text", nil
		}
		return "", nil
	}}
}

// answerable asks for the answer twice from the evidence, under two prompts, and once from a passage drawn
// at random. Both answers must be there and agree, and the random passage must have none: a model that finds
// an answer everywhere has not read the evidence either.
func (k *Checks) answerable() Rule {
	return Rule{"answerable", func(ctx context.Context, c *Candidate) (string, error) {
		if c.Plan.Unanswerable || c.Quote == "" {
			return "", nil
		}
		var got [2]answer
		for i := range got {
			a, usable, err := k.from(ctx, i, c.Quote, c.Question)
			if err != nil {
				return "", err
			}
			if !usable || !a.Found {
				return "the evidence does not answer it", nil
			}
			got[i] = a
		}
		if !agree(got[0].Answer, got[1].Answer) {
			return fmt.Sprintf("the evidence was read as %q and as %q", got[0].Answer, got[1].Answer), nil
		}
		c.answer = got[0].Answer
		if k.Other == nil {
			return "", nil
		}
		other := k.Other(c)
		if other == "" {
			return "", nil
		}
		a, usable, err := k.from(ctx, 0, other, c.Question)
		if err != nil {
			return "", err
		}
		if !usable || a.Found {
			return fmt.Sprintf("a passage drawn at random answers it too: %q", a.Answer), nil
		}
		return "", nil
	}}
}

// closedBook marks a question that the model answers without any text: no use for judging answers, since a
// right one proves no retrieval.
func (k *Checks) closedBook() Rule {
	return Rule{ruleClosedBook, func(ctx context.Context, c *Candidate) (string, error) {
		if c.answer == "" {
			return "", nil
		}
		a, usable, err := k.ask(ctx, fmt.Sprintf(closedBookText, untrusted.Text(c.Question)))
		switch {
		case err != nil:
			return "", err
		case !usable:
			c.Tags = append(c.Tags, TagUnchecked)
		case a.Found && agree(a.Answer, c.answer):
			c.Tags = append(c.Tags, assay.TagParametric)
		}
		return "", nil
	}}
}
