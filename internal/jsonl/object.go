package jsonl

import "bytes"

// Object walks the members of a JSON object without decoding or copying them: key is what stands between the quotes, value
// the bytes of the value. It is for reading a few members of many long lines, and checks no more than it must to find
// them: ok is false for what is no object, for a key with an escape in it, and where brackets or quotes do not match; the
// caller then decodes the line in full. member returns false to stop early, which leaves ok true.
func Object(data []byte, member func(key, value []byte) bool) (ok bool) {
	p := walker{data: data}
	if !p.take('{') {
		return false
	}
	if p.take('}') {
		return p.end()
	}
	for {
		p.blanks()
		from := p.at
		if !p.text() {
			return false
		}
		key := data[from+1 : p.at-1]
		if bytes.IndexByte(key, '\\') >= 0 || !p.take(':') {
			return false
		}
		p.blanks()
		from = p.at
		if !p.value() {
			return false
		}
		if !member(key, data[from:p.at]) {
			return true
		}
		switch {
		case p.take(','):
		case p.take('}'):
			return p.end()
		default:
			return false
		}
	}
}

// walker is a place in JSON text.
type walker struct {
	data []byte
	at   int
}

func (p *walker) blanks() {
	for p.at < len(p.data) && (p.data[p.at] == ' ' || p.data[p.at] == '\t' || p.data[p.at] == '\r' || p.data[p.at] == '\n') {
		p.at++
	}
}

// take steps over a mark, with the blanks before it.
func (p *walker) take(mark byte) bool {
	p.blanks()
	if p.at < len(p.data) && p.data[p.at] == mark {
		p.at++
		return true
	}
	return false
}

func (p *walker) end() bool {
	p.blanks()
	return p.at == len(p.data)
}

// text steps over a string.
func (p *walker) text() bool {
	if p.at >= len(p.data) || p.data[p.at] != '"' {
		return false
	}
	p.at++
	for {
		i := bytes.IndexByte(p.data[p.at:], '"')
		if i < 0 {
			return false
		}
		p.at += i + 1
		escapes := 0 // in a row before the quote
		for p.data[p.at-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return true
		}
	}
}

// value steps over any value.
func (p *walker) value() bool {
	depth := 0
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case '"':
			if !p.text() {
				return false
			}
		case '{', '[':
			depth++
			p.at++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return false
			}
			p.at++
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return false
			}
			p.at++
			continue
		default:
			p.scalar()
		}
		if depth == 0 {
			return true
		}
	}
	return false
}

// scalar steps over a number or word.
func (p *walker) scalar() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case ',', '}', ']', ':', ' ', '\t', '\r', '\n', '"', '{', '[':
			return
		}
		p.at++
	}
}
