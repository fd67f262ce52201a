package rest

import (
	"encoding/json"
	"unicode/utf16"
	"unicode/utf8"
)

// tree decodes a JSON document into maps, slices and values as encoding/json does with UseNumber, several
// times as fast and with half the garbage: reading replies is most of what the client adds to a search,
// and that time is the user's. It reports only whether it could; the reasons of a document that is wrong
// are encoding/json's.
func tree(data []byte) (v any, ok bool) {
	p := parser{data: data}
	v, ok = p.value(0)
	if !ok {
		return nil, false
	}
	p.space()
	return v, p.at == len(data)
}

// maxNesting is encoding/json's.
const maxNesting = 10000

type parser struct {
	data []byte
	at   int
}

func (p *parser) space() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// next skips blanks and returns the byte there, 0 at the end.
func (p *parser) next() byte {
	p.space()
	if p.at == len(p.data) {
		return 0
	}
	return p.data[p.at]
}

func (p *parser) value(depth int) (any, bool) {
	switch c := p.next(); {
	case c == '"':
		return p.text()
	case c == '{':
		return p.object(depth + 1)
	case c == '[':
		return p.list(depth + 1)
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return true, p.word("true")
	case c == 'f':
		return false, p.word("false")
	case c == 'n':
		return nil, p.word("null")
	}
	return nil, false
}

func (p *parser) word(w string) bool {
	if len(p.data)-p.at < len(w) || string(p.data[p.at:p.at+len(w)]) != w {
		return false
	}
	p.at += len(w)
	return true
}

func (p *parser) object(depth int) (any, bool) {
	p.at++
	out := map[string]any{}
	if depth > maxNesting {
		return nil, false
	}
	if p.next() == '}' {
		p.at++
		return out, true
	}
	for {
		if p.next() != '"' {
			return nil, false
		}
		key, ok := p.text()
		if !ok || p.next() != ':' {
			return nil, false
		}
		p.at++
		if out[key], ok = p.value(depth); !ok {
			return nil, false
		}
		if end, ok := p.more('}'); end || !ok {
			return out, ok
		}
	}
}

func (p *parser) list(depth int) (any, bool) {
	p.at++
	out := []any{}
	if depth > maxNesting {
		return nil, false
	}
	if p.next() == ']' {
		p.at++
		return out, true
	}
	for {
		v, ok := p.value(depth)
		if !ok {
			return nil, false
		}
		out = append(out, v)
		if end, ok := p.more(']'); end || !ok {
			return out, ok
		}
	}
}

// more passes a comma or the closing mark.
func (p *parser) more(closing byte) (end, ok bool) {
	switch p.next() {
	case ',':
		p.at++
		return false, true
	case closing:
		p.at++
		return true, true
	}
	return false, false
}

func (p *parser) number() (any, bool) {
	start := p.at
	if p.data[p.at] == '-' {
		p.at++
	}
	whole := p.at
	if p.digits() == 0 || p.data[whole] == '0' && p.at > whole+1 {
		return nil, false
	}
	if p.at < len(p.data) && p.data[p.at] == '.' {
		p.at++
		if p.digits() == 0 {
			return nil, false
		}
	}
	if p.at < len(p.data) && (p.data[p.at] == 'e' || p.data[p.at] == 'E') {
		p.at++
		if p.at < len(p.data) && (p.data[p.at] == '+' || p.data[p.at] == '-') {
			p.at++
		}
		if p.digits() == 0 {
			return nil, false
		}
	}
	return json.Number(p.data[start:p.at]), true
}

// digits passes digits and counts them.
func (p *parser) digits() int {
	start := p.at
	for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' {
		p.at++
	}
	return p.at - start
}

// text reads a string; the parser is at its opening quote.
func (p *parser) text() (string, bool) {
	p.at++
	for start, i := p.at, p.at; i < len(p.data); i++ {
		switch c := p.data[i]; {
		case c == '"':
			p.at = i + 1
			return string(p.data[start:i]), true
		case c == '\\' || c >= utf8.RuneSelf:
			return p.unquote(start)
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// unquote reads a string that has escapes or is not ASCII, from behind its opening quote.
func (p *parser) unquote(start int) (string, bool) {
	var out []byte
	for i := start; i < len(p.data); {
		c := p.data[i]
		switch {
		case c == '"':
			p.at = i + 1
			return string(out), true
		case c < ' ':
			return "", false
		case c == '\\':
			p.at = i + 1
			var ok bool
			if out, ok = p.escape(out); !ok {
				return "", false
			}
			i = p.at
		case c < utf8.RuneSelf:
			out = append(out, c)
			i++
		default:
			r, size := utf8.DecodeRune(p.data[i:])
			out = utf8.AppendRune(out, r) // U+FFFD for what is not UTF-8
			i += size
		}
	}
	return "", false
}

// escapes gives the byte that an escape of one letter stands for.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads what follows a backslash.
func (p *parser) escape(out []byte) ([]byte, bool) {
	if p.at == len(p.data) {
		return out, false
	}
	c := p.data[p.at]
	p.at++
	if b := escapes[c]; b != 0 {
		return append(out, b), true
	}
	r, ok := p.hex(c)
	if !ok {
		return out, false
	}
	if utf16.IsSurrogate(r) {
		back := p.at
		if p.at+1 < len(p.data) && p.data[p.at] == '\\' {
			p.at += 2
			if low, ok := p.hex(p.data[p.at-1]); ok {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					return utf8.AppendRune(out, both), true
				}
			}
		}
		p.at, r = back, utf8.RuneError
	}
	return utf8.AppendRune(out, r), true
}

// hex reads the four digits behind a u.
func (p *parser) hex(u byte) (r rune, ok bool) {
	if u != 'u' || len(p.data)-p.at < 4 {
		return 0, false
	}
	for _, c := range p.data[p.at : p.at+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	p.at += 4
	return r, true
}
