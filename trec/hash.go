package trec

import "math/bits"

// hash mixes an id into 32 bits, never 0.
func hash(id []byte) uint32 {
	var short [64]byte
	buf := short[:]
	if len(id)+8 > len(buf) {
		buf = make([]byte, len(id)+8)
	}
	return hashAt(buf, 0, copy(buf, id))
}

// hashAt is the hash of the n bytes at data[p:], behind which at least eight more can be read.
func hashAt(data []byte, p, n int) uint32 {
	h := uint64(n) * 0x9e3779b97f4a7c15
	for ; n > 8; n, p = n-8, p+8 {
		h = fold(h ^ load64(data, p))
	}
	return uint32(fold(h^low(load64(data, p), n))>>32) | 1
}

// low keeps the first n bytes of w, n from 0 to 8.
func low(w uint64, n int) uint64 { return w & (1<<(8*n&127) - 1) }

func fold(x uint64) uint64 {
	hi, lo := bits.Mul64(x, 0xd6e8feb86659fd93)
	return hi ^ lo
}

// idTable finds an id's index among a query's ids: an open table of hashes, compared in full on a match.
type idTable struct {
	hashes []uint32
	index  []uint32
}

// newIDTable makes room for n ids.
func newIDTable(n int) idTable {
	size := 4
	for size < 2*n {
		size *= 2
	}
	return idTable{make([]uint32, size), make([]uint32, size)}
}

// find is the index of the id whose hash is h, or -1. equal compares with the id at an index.
func (t *idTable) find(h uint32, equal func(i uint32) bool) int {
	mask := uint32(len(t.hashes) - 1)
	for at := h >> 1 & mask; t.hashes[at] != 0; at = (at + 1) & mask {
		if t.hashes[at] == h && equal(t.index[at]) {
			return int(t.index[at])
		}
	}
	return -1
}

// put adds an id that is not in the table.
func (t *idTable) put(h, i uint32) {
	mask := uint32(len(t.hashes) - 1)
	at := h >> 1 & mask
	for t.hashes[at] != 0 {
		at = (at + 1) & mask
	}
	t.hashes[at], t.index[at] = h, i
}

// seenSet finds repeated ids in a ranking. It keeps hashes only, so a match is a suspicion.
type seenSet struct{ hashes []uint32 }

// reset empties the set and makes room for n ids.
func (s *seenSet) reset(n int) {
	size := 64
	for size < 4*n { // a quarter full, so that nearly every look-up is one load
		size *= 2
	}
	if cap(s.hashes) < size {
		s.hashes = make([]uint32, size)
		return
	}
	s.hashes = s.hashes[:size]
	clear(s.hashes)
}

// add adds a hash and reports whether it was there.
func (s *seenSet) add(h uint32) bool {
	mask := uint32(len(s.hashes) - 1)
	for at := h >> 1 & mask; ; at = (at + 1) & mask {
		switch s.hashes[at] {
		case 0:
			s.hashes[at] = h
			return false
		case h:
			return true
		}
	}
}
