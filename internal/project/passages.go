package project

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/testset"
)

// passageTexts finds the texts that labels are about, without a run at hand.
type passageTexts struct {
	corpus  *Corpus // nil without documents
	classes func() classes
}

func (p *Project) passageTexts(ctx context.Context) (*passageTexts, error) {
	if p.Config.Corpus == nil {
		return &passageTexts{}, nil
	}
	c, err := p.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	return &passageTexts{c, c.classes}, nil
}

// passage is the text that a target judges as a whole: its own quote, else what the corpus holds at its place or under its
// key.
func (t *passageTexts) passage(target *assay.Target) (label.Passage, bool) {
	out := label.Passage{Target: *target, Text: target.Quote}
	if t.corpus == nil {
		return out, out.Text != ""
	}
	if c, ok := t.corpus.Lookup(target.Chunk); ok && (out.Text == "" || c.Text == out.Text) && (target.TextHash == "" || target.TextHash == c.Hash()) {
		out.Title, out.Text = c.Title, c.Text
		return out, true
	}
	if d, ok := t.corpus.LookupDocument(target.Document); ok && out.Text == "" && d.Version() == target.Version {
		if target.Anchored() {
			out.Text, _ = target.Span().In(d.Text)
		} else {
			out.Title, out.Text = d.Title, d.Text
		}
	}
	return out, out.Text != ""
}

// item names what a target judges, so that two raters meet on it: the class of its text where there are near-duplicates, else
// the text, else the target.
func (t *passageTexts) item(target *assay.Target) string {
	hash := target.TextHash
	if hash == "" && target.Quote != "" {
		hash = assay.HashText(target.Quote)
	}
	if hash == "" {
		return testset.Key(target)
	}
	if t.classes != nil {
		if class, ok := t.classes().Class(hash); ok {
			return class
		}
	}
	return hash
}
