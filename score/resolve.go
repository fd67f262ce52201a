package score

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
)

// match says that a hit is, wholly or in part, what a label judges.
type match struct {
	member int
	credit anchor.Credit
	way    Way
}

// located is where a hit stands, as far as it is known.
type located struct {
	document string
	span     assay.Span // empty when unknown
}

// resolution of one hit: the labels it matches, all in one way but for twins, and where it stands.
type resolution struct {
	matches []match
	place   located
	// otherText: the hit has a label's key but another text, so that one of them is stale.
	otherText bool
}

// resolve finds the labels that a hit matches. Ways are tried from the surest on until one matches a label
// in full; what an earlier one matched in part stays.
func (g *gold) resolve(h *assay.RankedHit, k *knowledge) resolution {
	r := resolution{place: located{document: h.Document}}
	if span, ok := h.Span(); ok {
		r.place.span = span
	}
	for _, try := range []func(*assay.RankedHit, *knowledge, *resolution){g.byPlace, g.byText, g.byKeyText, g.byQuote, g.byKey, g.byTwin} {
		if try(h, k, &r); r.full() {
			break
		}
	}
	return r
}

func (r *resolution) add(member int, credit anchor.Credit, way Way) {
	if credit != anchor.NoCredit {
		r.matches = append(r.matches, match{member, credit, way})
	}
}

func (r *resolution) full() bool {
	for _, m := range r.matches {
		if m.credit == anchor.Full {
			return true
		}
	}
	return false
}

// cover adds the labels that a place covers.
func (g *gold) cover(at located, way Way, r *resolution) {
	for _, i := range g.byDocument[at.document] {
		m := &g.members[i]
		switch {
		case m.wholeDocument:
			r.add(i, anchor.Full, way)
		case m.target.Anchored() && !at.span.Empty():
			r.add(i, anchor.CreditFor(at.span, m.target.Span()), way)
		}
	}
}

func (g *gold) byPlace(h *assay.RankedHit, _ *knowledge, r *resolution) {
	if h.Document != "" {
		g.cover(r.place, ByPlace, r)
	}
}

func (g *gold) byText(h *assay.RankedHit, k *knowledge, r *resolution) {
	if !r.place.span.Empty() || k.Places == nil || len(g.byDocument) == 0 {
		return
	}
	text, ok := k.text(h.TextHash)
	if !ok {
		return
	}
	if document, span, ok := k.Places.Place(text); ok {
		r.place = located{document, span}
		g.cover(r.place, ByText, r)
	}
}

// byKeyText compares keys and texts: with the label's, and with what the index holds under the key, which
// may say where that stands.
func (g *gold) byKeyText(h *assay.RankedHit, k *knowledge, r *resolution) {
	if h.TextHash == "" {
		return
	}
	for _, i := range g.byChunk[h.ID] {
		m := &g.members[i]
		switch {
		case m.hash == h.TextHash:
			r.add(i, anchor.Full, ByKeyText)
		case m.hash != "":
			r.otherText = true
		}
	}
	for _, i := range g.byDocument[h.ID] {
		if m := &g.members[i]; m.wholeDocument && m.target.Version == h.TextHash {
			r.add(i, anchor.Full, ByKeyText)
		}
	}
	if len(r.matches) > 0 || !r.place.span.Empty() || len(g.byDocument) == 0 {
		return
	}
	if c, ok := k.chunk(h.ID); ok && c.Document != "" && c.Text != "" && c.Hash() == h.TextHash {
		g.atChunk(&c, ByKeyText, r)
	}
}

// atChunk takes the place of a chunk for the hit's.
func (g *gold) atChunk(c *assay.Chunk, way Way, r *resolution) {
	r.place = located{document: c.Document}
	if c.Span != nil {
		r.place.span = *c.Span
	}
	g.cover(r.place, way, r)
}

// byQuote looks for quotes in the hit's text. Where hit and label stand at known places of one document,
// the places have decided already: the same words elsewhere are another passage.
func (g *gold) byQuote(h *assay.RankedHit, k *knowledge, r *resolution) {
	if len(g.quotes) == 0 {
		return
	}
	text, ok := k.text(h.TextHash)
	if !ok {
		return
	}
	passage := passage{text: text}
	for _, i := range g.quotes {
		t := &g.members[i].target
		if t.Anchored() && t.Document == r.place.document && !r.place.span.Empty() {
			continue
		}
		at, ok := passage.find(t)
		if !ok {
			continue
		}
		if r.place.span.Empty() && t.Anchored() && at >= 0 && t.Start >= at {
			r.place = located{t.Document, assay.Span{Start: t.Start - at, End: t.Start - at + len(text)}}
		}
		r.add(i, anchor.Full, ByQuote)
	}
}

// byKey believes the key alone, where the store gives no text or the label has none.
func (g *gold) byKey(h *assay.RankedHit, k *knowledge, r *resolution) {
	for _, i := range g.byChunk[h.ID] {
		if m := &g.members[i]; h.TextHash == "" || m.hash == "" && m.target.Quote == "" {
			r.add(i, anchor.Full, ByKey)
		}
	}
	for _, i := range g.byDocument[h.ID] {
		if m := &g.members[i]; m.wholeDocument && h.Document == "" {
			r.add(i, anchor.Full, ByKey)
		}
	}
	if len(r.matches) > 0 || h.TextHash != "" || !r.place.span.Empty() || len(g.byDocument) == 0 {
		return
	}
	if c, ok := k.chunk(h.ID); ok && c.Document != "" {
		g.atChunk(&c, ByKey, r)
	}
}

// byTwin matches labels whose chunk has the same text as the hit, or nearly.
func (g *gold) byTwin(h *assay.RankedHit, k *knowledge, r *resolution) {
	class := g.twins.class(h.TextHash, k)
	if class == "" {
		return
	}
	for _, i := range g.byClass[class] {
		r.add(i, anchor.Full, ByClass)
	}
}

// passage is the text of a hit, folded when that is first needed.
type passage struct {
	text   string
	folded string
}

// sureQuote is the length in bytes from which a quote is taken for itself wherever it stands. A shorter
// one, "30 days", needs its old surroundings on one side, or, where those are not known, to be more than
// a single word or the whole passage.
const sureQuote = 24

// sure decides about a quote found at an offset of the passage.
func (p *passage) sure(t *assay.Target, at int) bool {
	switch {
	case len(t.Quote) >= sureQuote:
		return true
	case t.Before != "" || t.After != "":
		return agrees(p.text[:at], t.Before, p.text[at+len(t.Quote):], t.After)
	}
	return len(strings.Fields(t.Quote)) > 1 || strings.TrimSpace(p.text) == strings.TrimSpace(t.Quote)
}

// find looks for a label's quote: verbatim, else with white space, quotation marks and dashes folded,
// which loaders change. at is its offset, -1 when only the folded text has it.
func (p *passage) find(t *assay.Target) (at int, ok bool) {
	for from := 0; ; {
		i := strings.Index(p.text[from:], t.Quote)
		if i < 0 {
			break
		}
		at := from + i
		if p.sure(t, at) {
			return at, true
		}
		from = at + 1
	}
	if len(t.Quote) < sureQuote {
		return 0, false
	}
	if p.folded == "" {
		p.folded = anchor.Fold(p.text).Text()
	}
	return -1, strings.Contains(p.folded, anchor.Fold(t.Quote).Text())
}

// agrees compares what stands around a quote with its context, as far as both are known, and wants one
// side to agree. A passage that is the quote and nothing else has nothing that could disagree.
func agrees(left, before, right, after string) bool {
	n := min(len(left), len(before))
	m := min(len(right), len(after))
	return n == 0 && m == 0 ||
		n > 0 && left[len(left)-n:] == before[len(before)-n:] ||
		m > 0 && right[:m] == after[:m]
}
