package reply

import (
	"fmt"

	"github.com/assay-eval/assay"
)

// Cut makes the error of a reply that hit its limit of output tokens. It carries the text and says
// what filled the limit: a loop, reasoning, or simply a long answer.
func Cut(where, answer, thinking string, limit int) error {
	raw := answer
	why := ""
	if unit, times := Repetition(answer); times > 0 {
		why = fmt.Sprintf(" after repeating %s %d times", Shorten(unit), times)
	} else if unit, times := Repetition(thinking); answer == "" && times > 0 {
		raw, why = thinking, fmt.Sprintf(" while thinking, after repeating %s %d times", Shorten(unit), times)
	} else if answer == "" && thinking != "" {
		raw, why = thinking, " while still thinking"
	}
	err := assay.Errorf(assay.KindTruncated, "chat", where, "the reply was cut at its limit of %d tokens%s", limit, why)
	err.Raw = Head(raw)
	switch {
	case answer == "" && thinking != "":
		return assay.WithHint(err, "turn thinking off for this model (think: false), or raise max_tokens")
	case why != "":
		return assay.WithHint(err, "a larger model repeats itself less; a higher max_tokens would not help")
	}
	return assay.WithHint(err, "raise max_tokens")
}

// Head is the start of text that an error keeps, cut at a rune boundary.
func Head(text string) string {
	if len(text) <= assay.RawLimit {
		return text
	}
	cut := assay.RawLimit
	for cut > 0 && text[cut]&0xC0 == 0x80 {
		cut--
	}
	return text[:cut]
}

// Empty makes the error of a reply without an answer.
func Empty(where, thinking string) error {
	if thinking == "" {
		return assay.Errorf(assay.KindEmpty, "chat", where, "the reply is empty")
	}
	err := assay.Errorf(assay.KindEmpty, "chat", where, "the reply is empty: the model thought and gave no answer")
	err.Raw = Head(thinking)
	return assay.WithHint(err, "turn thinking off for this model (think: false)")
}
