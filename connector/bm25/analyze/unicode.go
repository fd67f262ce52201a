package analyze

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// unicodeRules finds word boundaries by the full rules of UAX #29. It holds what would otherwise be
// allocated for every segment.
type unicodeRules struct {
	it    *words.Iterator[string]
	probe *words.Iterator[[]byte]
	buf   []byte
}

func newUnicodeRules() *unicodeRules {
	return &unicodeRules{it: words.FromString(""), probe: words.FromBytes(nil)}
}

// segment is the length of the segment at the start of text, which is a word boundary.
func (u *unicodeRules) segment(text string) int {
	u.it.SetText(text)
	u.it.Next()
	return len(u.it.Value())
}

// inWordRune reports whether a segment with r is a word: letters and decimal digits, but not superscript
// or circled numbers, which the word break properties leave out, nor letters that only extend others.
func inWordRune(r rune) bool {
	if unicode.Is(unicode.Other_Grapheme_Extend, r) {
		return false
	}
	return unicode.IsLetter(r) || unicode.In(r, unicode.Nd, unicode.Nl) ||
		unicode.Is(unicode.So, r) && unicode.Is(unicode.Other_Alphabetic, r)
}

// pictographic reports whether r is an emoji in the wide sense, which Lucene indexes as words: ™ and ©
// are. The property has no table of its own here, so the word rules are asked whether they join r to a
// zero-width joiner before it.
func (u *unicodeRules) pictographic(r rune) bool {
	const zwj, firstFlag, lastFlag, keycap = '\u200d', 0x1f1e6, 0x1f1ff, 0x20e3
	switch {
	case r == keycap, firstFlag <= r && r <= lastFlag:
		return true
	case r < utf8.RuneSelf, unicode.In(r, unicode.M, unicode.Cf):
		return false
	}
	u.buf = utf8.AppendRune(utf8.AppendRune(u.buf[:0], zwj), r)
	u.probe.SetText(u.buf)
	u.probe.Next()
	return len(u.probe.Value()) == len(u.buf)
}
