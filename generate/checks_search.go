package generate

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
)

// How deep the checks look.
const (
	roundTripDepth = 100
	poolDepth      = 20
	noAnswerDepth  = 10
	maxAnswering   = 5 // passages that may answer a question before it is broad
)

// roundTrip marks a question whose source no retriever finds in its first hundred: hard, or broken. A person
// decides which. It never looks at rank 1.
func (k *Checks) roundTrip() Rule {
	return Rule{ruleRoundTrip, func(ctx context.Context, c *Candidate) (string, error) {
		if c.Plan.Unanswerable {
			return "", nil
		}
		source := source{Candidate: c}
		for _, r := range k.Retrievers {
			resp, err := k.search(ctx, r, c, roundTripDepth)
			if err != nil {
				return "", err
			}
			for i := range resp.Hits {
				if source.is(&resp.Hits[i]) {
					return "", nil
				}
			}
		}
		c.Tags = append(c.Tags, assay.TagNotFound)
		return "", nil
	}}
}

// ambiguity pools what the retrievers find and asks the model which of it answers. More than five different
// passages make a question broad; two different answers are a conflict.
func (k *Checks) ambiguity() Rule {
	return Rule{ruleAmbiguity, func(ctx context.Context, c *Candidate) (string, error) {
		if c.Plan.Unanswerable {
			return "", nil
		}
		pool, err := k.pool(ctx, c, poolDepth)
		if err != nil {
			return "", err
		}
		var answers []string
		if c.answer != "" {
			answers = append(answers, c.answer) // that of the source
		}
		conflict, source := false, source{Candidate: c}
		for i := range pool {
			if c.answer != "" && source.is(&pool[i]) {
				continue
			}
			a, usable, err := k.from(ctx, 0, pool[i].Text, c.Question)
			if err != nil {
				return "", err
			}
			if !usable || !a.Found {
				continue
			}
			for _, other := range answers {
				conflict = conflict || !agree(a.Answer, other)
			}
			answers = append(answers, a.Answer)
		}
		if len(answers) > maxAnswering {
			c.Tags = append(c.Tags, assay.TagBroad)
		}
		if conflict {
			c.Tags = append(c.Tags, assay.TagConflict)
		}
		return "", nil
	}}
}

// noAnswer refuses a question that was to have no answer and has one.
func (k *Checks) noAnswer() Rule {
	return Rule{"no-answer", func(ctx context.Context, c *Candidate) (string, error) {
		if !c.Plan.Unanswerable {
			return "", nil
		}
		pool, err := k.pool(ctx, c, noAnswerDepth)
		if err != nil {
			return "", err
		}
		for i := range pool {
			a, usable, err := k.from(ctx, 0, pool[i].Text, c.Question)
			if err != nil {
				return "", err
			}
			if usable && a.Found {
				return fmt.Sprintf("was to have no answer, and %s has one: %q", pool[i].ID, a.Answer), nil
			}
		}
		return "", nil
	}}
}

// pool is the union of the first hits of every retriever, one of each class of near-duplicates, without
// those that have no text to read.
func (k *Checks) pool(ctx context.Context, c *Candidate, depth int) ([]assay.Hit, error) {
	var out []assay.Hit
	var seen corpus.Twins
	for _, r := range k.Retrievers {
		resp, err := k.search(ctx, r, c, depth)
		if err != nil {
			return nil, err
		}
		for _, h := range resp.Hits {
			if _, again := seen.Of(h.Text); h.Text != "" && !again {
				seen.Add(h.Text)
				out = append(out, h)
			}
		}
	}
	return out, nil
}

func (k *Checks) search(ctx context.Context, r Named, c *Candidate, depth int) (assay.Response, error) {
	resp, err := r.Search(ctx, assay.Request{Text: c.Question, Filter: c.Plan.Filter, K: depth})
	if err != nil {
		return resp, fmt.Errorf("%s: %w", r.Name, err)
	}
	return resp, nil
}

// source is what a question was written from.
type source struct {
	*Candidate
	twins corpus.Twins // of its text, once that is asked for
}

// is reports whether a hit is that text, or says the same: the same chunk, an overlapping place, the evidence inside its text,
// or a near-duplicate.
func (s *source) is(h *assay.Hit) bool {
	if h.ID == s.Chunk.ID {
		return true
	}
	if e := s.Evidence; e != nil && e.Document != "" && h.Document == e.Document && h.Span != nil && h.Span.Overlap(e.Span()) > 0 {
		return true
	}
	if h.Text == "" {
		return false
	}
	if quote := strings.TrimSpace(cmp.Or(s.Quote, s.Chunk.Text)); strings.Contains(h.Text, quote) {
		return true
	}
	if s.twins.Len() == 0 {
		s.twins.Add(s.Chunk.Text)
	}
	_, same := s.twins.Of(h.Text)
	return same
}
