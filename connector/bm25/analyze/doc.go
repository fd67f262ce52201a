// Package analyze turns text into the terms that a lexical index counts.
//
// An Analyzer is chosen by language and is the same at indexing and at query time; nothing else about
// BM25 moves a number as much. Words are found by the default word boundaries of Unicode (UAX #29,
// Unicode 17), text is brought to NFC first so that two encodings of one word are one term, and case is
// folded to lower. What follows depends on the analyzer:
//
//   - english does what Lucene's EnglishAnalyzer does, term for term: the possessive removed, its 33 stop
//     words dropped, Porter's first stemmer in the form Lucene ships.
//   - standard stops there: no stop words, no stemming. It is the safe choice for mixed languages,
//     source code and identifiers.
//   - a language name (german, french, …) adds the Snowball stemmer of that language, without a stop
//     list: the inverse document frequency makes common words cheap, and a list is one more thing that
//     two systems can differ in.
//   - cjk cuts Chinese, Japanese and Korean text into overlapping pairs of characters, which needs no
//     dictionary and misses no word.
package analyze
