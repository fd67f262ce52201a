package anchor

import "github.com/assay-eval/assay"

// Credit is what a retrieved chunk earns for a labelled span, by the share of the span it covers.
type Credit int

// The credits, from the least.
const (
	NoCredit Credit = iota // covers less than a quarter
	Partial                // covers a quarter or more
	Full                   // covers three quarters or more
)

// CreditFor is the credit of a chunk for a labelled span of the same document. Shares are compared as
// whole numbers, so that exactly three quarters is full whatever the lengths. An empty gold span earns
// nothing.
func CreditFor(chunk, gold assay.Span) Credit {
	common, all := chunk.Overlap(gold), gold.Len()
	switch {
	case all == 0 || 4*common < all:
		return NoCredit
	case 4*common < 3*all:
		return Partial
	}
	return Full
}

// Grade is the grade a chunk with this credit gets from a label of the given grade: all of it when full,
// at most 1 when partial, else 0.
func (c Credit) Grade(label assay.Grade) assay.Grade {
	switch c {
	case Full:
		return label
	case Partial:
		return min(label, 1)
	}
	return 0
}

func (c Credit) String() string {
	return [...]string{"none", "partial", "full"}[c]
}
