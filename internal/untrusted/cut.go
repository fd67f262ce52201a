package untrusted

import (
	"fmt"
	"unicode/utf8"
)

// Head is the beginning of a text, at most so many bytes of it and whole characters only.
func Head(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := max(0, most)
	for back := 0; n > 0 && back < utf8.UTFMax-1 && !utf8.RuneStart(text[n]); back++ { // bytes that are no character are cut anywhere
		n--
	}
	return text[:n]
}

// Cut is Head, with a mark behind it that says how much is missing, so that a model does not take the beginning for the whole.
// It also tells whether anything is missing.
func Cut(text string, most int) (string, bool) {
	head := Head(text, most)
	if len(head) == len(text) {
		return text, false
	}
	return fmt.Sprintf("%s [… %d more bytes are not shown]", head, len(text)-len(head)), true
}
