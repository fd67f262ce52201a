// Package words cuts text into words, the one way for everything that counts them: leakage, lengths of
// queries, simulated queries. Retrieval has analyzers of its own (connector/bm25), because there the way
// of cutting is part of what is measured.
package words

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

// Of cuts text at Unicode word boundaries into lower-case words in normal form KC; what holds neither
// letter nor digit is dropped. Chinese and Japanese come out a character at a time.
func Of(text string) []string {
	var out []string
	for it := words.FromString(norm.NFKC.String(text)); it.Next(); {
		w := it.Value()
		if strings.IndexFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0 {
			out = append(out, strings.ToLower(w))
		}
	}
	return out
}

// The lengths of a query. Real web queries have a median of about 5 words, written questions of about 15:
// the two seldom share a class.
const (
	Short  = "short"  // at most ShortMax words
	Medium = "medium" // at most MediumMax words
	Long   = "long"

	ShortMax  = 5
	MediumMax = 10
)

// Lengths lists them, shortest first.
var Lengths = []string{Short, Medium, Long}

// Length is the class of a query of n words.
func Length(n int) string {
	switch {
	case n <= ShortMax:
		return Short
	case n <= MediumMax:
		return Medium
	}
	return Long
}
