package score

import (
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/measure"
)

// view is one query's ranking seen through its labels.
type view struct {
	topic measure.Topic // by gold item
	raw   measure.Topic // by plain ids
	hits  []hit

	resolved   Resolution
	duplicates int // hits whose id stood higher in the list already
	disordered bool
	otherText  int // hits with a label's key but another text
	shared     int // relevant items that were found in one hit together with another
}

// hit is one rank of a view.
type hit struct {
	ranked *assay.RankedHit
	resolution
	judged bool
	gain   assay.Grade // what it earns: the grade of the item it satisfies, 0 for a repeat
	item   int         // an item it matches, -1 for none
	repeat bool        // matches only items that another rank satisfies
	way    Way
}

// look resolves a ranking against the gold of its query.
func (g *gold) look(hits []assay.RankedHit, k *knowledge, spans bool) *view {
	v := &view{hits: make([]hit, 0, len(hits))}
	seen := make(map[string]bool, len(hits))
	for i := range hits {
		h := &hits[i]
		if i > 0 && h.Score > hits[i-1].Score {
			v.disordered = true
		}
		if seen[h.ID] {
			v.duplicates++
			continue
		}
		seen[h.ID] = true
		r := g.resolve(h, k)
		v.hits = append(v.hits, hit{ranked: h, resolution: r, item: -1})
		if r.otherText && len(r.matches) == 0 {
			v.otherText++
		}
	}
	g.satisfy(v)
	level, top := float64(assay.RelevantGrade), float64(assay.MaxGrade)
	v.topic.Gold, v.topic.Level, v.topic.MaxGrade = g.grades(), level, top
	v.topic.Ranked = make([]float64, len(v.hits))
	for i := range v.hits {
		h := &v.hits[i]
		v.resolved[h.way]++
		v.topic.Ranked[i] = measure.NotJudged
		if h.judged {
			v.topic.Ranked[i] = float64(h.gain)
		}
	}
	v.raw = measure.Topic{Gold: g.rawGrades(), Level: level, MaxGrade: top, Ranked: g.rawRanked(v.hits)}
	if spans {
		v.topic.Spans = g.spans(v, k)
	}
	return v
}

// satisfy gives every item to one rank: the first that covers it in full, else the first that covers it in
// part. The other ranks that match it earn nothing, so that no item is ever counted twice.
func (g *gold) satisfy(v *view) {
	type claim struct {
		rank   int
		credit anchor.Credit
	}
	claims := make([]claim, len(g.items))
	for rank := range v.hits {
		h := &v.hits[rank]
		for _, m := range h.matches {
			item := g.members[m.member].item
			// Half of an irrelevant text says nothing about the hit that holds it.
			if m.credit != anchor.Full && g.items[item].grade < assay.RelevantGrade {
				continue
			}
			if m.credit > claims[item].credit {
				claims[item] = claim{rank, m.credit}
			}
			if h.way == Unresolved || g.items[item].grade > g.items[h.item].grade {
				h.item, h.way = item, m.way
			}
			h.judged = true
		}
	}
	earns := make([]bool, len(v.hits))
	for item, c := range claims {
		if c.credit == anchor.NoCredit {
			continue
		}
		h := &v.hits[c.rank]
		grade := c.credit.Grade(g.items[item].grade)
		other := grade
		switch {
		case !earns[c.rank]:
			earns[c.rank], h.gain = true, grade
			continue
		case grade > h.gain:
			other, h.gain = h.gain, grade
		}
		v.topic.Also = append(v.topic.Also, measure.Extra{Rank: c.rank, Grade: float64(other)})
		if other >= assay.RelevantGrade {
			v.shared++
		}
	}
	for rank := range v.hits {
		h := &v.hits[rank]
		h.repeat = h.judged && !earns[rank]
	}
}

// rawRanked grades the ranking by plain ids; where labels name documents, by the hit's document, once.
func (g *gold) rawRanked(hits []hit) []float64 {
	out := make([]float64, len(hits))
	seen := map[string]bool{}
	for i := range hits {
		id := hits[i].ranked.ID
		grade, ok := g.raw[id]
		if !ok && g.rawDocuments && hits[i].ranked.Document != "" {
			id = hits[i].ranked.Document
			grade, ok = g.raw[id]
		}
		switch {
		case !ok:
			out[i] = measure.NotJudged
		case !seen[id]:
			out[i] = float64(grade)
		}
		seen[id] = true
	}
	return out
}

// spans places gold and ranking for the span measures; nil when no relevant label has a place. Of equal
// texts in several places one is wanted, the first, and a hit on another counts as a hit on that one.
func (g *gold) spans(v *view, k *knowledge) *measure.Spans {
	home := map[string]int{} // class → the member that stands for it
	out := &measure.Spans{}
	var texts []string // of the gold places; "" where unknown
	for i := range g.members {
		m := &g.members[i]
		if m.grade < assay.RelevantGrade || !m.target.Anchored() {
			continue
		}
		if m.class != "" {
			if first, ok := home[m.class]; ok && g.members[first].target.Document != m.target.Document {
				continue
			} else if !ok {
				home[m.class] = i
			}
		}
		words, text := k.words(&m.target)
		if words.Empty() {
			continue // nothing but white space
		}
		out.Gold = append(out.Gold, measure.Place{Document: m.target.Document, Span: words})
		texts = append(texts, text)
	}
	if len(out.Gold) == 0 {
		return nil
	}
	for i := range v.hits {
		place := g.placeOf(&v.hits[i], home, k)
		for j := range out.Gold {
			if out.Gold[j].Document == place.Document {
				place.Span = overBlanks(place.Span, out.Gold[j].Span, texts[j])
			}
		}
		out.Ranked = append(out.Ranked, place)
	}
	return out
}

// placeOf is where a hit counts: where it stands; for a twin, where the gold text stands; for a hit whose
// place nobody knows, a document of its own, so that its length still counts against precision.
func (g *gold) placeOf(h *hit, home map[string]int, k *knowledge) measure.Place {
	p := measure.Place{Document: h.place.document, Span: h.place.span}
	if class := g.twins.class(h.ranked.TextHash, k); class != "" {
		if i, ok := home[class]; ok && (p.Span.Empty() || p.Document != g.members[i].target.Document) {
			return g.chunkPlace(i, k)
		}
	}
	if !p.Span.Empty() {
		return p
	}
	for _, m := range h.matches {
		if t := &g.members[m.member].target; m.credit == anchor.Full && t.Anchored() {
			return g.chunkPlace(m.member, k)
		}
	}
	if text, ok := k.text(h.ranked.TextHash); ok {
		return measure.Place{Document: "\x00unplaced " + strconv.Quote(h.ranked.ID), Span: assay.Span{End: len(text)}}
	}
	return measure.Place{}
}

// chunkPlace is the place of the chunk that a label names, or of the label itself.
func (g *gold) chunkPlace(i int, k *knowledge) measure.Place {
	t := &g.members[i].target
	if c, ok := k.chunk(t.Chunk); ok && c.Span != nil && c.Document == t.Document && c.Span.Contains(t.Span()) {
		return measure.Place{Document: c.Document, Span: *c.Span}
	}
	return measure.Place{Document: t.Document, Span: t.Span()}
}
