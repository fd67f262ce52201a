package analyze

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Chinese and Japanese are written without blanks and Korean attaches particles to words, so default word
// boundaries find either single characters or whole phrases. Overlapping pairs of characters are the
// known remedy: every word of two or more characters is matched by its pairs.

// cjkTables are the scripts that are paired up.
var cjkTables = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul}

func isCJK(r rune) bool {
	const first, prolonged = 0x1100, 'ー' // Hangul Jamo; the mark that lengthens a vowel is script Common
	return r >= first && (r == prolonged || unicode.In(r, cjkTables...))
}

// foldWidth makes full-width Latin and half-width katakana the ordinary letters, voicing marks composed.
func foldWidth(text string) string {
	const firstForm, lastForm = 0xff00, 0xffef
	if strings.IndexFunc(text, func(r rune) bool { return firstForm <= r && r <= lastForm }) < 0 {
		return text
	}
	return composed(width.Fold.String(text))
}

// findRun marks the CJK run that begins here, or else where the next one begins: the default rules would
// join "API" and a Korean particle into one word, so they see the text up to there only.
func (w *Words) findRun() {
	w.run = runEnd(w.text, w.pos)
	w.limit = w.run
	for w.limit < len(w.text) {
		r, size := utf8.DecodeRuneInString(w.text[w.limit:])
		if isCJK(r) {
			break
		}
		w.limit += size
	}
}

// runEnd is the end of the run of CJK characters at start; start if there is none.
func runEnd(text string, start int) int {
	end := start
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !isCJK(r) && (end == start || !unicode.Is(unicode.M, r)) {
			break
		}
		end += size
	}
	return end
}

// pair returns the next two characters of the run; a run of one is returned alone.
func (w *Words) pair() string {
	start := w.pos
	second := characterEnd(w.text, start, w.run)
	if second == w.run {
		w.pos = w.run
		return w.text[start:w.run]
	}
	end := characterEnd(w.text, second, w.run)
	w.pos = second
	if end == w.run {
		w.pos = w.run
	}
	return w.text[start:end]
}

// characterEnd is the end of the character at start with the marks on it.
func characterEnd(text string, start, limit int) int {
	_, size := utf8.DecodeRuneInString(text[start:])
	end := start + size
	for end < limit {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !unicode.Is(unicode.M, r) {
			break
		}
		end += size
	}
	return end
}
