package corpus

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"

	"github.com/assay-eval/assay"
)

// piece is a stretch of text that chunkers do not cut unless they must: a word, a run of blanks, a
// punctuation mark. Its ends are boundaries of words and of grapheme clusters.
type piece struct {
	end   int // offset after it
	cost  int // units of everything from the start of the region to its end
	rank  rank
	space bool
}

// rank is how good a place the end of a piece is for a cut.
type rank uint8

const (
	rankWord rank = iota
	rankSpace
	rankSentence
	rankParagraph
)

// mark is a place between sentences: the first byte of the later one.
type mark struct {
	at   int
	rank rank
}

// pieces yields the pieces of a region in order. limit is the most one piece may cost; larger ones are
// yielded cluster by cluster.
func pieces(text string, region assay.Span, unit Unit, limit int, yield func(piece)) {
	part := text[region.Start:region.End]
	var cost int
	emit := func(from, to int) {
		s := part[from:to]
		cost += price(s, unit)
		yield(piece{end: region.Start + to, cost: cost, space: isSpace(s)})
	}
	segments := words.FromString(part)
	whole := 0 // end of the cluster that the last segment ended in
	for start := 0; segments.Next(); {
		end := segments.End()
		// A segment end inside a cluster (Thai sara am, Arabic number signs) is no place to cut.
		if end > whole {
			whole = start + clusterEnd(part[start:], end-start)
		}
		if end < whole {
			continue
		}
		if s := part[start:end]; price(s, unit) > limit || unit == Word && len(s) > limit*wordBytes {
			g := graphemes.FromString(s)
			for g.Next() {
				emit(start+g.Start(), start+g.End())
			}
		} else {
			emit(start, end)
		}
		start = end
	}
}

// clusterEnd is at, if that lies between two clusters of text, else the end of the cluster it lies in.
// Between ASCII characters only the two of a line end belong together, and no segment ends there.
func clusterEnd(text string, at int) int {
	if at == len(text) || text[at-1] < utf8.RuneSelf && text[at] < utf8.RuneSelf {
		return at
	}
	g := graphemes.FromString(text)
	for g.End() < at {
		g.Next()
	}
	return g.End()
}

// price is what a stretch of text counts in a unit. A stretch that spans several words counts as one.
func price(s string, unit Unit) int {
	switch unit {
	case Byte:
		return len(s)
	case Char:
		return utf8.RuneCountInString(s)
	}
	if isWord(s) {
		return 1
	}
	return 0
}

// isWord reports whether a segment counts as a word.
func isWord(s string) bool {
	if c := s[0]; 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
		return true
	}
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || r > 0xff && unicode.Is(unicode.So, r) {
			return true
		}
	}
	return false
}

// isSpace reports whether s is white space only.
func isSpace(s string) bool {
	for _, r := range s {
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

// trim narrows a span to leave out white space at both ends, by whole clusters: a blank that carries a
// combining mark stays.
func trim(text string, s assay.Span) assay.Span {
	for s.Start < s.End {
		r, _ := utf8.DecodeRuneInString(text[s.Start:s.End])
		if !unicode.IsSpace(r) {
			break
		}
		cluster := firstCluster(text[s.Start:s.End])
		if !isSpace(cluster) {
			break
		}
		s.Start += len(cluster)
	}
	for end := s.End; end > s.Start; {
		r, size := utf8.DecodeLastRuneInString(text[s.Start:end])
		if end -= size; !unicode.IsSpace(r) {
			// A prefixed character such as U+0600 draws the blank after it into its cluster.
			s.End = end + len(firstCluster(text[end:s.End]))
			break
		}
	}
	return s
}

// firstCluster is the grapheme cluster at the start of s.
func firstCluster(s string) string { return graphemes.FromString(s).First() }
