package corpus

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isFullStop is UAX #29's ATerm: a terminator that also stands inside numbers and abbreviations.
func isFullStop(r rune) bool { return r == '.' || r == '\u2024' || r == '\ufe52' || r == '\uff0e' }

// isSentenceEnd is SATerm: ATerm or STerm.
func isSentenceEnd(r rune) bool { return isFullStop(r) || unicode.Is(unicode.Sentence_Terminal, r) }

// isLineEnd is ParaSep.
func isLineEnd(r rune) bool {
	return r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// isBlank is Sp.
func isBlank(r rune) bool { return unicode.IsSpace(r) && !isLineEnd(r) }

// isClose is Close: brackets and quotation marks of every kind.
func isClose(r rune) bool {
	if isSentenceEnd(r) {
		return false
	}
	return r == '"' || r == '\'' || unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf, unicode.Quotation_Mark)
}

// isContinue is SContinue: punctuation after which a sentence goes on.
func isContinue(r rune) bool {
	return strings.ContainsRune(",-:;–—՝،؍߸᠂᠈、︐︑︓︔︱︲﹐﹑﹔﹕﹘﹣，－：；､", r)
}

// isUpper and isLower are Upper and Lower; Roman numerals and letters in circles have case too.
func isUpper(r rune) bool {
	return unicode.IsUpper(r) || unicode.In(r, unicode.Lt, unicode.Other_Uppercase)
}
func isLower(r rune) bool { return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r) }

// isMark is Extend or Format: what belongs to the character before it.
func isMark(r rune) bool {
	return r > 0x7f && r != '\u200b' && unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc, unicode.Cf)
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// letterBefore reports whether s ends in a capital or small letter, marks aside.
func letterBefore(s string) bool {
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if !isMark(r) {
			return isUpper(r) || isLower(r)
		}
		s = s[:len(s)-size]
	}
	return false
}

// abbreviations end in a full stop that ends no sentence.
var abbreviations = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "dr": true, "prof": true, "st": true, "vs": true, "cf": true, "fig": true,
	"figs": true, "eq": true, "eqs": true, "ref": true, "refs": true, "e.g": true, "i.e": true, "approx": true,
}

// abbreviation reports whether s ends in a known abbreviation or an initial ("J").
func abbreviation(s string) bool {
	const longest = 8
	word := s[max(0, len(s)-longest):]
	if i := strings.LastIndexFunc(word, func(r rune) bool { return r != '.' && !unicode.IsLetter(r) }); i >= 0 {
		_, size := utf8.DecodeRuneInString(word[i:])
		word = word[i+size:]
	}
	if len(word) == 1 {
		return word[0] >= 'A' && word[0] <= 'Z' && word != "I"
	}
	return abbreviations[strings.ToLower(word)]
}
