package corpus

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// sentenceMarks finds where sentences begin, the first excepted. It follows UAX #29 (rules SB5–SB11) in
// one pass whatever the text, with four differences that documents ask for: a single line break inside a
// paragraph ends no sentence, since text is wrapped (unless the lines are hard, or one of them is a
// heading, list item, quote, table row or fence); a blank line always does; "!" and "?" inside a word or
// address do not; nor does a full stop after an initial or a common English title ("Dr.", "e.g.").
func sentenceMarks(text string, region assay.Span, hardLines bool) []mark {
	s := sentenceScanner{text: text[:region.End], hard: hardLines, pos: region.Start, line: region.Start}
	for s.pos < region.End {
		s.next()
	}
	for len(s.marks) > 0 && s.marks[0].at <= region.Start {
		s.marks = s.marks[1:]
	}
	return s.marks
}

type sentenceScanner struct {
	text  string
	hard  bool
	pos   int
	line  int // start of the line at pos
	marks []mark
}

// next moves over one character, or over a sentence's or line's end and the white space after it.
func (s *sentenceScanner) next() {
	if c := s.text[s.pos]; c < utf8.RuneSelf && c != '.' && c != '!' && c != '?' && c != '\n' && c != '\r' {
		s.pos++
		return
	}
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	switch {
	case isLineEnd(r):
		s.lineEnd()
	case r == '.' || isSentenceEnd(r):
		at := s.pos
		s.pos += size
		s.sentenceEnd(at, r)
	default:
		s.pos += size
	}
}

// lineEnd handles a line break and the white space after it.
func (s *sentenceScanner) lineEnd() {
	end := s.pos
	breaks := 0
	next := s.line
	for end < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[end:])
		if !unicode.IsSpace(r) {
			break
		}
		if r == '\r' && strings.HasPrefix(s.text[end+1:], "\n") {
			size = 2
		}
		end += size
		if isLineEnd(r) {
			breaks++
			next = end
		}
	}
	switch {
	case breaks > 1:
		s.mark(end, rankParagraph)
	case s.hard, ownLine(s.text[s.line:s.pos], false), ownLine(s.text[next:], true):
		s.mark(end, rankSentence)
	}
	s.line, s.pos = next, end
}

// ownLine reports whether a line is a sentence apart from the line before it (starts: list items and
// quotes too) or after it.
func ownLine(line string, starts bool) bool {
	line = strings.TrimLeft(line, " \t")
	if line == "" {
		return false
	}
	switch line[0] {
	case '#', '|', '=':
		return true
	case '`', '~':
		return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
	case '>':
		return starts
	case '-', '*', '+':
		return starts && len(line) > 1 && (line[1] == ' ' || line[1] == line[0])
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return starts && digits > 0 && digits < 4 && len(line) > digits+1 &&
		(line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' '
}

// sentenceEnd decides whether the terminator at at, which ends at pos, ends a sentence.
func (s *sentenceScanner) sentenceEnd(at int, term rune) {
	aterm := isFullStop(term)
	s.skip(isMark)
	if aterm && (s.at(unicode.IsDigit) || s.at(isUpper) && letterBefore(s.text[:at])) {
		return // SB6, SB7
	}
	s.skip(isClose)
	closed := s.pos
	s.skip(isBlank)
	if s.pos >= len(s.text) {
		return
	}
	spaced := s.pos > closed
	switch {
	case s.at(isLineEnd):
		s.lineEndAfter(aterm && abbreviation(s.text[:at]), aterm)
		return
	case s.at(isSentenceEnd), s.at(isContinue): // SB8a
		return
	case aterm && (s.lowerFollows() || spaced && abbreviation(s.text[:at])): // SB8
		return
	case !spaced && term < utf8.RuneSelf && !aterm && s.at(wordRune):
		return // a?b=c
	}
	s.mark(s.pos, rankSentence)
}

// lineEndAfter handles a line break right after a terminator: the sentence is over, unless the terminator
// belongs to an abbreviation or the next line goes on with a small letter.
func (s *sentenceScanner) lineEndAfter(abbreviated, aterm bool) {
	n := len(s.marks)
	s.lineEnd()
	if len(s.marks) == n && !abbreviated && !(aterm && s.at(isLower)) {
		s.mark(s.pos, rankSentence)
	}
}

// mark records a place if it lies between grapheme clusters and has text after it.
func (s *sentenceScanner) mark(at int, r rank) {
	if at >= len(s.text) {
		return
	}
	if n := len(s.marks); n > 0 && s.marks[n-1].at >= at {
		return
	}
	_, size := utf8.DecodeLastRuneInString(s.text[:at])
	if len(firstCluster(s.text[at-size:])) > size && s.text[at-1] != '\n' {
		return
	}
	s.marks = append(s.marks, mark{at, r})
}

// at reports whether the next character is of a class.
func (s *sentenceScanner) at(class func(rune) bool) bool {
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	return size > 0 && class(r)
}

// skip moves over characters of a class and the marks that belong to them.
func (s *sentenceScanner) skip(class func(rune) bool) {
	for s.pos < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.pos:])
		if !class(r) && !isMark(r) {
			return
		}
		s.pos += size
	}
}

// lowerFollows looks past everything that is no letter and no terminator for a small letter (SB8).
func (s *sentenceScanner) lowerFollows() bool {
	for _, r := range s.text[s.pos:] {
		switch {
		case isLower(r):
			return true
		case unicode.IsLetter(r), isUpper(r), isLineEnd(r), isSentenceEnd(r):
			return false
		}
	}
	return false
}
