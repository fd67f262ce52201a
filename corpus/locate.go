package corpus

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
)

// Location is where a text stands in a corpus.
type Location struct {
	Place     anchor.Place
	Method    anchor.Method // Exact or Normalised
	Ambiguous bool          // more than one place; Place is one of them
}

// Locate finds the unique place of a text, such as a hit's, in the corpus: byte for byte (white space and
// invisible characters at its ends aside), else as anchor.Fold reads it. It reports false when the text stands nowhere or in more
// than one place; Location.Ambiguous tells which. A text that is a chunk's IndexText, title included, has
// the chunk's place.
//
// The first call indexes the corpus: about 0.8 bytes for each byte of text. Texts under 63 bytes are
// searched for by scanning, and byte for byte only: shorter ones prove little.
func (s *Set) Locate(text string) (Location, bool) {
	text = anchor.Trim(text)
	if text == "" {
		return Location{}, false
	}
	s.placesOnce.Do(func() { s.places = newPlaceIndex(s) })
	if loc, found := s.places.titled(s, text); found {
		return loc, !loc.Ambiguous
	}
	exact, folded := s.places.find(text)
	switch {
	case len(exact) == 1:
		return Location{exact[0], anchor.Exact, false}, true
	case len(exact) > 1:
		return Location{exact[0], anchor.Exact, true}, false
	case len(folded) == 1:
		return Location{folded[0], anchor.Normalised, false}, true
	case len(folded) > 1:
		return Location{folded[0], anchor.Normalised, true}, false
	}
	return Location{}, false
}

// passage is a text whose place in a document is known: a whole document, or a chunk of one that only its
// owner has.
type passage struct {
	document string
	base     int // offset of text in the document
	text     string
}

// placeIndex answers Locate.
type placeIndex struct {
	passages []passage
	grams    gramIndex
	byTitled map[string][]int // chunks with a title, by the hash of their index text
}

func newPlaceIndex(s *Set) *placeIndex {
	x := &placeIndex{byTitled: map[string][]int{}}
	for _, d := range s.docs {
		x.passages = append(x.passages, passage{d.ID, 0, d.Text})
	}
	for i := range s.chunks {
		c := &s.chunks[i]
		if !s.holds(c.Document) {
			x.passages = append(x.passages, passage{c.Document, c.Span.Start, c.Text})
		}
		if c.Title != "" {
			key := shortHash(anchor.Trim(IndexText(c)))
			x.byTitled[key] = append(x.byTitled[key], i)
		}
	}
	x.grams = newGramIndex(x.passages)
	return x
}

// shortHash is 16 bytes of a text's hash.
func shortHash(text string) string { return assay.HashText(text)[len("sha256:"):][:32] }

// titled looks a text up among the index texts of chunks with a title.
func (x *placeIndex) titled(s *Set, text string) (Location, bool) {
	var places []anchor.Place
	for _, at := range x.byTitled[shortHash(text)] {
		c := &s.chunks[at]
		places = addPlace(places, anchor.Place{Document: c.Document, Span: *c.Span})
	}
	if len(places) == 0 {
		return Location{}, false
	}
	return Location{places[0], anchor.Exact, len(places) > 1}, true
}

// find lists the places of a text, at most two that are equal byte for byte.
func (x *placeIndex) find(text string) (exact, folded []anchor.Place) {
	query := strings.Trim(anchor.Fold(text).Text(), " ")
	if len(query) < shortestGrams {
		return x.scan(text), nil
	}
	gram, at, ok := x.grams.rarest(query)
	if !ok {
		return nil, nil
	}
	for _, post := range x.grams.posts(gram) {
		p := &x.passages[post.passage]
		span, ok := aligned(p.text, int(post.at), query, at)
		if !ok {
			continue
		}
		place := anchor.Place{Document: p.document, Span: assay.Span{Start: p.base + span.Start, End: p.base + span.End}}
		folded = addPlace(folded, place)
		if p.text[span.Start:span.End] == text {
			if exact = addPlace(exact, place); len(exact) > 1 {
				break
			}
		}
	}
	return exact, folded
}

// scan looks for a short text in every passage, up to the second place.
func (x *placeIndex) scan(text string) []anchor.Place {
	var out []anchor.Place
	for _, p := range x.passages {
		for at := 0; ; {
			i := strings.Index(p.text[at:], text)
			if i < 0 {
				break
			}
			start := at + i
			out = addPlace(out, anchor.Place{Document: p.document, Span: assay.Span{Start: p.base + start, End: p.base + start + len(text)}})
			if len(out) > 1 {
				return out
			}
			at = start + 1
		}
	}
	return out
}

// addPlace adds a place unless it is there already: chunks that overlap hold the same place twice.
func addPlace(places []anchor.Place, p anchor.Place) []anchor.Place {
	if slices.Contains(places, p) {
		return places
	}
	return append(places, p)
}

// aligned checks whether the folded text around offset at holds query, whose byte q stands at at, and
// returns the span in text.
func aligned(text string, at int, query string, q int) (assay.Span, bool) {
	before, after := 2*q+64, 2*(len(query)-q)+64
	for {
		start, end := runeStart(text, max(0, at-before)), runeStart(text, min(len(text), at+after))
		part := anchor.Fold(text[start:end])
		f := part.Folding(at - start)
		switch {
		case f < q && start > 0:
			before *= 2
			continue
		case f-q+len(query) > len(part.Text()) && end < len(text):
			after *= 2
			continue
		}
		// A character that folds to three bytes may begin up to two before the gram.
		for shift := range 3 {
			from := f + shift - q
			if from >= 0 && from+len(query) <= len(part.Text()) && part.Text()[from:from+len(query)] == query {
				s := part.Original(assay.Span{Start: from, End: from + len(query)})
				return assay.Span{Start: start + s.Start, End: start + s.End}, true
			}
		}
		return assay.Span{}, false
	}
}

// runeStart moves i back to a rune boundary.
func runeStart(text string, i int) int {
	for i > 0 && i < len(text) && text[i]&0xc0 == 0x80 {
		i--
	}
	return i
}
