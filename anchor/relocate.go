package anchor

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
)

// Status says what became of an anchor in a newer version of its document.
type Status string

// The fates of an anchor. Ambiguous and stale labels are left out of scores and listed for repair.
const (
	Kept      Status = "kept"      // the same bytes at the same place
	Moved     Status = "moved"     // found elsewhere, or with small changes
	Ambiguous Status = "ambiguous" // several places fit equally well
	Stale     Status = "stale"     // no longer there
)

// Relocation is where an anchor stands in a newer text.
type Relocation struct {
	Status     Status
	Anchor     assay.Anchor // in the newer text; the old anchor when ambiguous or stale
	Method     Method       // how the quote was found; empty when stale
	Similarity float64      // see Match
}

// RelocateThreshold is the least similarity at which a changed quote still carries its label.
const RelocateThreshold = 0.90

const (
	enoughQuote   = 24      // letters of a quote that is evidence by itself; shorter ones need context too
	enoughContext = 0.5     // share of the context that must agree for those
	clearLead     = 0.25    // by how much the best of several places must lead
	mostPlaces    = 1 << 12 // places of one quote looked at before it counts as ambiguous
)

// Relocate finds an anchor in the current text of its document. The same bytes at the same offsets are
// kept where the context agrees or there is no other place; else the quote is looked for exactly, then
// folded, then with few edits, and the context chooses among several places. A short quote with nothing
// of its old context around it is stale rather than moved: "30 days" elsewhere is another fact.
//
// An anchor that claims to be of this very version but whose span does not hold its quote is refused
// with an error.
func Relocate(a assay.Anchor, text string) (Relocation, error) {
	version := assay.HashText(text)
	if a.Version == version || a.Quote == "" {
		if err := Verify(&a, text); err != nil {
			return Relocation{}, err
		}
		return Relocation{Kept, a, Exact, 1}, nil
	}
	found, m := relocate(&a, text)
	if found != Kept && found != Moved {
		return Relocation{found, a, m.Method, m.Similarity}, nil
	}
	moved, err := At(text, m.Span)
	if err != nil {
		return Relocation{}, err
	}
	moved.Document, moved.Version = a.Document, version
	return Relocation{found, moved, m.Method, m.Similarity}, nil
}

func relocate(a *assay.Anchor, text string) (Status, Match) {
	around := newSurroundings(a)
	exact, m := Stale, Match{}
	spans := occurrences(text, a.Quote, mostPlaces)
	if len(spans) > 0 {
		if exact, m = around.choose(text, spans, Exact); exact == Kept || exact == Moved {
			return exact, m
		}
	}
	doc, q := Fold(text), foldQuote(a.Quote)
	if q == "" {
		return exact, m
	}
	// The folded places include the exact ones: where no exact place would do, one of the others may.
	if folded := occurrences(doc.text, q, mostPlaces); len(folded) > len(spans) {
		spans = make([]assay.Span, len(folded))
		for i, s := range folded {
			spans[i] = doc.Original(s)
		}
		return around.choose(text, spans, Normalised)
	}
	if len(spans) > 0 {
		return exact, m
	}
	m, ok := findFuzzy(doc, q, RelocateThreshold)
	switch {
	case !ok, !around.trusts(text, m.Span):
		return Stale, Match{}
	case !m.Unique:
		return Ambiguous, m
	}
	return Moved, m
}

// surroundings is what stood around an anchor, reduced to what survives reformatting.
type surroundings struct {
	old           *assay.Anchor
	before, after string
	quote         int // bytes of the quote, so reduced
}

func newSurroundings(a *assay.Anchor) surroundings {
	return surroundings{a, bare(a.Before), bare(a.After), len(bare(a.Quote))}
}

// bare is a text folded and without white space.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, Fold(s).text)
}

// agreement is the share of the old context that stands around a span, counted outwards from the quote;
// 1 where there was no context.
func (c *surroundings) agreement(text string, s assay.Span) float64 {
	total := len(c.before) + len(c.after)
	if total == 0 {
		return 1
	}
	const window = 4 * ContextBytes // room for white space that was added
	before := bare(text[ceilRune(text, max(0, s.Start-window)):s.Start])
	after := bare(text[s.End:floorRune(text, min(len(text), s.End+window))])
	same := commonPrefix(reversed(before), reversed(c.before)) + commonPrefix(after, c.after)
	return float64(same) / float64(total)
}

// trusts reports whether a single place is good evidence: by the length of the quote or by the context.
func (c *surroundings) trusts(text string, s assay.Span) bool {
	return c.quote >= enoughQuote || c.agreement(text, s) >= enoughContext
}

// choose settles among the places of a quote.
func (c *surroundings) choose(text string, spans []assay.Span, how Method) (Status, Match) {
	old := c.old.Span()
	match := func(s assay.Span) Match { return Match{s, how, 1, len(spans) == 1} }
	if how == Exact {
		here, err := old.In(text)
		if err == nil && here == c.old.Quote && (len(spans) == 1 || c.agreement(text, old) == 1) {
			return Kept, match(old)
		}
	}
	if len(spans) == 1 {
		if !c.trusts(text, spans[0]) {
			return Stale, Match{}
		}
		return Moved, match(spans[0])
	}
	type place struct {
		span  assay.Span
		agree float64
	}
	places := make([]place, len(spans))
	for i, s := range spans {
		places[i] = place{s, c.agreement(text, s)}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.agree, a.agree) })
	lead := places[0].agree - places[1].agree
	if len(spans) == mostPlaces || lead < clearLead && !(places[0].agree == 1 && lead > 0) {
		return Ambiguous, match(places[0].span)
	}
	if how == Exact && places[0].span == old {
		return Kept, match(old)
	}
	return Moved, match(places[0].span)
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
