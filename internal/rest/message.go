package rest

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
)

// maxMessage bounds the server's words in an error, in bytes.
const maxMessage = 300

// serverMessage digs the human sentence out of an error reply: the servers we speak to put it at
// "message", "error", "error.message", "status.error" or "detail". A web page gives its title, other
// text itself. The result is one bounded line.
func serverMessage(data []byte) string {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		if looksHTML(data) {
			return htmlTitle(data)
		}
		return oneLine(string(data))
	}
	return oneLine(digMessage(v, 0))
}

func digMessage(v any, depth int) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 && depth < 4 {
			return digMessage(v[0], depth+1)
		}
	case map[string]any:
		if depth >= 4 {
			return ""
		}
		for _, k := range []string{"message", "error", "status", "detail", "msg"} {
			if s := digMessage(v[k], depth+1); s != "" {
				return s
			}
		}
	}
	return ""
}

func looksHTML(data []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(data[:min(len(data), 512)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html")) || bytes.HasPrefix(head, []byte("<head"))
}

var titleTag = regexp.MustCompile(`(?is)<(?:title|h1)[^>]*>(.*?)</`)

func htmlTitle(data []byte) string {
	if m := titleTag.FindSubmatch(data[:min(len(data), 8192)]); m != nil {
		return oneLine(string(m[1]))
	}
	return ""
}

// oneLine makes foreign text safe to show in a message: no control characters, no line breaks, bounded.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), 4*maxMessage)], "")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if len(s) <= maxMessage {
		return s
	}
	return strings.ToValidUTF8(s[:maxMessage], "") + "…"
}
