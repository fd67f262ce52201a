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
// id, 16 bytes in two loads.
type matcher struct {
	word, mask [2]uint64
	n          int
	rest       []byte // what follows the first 16 bytes
}

func newMatcher(text []byte) matcher {
	m := matcher{n: len(text)}
	if len(text) > 16 {
		m.rest, text = text[16:], text[:16]
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

// at reports whether the text stands at data[p:], where at least 16 bytes can be read, as far as the first
// 16 bytes tell; restAt must agree when rest is not empty.
func (m *matcher) at(data []byte, p int) bool {
	return (load64(data, p)^m.word[0])&m.mask[0]|(load64(data, p+8)^m.word[1])&m.mask[1] == 0
}

func (m *matcher) restAt(data []byte, p int) bool { return bytes.HasPrefix(data[p+16:], m.rest) }
