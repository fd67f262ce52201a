package measure

import (
	"math"
	"slices"

	"github.com/assay-eval/assay"
)

// Topic is one query's ranking seen through its labels: all that a measure may look at. The unit is the
// gold item, so a Topic is the same whether it comes from TREC files or from a test set.
type Topic struct {
	// Ranked is the grade of the item at each rank, best first. NotJudged stands where the item has no
	// label, a negative grade where it was pooled but left unjudged. A repeat of a gold item already
	// seen keeps its rank with grade 0.
	Ranked []float64
	// Gold is the grade of every labelled item of the query, retrieved or not, in any order, grades of 0
	// and below included. Recall denominators and the ideal ranking come from here, never from Ranked.
	Gold []float64
	// Also lists gold items that a hit satisfies beside the one it earns its grade in Ranked by: a chunk
	// may hold two answers. They count as found for recall; a rank still earns one gain. Mostly nil.
	Also []Extra
	// Spans places the ranking and the gold text in documents, for the span measures; nil when unknown.
	Spans *Spans
	// Level is the lowest grade that counts as relevant in binary measures; 0 means 1, as trec_eval does.
	// Test sets use assay.RelevantGrade. A measure written with its own level, p(rel=2)@5, ignores it.
	// A value between -1 and 0 makes grade 0 relevant (trec_eval -l 0).
	Level float64
	// MaxGrade is the highest grade of the scale, for measures that normalise by it (err); 0 means the
	// highest grade in Gold.
	MaxGrade float64
}

// NotJudged is the grade of a ranked item without a label. It is below every grade.
var NotJudged = math.Inf(-1)

// level resolves the default of Level.
func (t *Topic) level() float64 {
	if t.Level == 0 {
		return 1
	}
	return t.Level
}

// Relevant reports whether a grade counts as relevant in the binary measures of this topic.
func (t *Topic) Relevant(grade float64) bool { return grade >= t.level() }

// NumRelevant is R: how many labelled items are relevant, retrieved or not.
func (t *Topic) NumRelevant() int {
	n := 0
	for _, g := range t.Gold {
		if t.Relevant(g) {
			n++
		}
	}
	return n
}

// Ideal is the topic with the best ranking its labels allow: every gold item, highest grade first.
func (t *Topic) Ideal() *Topic {
	ideal := *t
	ideal.Ranked = slices.Clone(t.Gold)
	slices.SortFunc(ideal.Ranked, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	ideal.Also = nil
	if t.Spans != nil {
		ideal.Spans = &Spans{Gold: t.Spans.Gold, Ranked: t.Spans.Gold}
	}
	return &ideal
}

// Optimistic is the topic in which every ranked item without a usable label turned out to be relevant
// at the highest grade: the upper bound that unjudged items leave open. The lower bound is the topic
// itself, where they count as not relevant.
func (t *Topic) Optimistic() *Topic {
	top := max(t.MaxGrade, t.level())
	for _, g := range t.Gold {
		top = max(top, g)
	}
	best := *t
	best.Ranked = slices.Clone(t.Ranked)
	best.Gold = slices.DeleteFunc(slices.Clone(t.Gold), func(g float64) bool { return g < 0 })
	for i, g := range best.Ranked {
		if g < 0 {
			best.Ranked[i] = top
			best.Gold = append(best.Gold, top)
		}
	}
	return &best
}

// Extra is a further gold item found at a rank, counted from 0.
type Extra struct {
	Rank  int
	Grade float64
}

// Spans holds what the span measures need. Ranked has one Place per rank; a hit whose place is unknown
// is a zero Place, which overlaps nothing. Gold places the relevant text only.
type Spans struct {
	Gold   []Place
	Ranked []Place
}

// Place is a byte range of one document. Tokens is the length of the hit in tokens, for measures cut at
// a token budget; 0 means it is to be estimated.
type Place struct {
	Document string
	Span     assay.Span
	Tokens   int
}
