// Package shell writes commands that a person can paste: a hint that breaks at a blank in a path is worse than none.
package shell

import "strings"

// Command joins words to a command line for a POSIX shell, each quoted where it has to be.
func Command(words ...string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = Word(w)
	}
	return strings.Join(out, " ")
}

// Word quotes what a shell would take apart, and leaves the rest as it is.
func Word(s string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:@%+,~", r) || r > 127
	}
	if s != "" && s[0] != '~' && strings.IndexFunc(s, func(r rune) bool { return !safe(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
