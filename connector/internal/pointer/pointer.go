// Package pointer follows JSON pointers (RFC 6901) through decoded JSON, and when one leads nowhere says
// what was there instead, because that is the moment somebody is writing a configuration.
package pointer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Pointer is a parsed JSON pointer. The zero Pointer is the whole document.
type Pointer struct {
	text   string
	tokens []string
}

// Parse reads a pointer: "" or "/a/b", with ~1 for a slash and ~0 for a tilde in a key.
func Parse(text string) (Pointer, error) {
	if text == "" {
		return Pointer{}, nil
	}
	if text[0] != '/' {
		return Pointer{}, fmt.Errorf("%q is no JSON pointer; write /%s", text, strings.ReplaceAll(strings.TrimPrefix(text, "$."), ".", "/"))
	}
	p := Pointer{text: text}
	for t := range strings.SplitSeq(text[1:], "/") {
		for rest := t; ; {
			i := strings.IndexByte(rest, '~')
			if i < 0 {
				break
			}
			if rest = rest[i+1:]; rest == "" || rest[0] != '0' && rest[0] != '1' {
				return Pointer{}, fmt.Errorf("%q is no JSON pointer: a ~ is written ~0", text)
			}
		}
		p.tokens = append(p.tokens, strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~"))
	}
	return p, nil
}

// String is the pointer as it was written.
func (p Pointer) String() string { return p.text }

// Get follows the pointer. The error names the place where it ends and the keys that exist there.
func (p Pointer) Get(document any) (any, error) {
	v := document
	for i, t := range p.tokens {
		at := p.prefix(i)
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[t]
			if !ok {
				return nil, fmt.Errorf("nothing at %s: %s has %s", p.text, at, keys(x))
			}
			v = next
		case []any:
			n, ok := index(t)
			if !ok {
				return nil, fmt.Errorf("nothing at %s: %s is a list, and %q is no place in one", p.text, at, t)
			}
			if n >= len(x) {
				return nil, fmt.Errorf("nothing at %s: %s is a list of %d", p.text, at, len(x))
			}
			v = x[n]
		default:
			return nil, fmt.Errorf("nothing at %s: %s is %s", p.text, at, Type(x))
		}
	}
	return v, nil
}

// Find is Get for what may be absent. A null counts as absent.
func (p Pointer) Find(document any) (any, bool) {
	v, err := p.Get(document)
	return v, err == nil && v != nil
}

func (p Pointer) prefix(n int) string {
	if n == 0 {
		return "the top"
	}
	parts := strings.Split(p.text, "/")
	return strings.Join(parts[:n+1], "/")
}

// index reads an array index: digits without a leading zero.
func index(t string) (int, bool) {
	n, err := strconv.Atoi(t)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == t
}

// maxKeys bounds the keys that a message names.
const maxKeys = 20

func keys(m map[string]any) string {
	if len(m) == 0 {
		return "no keys"
	}
	names := slices.Sorted(maps.Keys(m))
	more := ""
	if len(names) > maxKeys {
		names, more = names[:maxKeys], ", …"
	}
	for i, n := range names {
		if len(n) > 60 {
			names[i] = strings.ToValidUTF8(n[:60], "") + "…"
		}
	}
	return strings.Join(names, ", ") + more
}

// Type names the type of a decoded JSON value.
func Type(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return "text"
	case bool:
		return "a boolean"
	}
	return "a number"
}
