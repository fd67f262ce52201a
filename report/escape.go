package report

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/term"
)

// apart keeps a forge from making a mention, a reference or a link of @name, #1, www. and ://, in the middle of which it
// is put: an empty comment, which nobody sees.
const apart = "<!-- -->"

// escape makes foreign text literal inside a line of Markdown, on one line. Only what would mean something where it
// stands is escaped, so that the raw text stays readable.
func escape(s string) string { return literal(s, true) }

// escapeHTML makes foreign text literal inside an HTML element in Markdown, where a backslash is a backslash.
func escapeHTML(s string) string { return literal(s, false) }

func literal(s string, backslash bool) string {
	s = term.Printable(s)
	var b strings.Builder
	before := ' '
	for i, r := range s {
		rest := s[i+utf8.RuneLen(r):]
		after, _ := utf8.DecodeRuneInString(rest)
		switch {
		case r == '&' || r == '<' || r == '>':
			b.WriteString(html.EscapeString(string(r)))
		case backslash && (strings.ContainsRune("\\`*[]|~$", r) || r == '_' && !(inWord(before) && inWord(after))):
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '@' && !(inWord(before) && unicode.IsDigit(after)), r == '#',
			r == ':' && strings.HasPrefix(rest, "//"), (r == 'w' || r == 'W') && strings.HasPrefix(rest, "."):
			b.WriteRune(r)
			b.WriteString(apart)
		default:
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// codeSpan makes foreign text a code span, inside which nothing means anything but the pipe of a table.
func codeSpan(s string) string {
	s = strings.TrimSpace(term.Printable(s))
	if s == "" || strings.ContainsRune(s, '`') || strings.HasSuffix(s, "\\") {
		return escape(s)
	}
	return "`" + strings.ReplaceAll(s, "|", "\\|") + "`"
}

// prose is a sentence of assay's own, in which a span in backticks is code. Texts inside may be foreign, so both parts
// are made literal all the same.
func prose(s string) string {
	var b strings.Builder
	for i, p := range spans(s) {
		switch {
		case i%2 == 0:
			b.WriteString(escape(p))
		default:
			b.WriteString(codeSpan(p))
		}
	}
	return b.String()
}

// spans cuts a sentence at its backticks: the parts at odd places are code. A backtick without a partner is a backtick.
func spans(s string) []string {
	parts := strings.Split(s, "`")
	if len(parts)%2 == 0 {
		n := len(parts)
		parts = append(parts[:n-2], parts[n-2]+"`"+parts[n-1])
	}
	for i := 1; i < len(parts); i += 2 {
		if strings.TrimSpace(parts[i]) == "" {
			return []string{s}
		}
	}
	return parts
}
