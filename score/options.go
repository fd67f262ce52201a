package score

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// Passages gives the text of hits, which a run stores once, by hash.
type Passages interface {
	Text(hash string) (text string, ok bool)
}

// Index finds a chunk of the index or corpus under test by its key.
type Index interface {
	Lookup(chunkID string) (assay.Chunk, bool)
}

// Documents is an optional power of an Index: the source documents as they are now. With it, labels made
// on an earlier version of a document are found again in the current one, or called stale.
type Documents interface {
	LookupDocument(id string) (assay.Document, bool)
}

// Places finds where a text stands in the corpus, when it stands in one place only.
type Places interface {
	Place(text string) (document string, span assay.Span, ok bool)
}

// Options say what is known beside rankings and labels. All of it is optional.
type Options struct {
	// K is how many hits the system was asked for; 0 when unknown. Shorter lists are counted, and cutoffs
	// beyond it are warned of.
	K      int
	Index  Index
	Places Places
	// Twins makes what compares the texts that a query's labels judge with its hits; nil takes only equal texts for the
	// same. Whether a hit is credited as the near-duplicate of a label follows from these two texts, whatever else was
	// retrieved.
	Twins func() assay.Twins
	// Judged finds chunks that a label names, as they were retrieved somewhere: their texts, where neither the label nor
	// Index has them.
	Judged Index
	// Chunking is that of the index under test, where it is known to be the one that the system searches.
	Chunking Chunking
	// Selected says which queries the run was meant to hold, so that a run of one tag is not reproached for
	// the others; nil means all of the set.
	Selected func(*assay.Query) bool
	// Judges says why the labels of a judge (Who of a label by a language model) are not to be believed, in a clause that
	// a warning can end with; "" when they are. nil means that no judge is believed.
	Judges func(who string) string
	// Stats steers the intervals; its zero value is the recommended setting. Its Range is ignored: every
	// measure has its own.
	Stats stats.Options
	// Beside are further measures of the same rankings, for a curve: their means are in Scored.Beside, and nothing else is
	// said of them.
	Beside []measure.Measure
	// Sums keeps the values of each query and nothing else: Scored.Queries is nil, and what there is to say of
	// a query is said to Each. Then no query may come twice.
	Sums bool
	// Each, when set, is given every query as it is scored, in the order of the results.
	Each func(Query) error
}
