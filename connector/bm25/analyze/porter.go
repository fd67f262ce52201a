package analyze

import (
	"slices"
	"unicode/utf8"
)

// porter stems one lower-case word in place with Porter's first algorithm (M. F. Porter, An algorithm for
// suffix stripping, Program 14(3), 1980) in the form its author later published and Lucene ships, which
// departs from the paper in three points: -bli becomes -ble where the paper has -abli to -able, -logi
// becomes -log, and words of one or two characters are left alone.
//
// Characters beyond a to z count as consonants. The result is never longer than the word.
func porter(word []byte) []byte {
	for _, c := range word {
		if c >= utf8.RuneSelf {
			return porterUnicode(word)
		}
	}
	return stem(word)
}

// porterUnicode stems a stand-in of the word that has one byte for every UTF-16 unit, the unit of Lucene,
// so that one character is one consonant. Suffixes are ASCII, and what is cut is cut at the end: the
// characters beyond ASCII that remain are the first ones of the word, in order.
func porterUnicode(word []byte) []byte {
	var original, stemmed [2 * MaxWord]byte
	var seen [MaxWord]rune
	rest, known := append(original[:0], word...), seen[:0]
	standIn := word[:0]
	for i, size := 0, 0; i < len(rest); i += size {
		var r rune
		r, size = utf8.DecodeRune(rest[i:])
		if r < utf8.RuneSelf {
			standIn = append(standIn, byte(r))
			continue
		}
		// Equal characters get equal bytes, for the test on doubled consonants.
		nth := slices.Index(known, r)
		if nth < 0 {
			nth = len(known)
			known = append(known, r)
		}
		standIn = append(standIn, byte(utf8.RuneSelf+nth%100))
		if r > 0xffff {
			standIn = append(standIn, secondUnit)
		}
	}
	out := word[:0]
	for _, c := range append(stemmed[:0], stem(standIn)...) {
		switch {
		case c < utf8.RuneSelf:
			out = append(out, c)
		case c != secondUnit:
			for rest[0] < utf8.RuneSelf {
				rest = rest[1:]
			}
			_, size := utf8.DecodeRune(rest)
			out = append(out, rest[:size]...)
			rest = rest[size:]
		}
	}
	return out
}

const secondUnit = 0xff // stands for the second half of a surrogate pair

func stem(word []byte) []byte {
	if len(word) <= 2 {
		return word
	}
	s := stemmer{b: word}
	s.plural()
	s.pastAndGerund()
	s.finalY()
	s.replace(&doubleSuffixes, 0)
	s.replace(&derivedSuffixes, 0)
	s.residual()
	s.finalE()
	return s.b
}

type stemmer struct{ b []byte }

// consonant reports whether b[i] is one: y is a vowel after a consonant only.
func (s *stemmer) consonant(i int) bool {
	switch s.b[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !s.consonant(i-1)
	}
	return true
}

// measure counts the vowel-consonant sequences in the first n bytes: the paper's m in [C](VC)^m[V].
func (s *stemmer) measure(n int) int {
	m, vowel := 0, false
	for i := range n {
		// y after a consonant is a vowel; the state already knows what came before.
		c := true
		switch s.b[i] {
		case 'a', 'e', 'i', 'o', 'u':
			c = false
		case 'y':
			c = i == 0 || vowel
		}
		if c && vowel {
			m++
		}
		vowel = !c
	}
	return m
}

func (s *stemmer) hasVowel(n int) bool {
	for i := range n {
		if !s.consonant(i) {
			return true
		}
	}
	return false
}

// doubled reports whether the word ends in a consonant written twice.
func (s *stemmer) doubled() bool {
	n := len(s.b)
	return n >= 2 && s.b[n-1] == s.b[n-2] && s.consonant(n-1)
}

// shortSyllable is the paper's *o for the first n bytes: consonant, vowel, consonant other than w, x, y.
func (s *stemmer) shortSyllable(n int) bool {
	if n < 3 || !s.consonant(n-1) || s.consonant(n-2) || !s.consonant(n-3) {
		return false
	}
	return s.b[n-1] != 'w' && s.b[n-1] != 'x' && s.b[n-1] != 'y'
}

// ends returns the length of the stem before suffix, or -1.
func (s *stemmer) ends(suffix string) int {
	n := len(s.b) - len(suffix)
	if n < 0 || string(s.b[n:]) != suffix {
		return -1
	}
	return n
}

func (s *stemmer) setEnd(stem int, suffix string) { s.b = append(s.b[:stem], suffix...) }

// plural is step 1a.
func (s *stemmer) plural() {
	switch {
	case s.ends("sses") >= 0:
		s.setEnd(len(s.b)-2, "")
	case s.ends("ies") >= 0:
		s.setEnd(len(s.b)-2, "")
	case s.ends("ss") >= 0:
	case s.ends("s") >= 0:
		s.setEnd(len(s.b)-1, "")
	}
}

// pastAndGerund is step 1b.
func (s *stemmer) pastAndGerund() {
	if n := s.ends("eed"); n >= 0 {
		if s.measure(n) > 0 {
			s.setEnd(n, "ee")
		}
		return
	}
	n := s.ends("ed")
	if n < 0 {
		n = s.ends("ing")
	}
	if n < 0 || !s.hasVowel(n) {
		return
	}
	s.setEnd(n, "")
	switch {
	case s.ends("at") >= 0, s.ends("bl") >= 0, s.ends("iz") >= 0:
		s.setEnd(len(s.b), "e")
	case s.doubled():
		if c := s.b[len(s.b)-1]; c != 'l' && c != 's' && c != 'z' {
			s.setEnd(len(s.b)-1, "")
		}
	case s.measure(len(s.b)) == 1 && s.shortSyllable(len(s.b)):
		s.setEnd(len(s.b), "e")
	}
}

// finalY is step 1c.
func (s *stemmer) finalY() {
	if n := s.ends("y"); n >= 0 && s.hasVowel(n) {
		s.setEnd(n, "i")
	}
}

// rules maps the last but one letter of a suffix to the rules to try, in order; the first whose suffix
// fits decides, whether or not its condition then holds.
type rules ['z' + 1][]struct{ suffix, to string }

// doubleSuffixes is step 2.
var doubleSuffixes = rules{
	'a': {{"ational", "ate"}, {"tional", "tion"}},
	'c': {{"enci", "ence"}, {"anci", "ance"}},
	'e': {{"izer", "ize"}},
	'g': {{"logi", "log"}},
	'l': {{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}},
	'o': {{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}},
	's': {{"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}},
	't': {{"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}},
}

// derivedSuffixes is step 3.
var derivedSuffixes = rules{
	'a': {{"ical", "ic"}},
	's': {{"ness", ""}},
	't': {{"icate", "ic"}, {"iciti", "ic"}},
	'u': {{"ful", ""}},
	'v': {{"ative", ""}},
	'z': {{"alize", "al"}},
}

// residualSuffixes is step 4, -ion aside.
var residualSuffixes = rules{
	'a': {{"al", ""}},
	'c': {{"ance", ""}, {"ence", ""}},
	'e': {{"er", ""}},
	'i': {{"ic", ""}},
	'l': {{"able", ""}, {"ible", ""}},
	'n': {{"ant", ""}, {"ement", ""}, {"ment", ""}, {"ent", ""}},
	'o': {{"ou", ""}},
	's': {{"ism", ""}},
	't': {{"ate", ""}, {"iti", ""}},
	'u': {{"ous", ""}},
	'v': {{"ive", ""}},
	'z': {{"ize", ""}},
}

// replace applies the first rule that fits if the measure of the stem before the suffix exceeds above.
func (s *stemmer) replace(r *rules, above int) {
	if len(s.b) < 2 {
		return
	}
	c := s.b[len(s.b)-2]
	if int(c) >= len(r) {
		return
	}
	for _, rule := range r[c] {
		if n := s.ends(rule.suffix); n >= 0 {
			if s.measure(n) > above {
				s.setEnd(n, rule.to)
			}
			return
		}
	}
}

// residual is step 4: -ion goes only after s or t.
func (s *stemmer) residual() {
	n := s.ends("ion")
	if n < 1 || s.b[n-1] != 's' && s.b[n-1] != 't' {
		s.replace(&residualSuffixes, 1)
		return
	}
	if s.measure(n) > 1 {
		s.setEnd(n, "")
	}
}

// finalE is step 5.
func (s *stemmer) finalE() {
	if n := s.ends("e"); n >= 0 {
		if m := s.measure(n); m > 1 || m == 1 && !s.shortSyllable(n) {
			s.setEnd(n, "")
		}
	}
	if n := len(s.b); s.ends("ll") >= 0 && s.measure(n) > 1 {
		s.setEnd(n-1, "")
	}
}
