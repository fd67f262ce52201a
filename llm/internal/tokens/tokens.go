// Package tokens bounds the number of tokens of a text without knowing the tokenizer.
//
// It is opinionated: a guess is useless, a bound is not. The upper bound sizes a context window so that
// a prompt fits; the lower bound shows that a server which counted fewer tokens did not read the text.
// Both are loose on purpose, since vocabularies differ by a factor of two on the same text.
package tokens

import (
	"unicode"
	"unicode/utf8"
)

// Range bounds a count of tokens: at least Low, and at most High for all but pathological text (random
// letters can reach half as much again).
type Range struct{ Low, High int }

// Add is the range of two texts, one after the other.
func (r Range) Add(s Range) Range { return Range{r.Low + s.Low, r.High + s.High} }

// Of bounds the tokens of text, special tokens not counted.
//
// Low rests on tokens not reaching across a blank, and on no vocabulary having words of more than four
// ideographs; a tenth is taken off for those that do join some pairs of words. High takes a token for
// every three letters of a short word and every two of a long one, every digit, mark and line break, and
// for other scripts what byte-level vocabularies need.
func Of(text string) Range {
	var words, wide, high int // words between blanks; letters of three bytes and more
	inWord := false
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == ' ':
			size = run(text, func(b byte) bool { return b == ' ' })
			high += (size + 2) / 4
			inWord = false
		case unicode.IsSpace(r):
			high++
			inWord = false
		case r < utf8.RuneSelf && isLetter(byte(r)):
			size = run(text, isLetter)
			high += letters(size)
			words += first(&inWord)
		case isDigit(text[0]):
			size = run(text, isDigit)
			high += size
			words += first(&inWord)
		case size < 3:
			high++
		case size == 3:
			high += 2
		default:
			high += 4
		}
		if size >= 3 && r >= utf8.RuneSelf && unicode.IsLetter(r) {
			wide++
		}
		text = text[size:]
	}
	return Range{Low: words*9/10 + wide/4, High: high}
}

// letters is the most tokens that n letters in a row take. Long words are where vocabularies differ: a
// German compound has twice the tokens in a vocabulary made for English.
func letters(n int) int {
	if n <= 6 {
		return (n + 2) / 3
	}
	return (n + 1) / 2
}

// first is 1 when a word begins here, 0 inside one.
func first(inWord *bool) int {
	if *inWord {
		return 0
	}
	*inWord = true
	return 1
}

func run(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
