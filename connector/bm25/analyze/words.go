package analyze

import (
	"strings"
	"unicode/utf8"
)

// Words iterates over the words of a text: the segments between Unicode word boundaries that hold a
// letter, a digit or an emoji. Reset it to go on with another text without allocating.
type Words struct {
	a     *Analyzer
	text  string
	pos   int
	limit int           // end of what the word rules see: the next CJK run, or the end of the text
	run   int           // end of the CJK run that is being paired up
	long  int           // end of an overlong word that is being handed out in pieces
	full  *unicodeRules // the full rules, made when first needed
}

// Reset starts over with another text. Bytes that are not UTF-8 count as U+FFFD.
func (w *Words) Reset(text string) {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	if w.a.prepare != nil {
		text = w.a.prepare(text)
	}
	w.text, w.pos, w.limit, w.run, w.long = text, 0, len(text), 0, 0
	if w.a.bigrams {
		w.limit = 0
	}
}

// Next returns the next word as a part of the text, or false at the end.
func (w *Words) Next() (word string, ok bool) {
	for w.pos < len(w.text) {
		switch {
		case w.long > w.pos:
			return w.piece(), true
		case w.run > w.pos:
			return w.pair(), true
		case w.pos >= w.limit:
			w.findRun()
			continue
		}
		start := w.pos
		end, class := asciiSegment(w.text[:w.limit], start)
		if class == segmentUnknown {
			end, class = w.unicodeSegment(start)
		}
		switch {
		case class == segmentOther:
			w.pos = end
		case end-start > MaxWord:
			w.long = end
		default:
			w.pos = end
			return w.text[start:end], true
		}
	}
	return "", false
}

// piece cuts at most MaxWord bytes off an overlong word, at a character boundary.
func (w *Words) piece() string {
	end := min(w.pos+MaxWord, w.long)
	for end < w.long && !utf8.RuneStart(w.text[end]) {
		end--
	}
	word := w.text[w.pos:end]
	w.pos = end
	return word
}

type segmentClass uint8

const (
	segmentOther   segmentClass = iota // blanks, punctuation, symbols
	segmentWord                        // holds a letter, a digit or an emoji
	segmentUnknown                     // needs the full rules
)

// unicodeSegment finds the end of the segment that starts at a word boundary.
func (w *Words) unicodeSegment(start int) (end int, class segmentClass) {
	if w.full == nil {
		w.full = newUnicodeRules()
	}
	end = start + w.full.segment(w.text[start:w.limit])
	for _, r := range w.text[start:end] {
		if inWordRune(r) || w.full.pictographic(r) {
			return end, segmentWord
		}
	}
	return end, segmentOther
}
