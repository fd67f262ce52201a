package trec

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// padding is how many readable bytes every buffer has behind its end, so that eight bytes can be loaded
// at any position. They are line feeds.
const padding = 16

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

func load64(data []byte, p int) uint64 { return binary.LittleEndian.Uint64(data[p : p+8]) }

// blank reports whether c separates fields: the white space of the C locale.
func blank(c byte) bool { return c == ' ' || c-'\t' < 5 }

// atMostSpace marks, in its lowest set high bit, the first byte of w that is a space or below. Marks
// above the lowest one may be wrong.
func atMostSpace(w uint64) uint64 { return (w - 0x21*lows) &^ w & highs }

// fieldEnd finds the first blank at or after p. The buffer ends in line feeds, so there is one.
func fieldEnd(data []byte, p int) int {
	for {
		m := atMostSpace(load64(data, p))
		if m == 0 {
			p += 8
			continue
		}
		p += bits.TrailingZeros64(m) >> 3
		if blank(data[p]) {
			return p
		}
		p++ // a control character is part of the field
	}
}

// skipBlanks finds the first byte at or after p that is not a blank, or the line feed.
func skipBlanks(data []byte, p int) int {
	for data[p] != '\n' && blank(data[p]) {
		p++
	}
	return p
}

// matcher compares the bytes at a position with a short text that most lines repeat, such as a query
// id: up to 16 bytes in two loads. The zero matcher matches nothing.
type matcher struct {
	n          int
	word, mask [2]uint64
	text       []byte // when it is longer than 16 bytes
}

func newMatcher(text []byte) matcher {
	m := matcher{n: len(text)}
	if len(text) > 16 {
		m.text = text
		return m
	}
	var padded, ones [16]byte
	copy(padded[:], text)
	for i := range text {
		ones[i] = 0xff
	}
	for i := range m.word {
		m.word[i] = binary.LittleEndian.Uint64(padded[8*i:])
		m.mask[i] = binary.LittleEndian.Uint64(ones[8*i:])
	}
	return m
}

// at reports whether the text stands at data[p:]. It needs 16 readable bytes there.
func (m *matcher) at(data []byte, p int) bool {
	if m.text != nil {
		return bytes.HasPrefix(data[p:], m.text)
	}
	w0, w1 := load64(data, p), load64(data, p+8)
	return (w0^m.word[0])&m.mask[0]|(w1^m.word[1])&m.mask[1] == 0 && m.n > 0
}
