package corpus

import (
	"cmp"
	"math"
	"slices"
)

const (
	minHashes = 128
	bands     = 32
	bandRows  = minHashes / bands
	hashPrime = 0x100000001b3
)

// signature is a MinHash sketch: two sets agree in each value with the probability of their Jaccard
// similarity (Broder 1997).
type signature [minHashes]uint32

// multipliers are the odd factors of the hash functions, from a fixed splitmix64 sequence so that classes
// are the same everywhere.
var multipliers = func() (m [minHashes]uint64) {
	x := uint64(0)
	for i := range m {
		x += 0x9e3779b97f4a7c15
		m[i] = mixWord(x) | 1
	}
	return m
}()

// sign computes the signature of a set.
func sign(set []uint64) signature {
	var s signature
	for i := range s {
		s[i] = math.MaxUint32
	}
	for _, v := range set {
		for i := range s {
			if h := uint32(v * multipliers[i] >> 32); h < s[i] {
				s[i] = h
			}
		}
	}
	return s
}

// agreement counts the values in which two signatures agree.
func (s *signature) agreement(t *signature) int {
	n := 0
	for i, v := range s {
		if v == t[i] {
			n++
		}
	}
	return n
}

// band is a hash of four values and the band's number.
func (s *signature) band(b int) uint64 {
	h := uint64(b)
	for _, v := range s[b*bandRows : (b+1)*bandRows] {
		h = mixWord(h*hashPrime + uint64(v))
	}
	return h
}

// bandIndex finds signatures that share a band: a hash table whose entries are lists in one array.
type bandIndex struct {
	head map[uint64]int32 // band to the newest entry
	next []int32          // entry to the one before it, −1 at the end
	item []int32

	shared []uint8 // bands shared with each item, all 0 between lookups
	found  []int   // items that share one
}

func newBandIndex(n int) *bandIndex {
	return &bandIndex{head: make(map[uint64]int32, n*bands/2), shared: make([]uint8, n)}
}

func (x *bandIndex) add(s *signature, item int) {
	for b := range bands {
		key := s.band(b)
		before, ok := x.head[key]
		if !ok {
			before = -1
		}
		x.head[key] = int32(len(x.item))
		x.next = append(x.next, before)
		x.item = append(x.item, int32(item))
	}
}

// longestBand bounds the entries looked at in one band, the newest first; longer ones hold boilerplate.
const longestBand = 64

// lookup lists the items that share most bands, at most the given number, in an order that depends on the
// items alone. The list is valid until the next lookup.
func (x *bandIndex) lookup(s *signature, most int) []int {
	x.found = x.found[:0]
	for b := range bands {
		at, ok := x.head[s.band(b)]
		for n := 0; ok && at >= 0 && n < longestBand; n++ {
			item := int(x.item[at])
			if x.shared[item] == 0 {
				x.found = append(x.found, item)
			}
			x.shared[item]++
			at = x.next[at]
		}
	}
	slices.SortFunc(x.found, func(a, b int) int { return cmp.Or(int(x.shared[b])-int(x.shared[a]), a-b) })
	for _, item := range x.found {
		x.shared[item] = 0
	}
	return x.found[:min(len(x.found), most)]
}

// wordHash is FNV-1a with a final mix: the same on every machine.
func wordHash(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * hashPrime
	}
	return mixWord(h)
}

// mixWord is the finalizer of splitmix64.
func mixWord(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
