// Package reply reads what a language model wrote: it keeps reasoning apart from the answer and names
// repetition in a reply that ran into its limit.
package reply

import "strings"

const (
	openThink  = "<think>"
	closeThink = "</think>"
)

// SplitThinking separates a reply into the answer and the reasoning written before it between <think>
// tags. Templates that open the tag themselves leave a reply with the closing tag only; a reply cut
// during reasoning has the opening tag only and no answer. Tags later in the answer belong to the
// answer and stay.
func SplitThinking(text string) (answer, thinking string) {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if body, ok := strings.CutPrefix(trimmed, openThink); ok {
		thinking, answer, _ = strings.Cut(body, closeThink)
		return trimAnswer(answer), strings.TrimSpace(thinking)
	}
	before, after, ok := strings.Cut(text, closeThink)
	if !ok || strings.Contains(before, openThink) || looksLikeAnswer(before) {
		return text, ""
	}
	return trimAnswer(after), strings.TrimSpace(before)
}

// looksLikeAnswer reports whether text before an orphan closing tag is a JSON reply that quotes the
// tag, not reasoning.
func looksLikeAnswer(before string) bool {
	t := strings.TrimSpace(before)
	return strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[")
}

// trimAnswer drops the blank lines that templates put between reasoning and answer.
func trimAnswer(s string) string { return strings.TrimLeft(s, "\r\n") }
