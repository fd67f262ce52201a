package analyze

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendLower appends word in NFC and lower case, character by character as Lucene folds it: nothing
// depends on language or position.
func appendLower(dst []byte, word string) []byte {
	start := len(dst)
	for i := 0; i < len(word); i++ {
		c := word[i]
		if c >= utf8.RuneSelf {
			return appendLowerUnicode(dst[:start], word)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

func appendLowerUnicode(dst []byte, word string) []byte {
	for _, r := range composed(word) {
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst
}

// composed is s in NFC; text that already is, which is nearly all text, is returned as it came.
func composed(s string) string {
	if norm.NFC.QuickSpanString(s) == len(s) {
		return s
	}
	return norm.NFC.String(s)
}
