package project

import (
	"cmp"
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// passageTexts finds the texts that labels are about, without a run at hand.
type passageTexts struct {
	corpus *Corpus // nil without documents
}

func (p *Project) passageTexts(ctx context.Context) (*passageTexts, error) {
	if p.Config.Corpus == nil {
		return &passageTexts{}, nil
	}
	c, err := p.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	return &passageTexts{c}, nil
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

// namer names what targets of one query judge.
type namer func(*assay.Target) string

// items names what targets judge, so that two raters meet on it: of near-duplicates that have events of the query, the first by
// the hash of its text, else the text, else the target.
func (t *passageTexts) items(set *testset.Set, query string) namer {
	texts := map[string]string{} // by hash
	for _, e := range set.Events(query) {
		hash := hashOf(&e.Target)
		if p, ok := t.passage(&e.Target); ok && hash != "" && texts[hash] == "" && assay.HashText(p.Text) == hash {
			texts[hash] = p.Text
		}
	}
	names := score.Fold(texts, newTwins)
	return func(target *assay.Target) string {
		hash := hashOf(target)
		if hash == "" {
			return testset.Key(target)
		}
		return cmp.Or(names[hash], hash)
	}
}

// hashOf is the hash of the text that a target judges, or of the words that are all it knows; "" when it has neither.
func hashOf(t *assay.Target) string {
	if t.TextHash == "" && t.Quote != "" {
		return assay.HashText(t.Quote)
	}
	return t.TextHash
}
