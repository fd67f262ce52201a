package project

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/testset"
)

// Fate says where the text that a label judges stands now.
type Fate string

// The fates. Moved labels count where their text is; ambiguous, stale and gone ones do not count and wait for a person.
const (
	FateKept      Fate = "kept"      // in this version of its document, or the same bytes at the same place
	FateMoved     Fate = "moved"     // found elsewhere in the document, or with small changes
	FateAmbiguous Fate = "ambiguous" // the text stands in several places that fit equally well
	FateStale     Fate = "stale"     // the text is no longer in the document
	FateGone      Fate = "gone"      // the document, or the chunk that is all the label knows, is no longer there
	FateUnknown   Fate = "unknown"   // there is no corpus to look in
)

// Fates lists all fates, in the order in which they are shown.
func Fates() []Fate {
	return []Fate{FateKept, FateMoved, FateAmbiguous, FateStale, FateGone, FateUnknown}
}

// Lost reports whether a label of this fate does not count any more.
func (f Fate) Lost() bool { return f == FateAmbiguous || f == FateStale || f == FateGone }

// LabelFate is a label that counts, and where its text is.
type LabelFate struct {
	Label assay.Label `json:"label"`
	Fate  Fate        `json:"fate"`
	// Now is where the text stands in the current version of the document; set for moved labels.
	Now *assay.Span `json:"now,omitempty"`
}

// LabelFates looks for the text of every label that counts in the corpus as it is now, as scoring does.
func (p *Project) LabelFates(ctx context.Context) ([]LabelFate, error) {
	set, texts, err := p.rated(ctx)
	if err != nil {
		return nil, err
	}
	out := []LabelFate{}
	for _, q := range set.Queries() {
		for _, l := range set.Labels(q.ID) {
			f := LabelFate{Label: l}
			if f.Fate, f.Now, err = texts.fate(&l.Target); err != nil {
				return nil, err
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// fate follows one target.
func (t *passageTexts) fate(target *assay.Target) (Fate, *assay.Span, error) {
	if t.corpus == nil {
		return FateUnknown, nil, nil
	}
	if !target.Anchored() {
		return t.fateOfKey(target), nil, nil
	}
	doc, ok := t.corpus.LookupDocument(target.Document)
	switch {
	case !ok:
		return FateGone, nil, nil
	case target.Version == doc.Version():
		return FateKept, nil, nil
	case target.Quote == "":
		return t.fateOfKey(target), nil, nil
	}
	moved, err := relocate(target, doc.Text)
	if err != nil {
		return "", nil, err
	}
	span := moved.Anchor.Span()
	switch moved.Status {
	case anchor.Kept:
		return FateKept, nil, nil
	case anchor.Moved:
		return FateMoved, &span, nil
	case anchor.Ambiguous:
		return FateAmbiguous, nil, nil
	}
	return FateStale, nil, nil
}

// fateOfKey follows a target that is known by a key alone.
func (t *passageTexts) fateOfKey(target *assay.Target) Fate {
	if testset.WholeDocument(target) {
		if _, ok := t.corpus.LookupDocument(target.Document); ok {
			return FateKept
		}
		return FateGone
	}
	if c, ok := t.corpus.Lookup(target.Chunk); ok && (target.TextHash == "" || target.TextHash == c.Hash()) {
		return FateKept
	}
	return FateGone
}
