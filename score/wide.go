package score

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
)

// Chunking says how the index under test cuts documents.
type Chunking interface {
	// Best is the span of the single chunk that covers most of a span, empty when none touches it; ok is false when
	// the index does not know the document.
	Best(document string, span assay.Span) (chunk assay.Span, ok bool)
}

// wide counts the relevant items, and those of them that have a place in a document and that no chunk of the index
// covers well enough to be a full hit. Such an item was labelled on wider chunks than there are now: it is lost
// whatever the ranking, and recall falls for a reason that is none of the system's.
func (s *scorer) wide(g *gold, v *view) (wide, all int) {
	if s.opts.Chunking == nil {
		return 0, 0
	}
	within := make([]bool, len(g.items))
	for i := range v.hits {
		for _, m := range v.hits[i].matches {
			if m.credit == anchor.Full { // of whatever way
				within[g.members[m.member].item] = true
			}
		}
	}
	for i := range g.members {
		m := &g.members[i]
		within[m.item] = within[m.item] || s.within(m)
	}
	for i := range g.items {
		if g.items[i].grade < assay.RelevantGrade {
			continue
		}
		all++
		if !within[i] {
			wide++
		}
	}
	return wide, all
}

// within reports whether a single chunk can earn what m asks for, or nobody can say.
func (s *scorer) within(m *member) bool {
	if m.wholeDocument || !m.target.Anchored() {
		return true
	}
	if m.hash != "" && s.known.hashOf(m.target.Chunk) == m.hash { // the labelled chunk is there itself
		return true
	}
	best, ok := s.opts.Chunking.Best(m.target.Document, m.target.Span())
	return !ok || anchor.CreditFor(best, m.target.Span()) == anchor.Full
}
