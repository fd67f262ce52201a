package analyze

import "strings"

// stopWords are the 33 that Lucene's EnglishAnalyzer drops.
var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a an and are as at be but by for if in into is it no not of on or such
		that the their then there these they this to was will with`) {
		m[w] = true
	}
	return m
}()

const longestStopWord = len("their")

// englishTerm is Lucene's EnglishAnalyzer after the tokenizer: possessive, lower case, stop words, stem.
// Stop words are looked up before stemming, so "being" is not dropped though it stems to "be".
func englishTerm(dst []byte, word string) []byte {
	start := len(dst)
	dst = appendLower(dst, trimPossessive(word))
	if len(dst)-start <= longestStopWord && stopWords[string(dst[start:])] {
		return dst[:start]
	}
	return dst[:start+len(porter(dst[start:]))]
}

// trimPossessive removes one final 's, with a straight, curly or full-width apostrophe.
func trimPossessive(word string) string {
	rest, ok := strings.CutSuffix(word, "s")
	if !ok {
		rest, ok = strings.CutSuffix(word, "S")
	}
	if !ok {
		return word
	}
	for _, apostrophe := range [...]string{"'", "\u2019", "\uff07"} {
		if stem, ok := strings.CutSuffix(rest, apostrophe); ok {
			return stem
		}
	}
	return word
}
