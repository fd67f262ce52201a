package corpus

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/assay-eval/assay"
)

// frame is the list of chunks to draw from.
type frame struct {
	seed      uint64
	documents map[uint64]int // chunks of each document, by the hash of its id
	units     []unit
}

// unit is what the frame keeps of a chunk.
type unit struct {
	key    uint64 // seeded hash of the chunk's id: its random number
	doc    uint64 // seeded hash of the document's id
	bucket uint8  // class of length
	order  int32  // place among the chosen of its document
}

func newFrame(seed uint64) *frame { return &frame{seed: seed, documents: map[uint64]int{}} }

// hash is a seeded hash of an id, uniform over 64 bits.
func (f *frame) hash(kind, id string) uint64 {
	h := sha256.New()
	var seed [8]byte
	binary.LittleEndian.PutUint64(seed[:], f.seed)
	h.Write(seed[:])
	h.Write([]byte(kind))
	h.Write([]byte{0})
	h.Write([]byte(id))
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

func (f *frame) add(c *assay.Chunk) {
	doc := c.Document
	if from, ok := c.Metadata[SourceDocument].(string); ok && c.Document == c.ID {
		doc = from
	}
	u := unit{key: f.hash("chunk", c.ID), doc: f.hash("document", doc), bucket: uint8(bits.Len(uint(len(c.Text))))}
	f.documents[u.doc]++
	f.units = append(f.units, u)
}

// draw orders the frame and returns the first size units.
//
// Each document first puts forward up to perDocument units, alternating between its classes of length.
// The j-th of a document with n units gets the priority (j+v)/n, v the document's random number: units
// below any threshold t are then t·n of each document, give or take one. The classes are merged in the
// same way: the j-th by priority of a class with n units in the corpus gets (j+v)/n. Both orders are
// fixed before size is looked at, which is what makes samples nested.
func (f *frame) draw(size, perDocument int) []unit {
	slices.SortFunc(f.units, func(a, b unit) int {
		return cmp.Or(cmp.Compare(a.doc, b.doc), cmp.Compare(a.bucket, b.bucket), cmp.Compare(a.key, b.key))
	})
	var chosen []unit
	for rest := f.units; len(rest) > 0; {
		n := f.documents[rest[0].doc]
		chosen = append(chosen, putForward(rest[:n], perDocument)...)
		rest = rest[n:]
	}
	slices.SortFunc(chosen, func(a, b unit) int {
		return cmp.Or(cmp.Compare(f.priority(a), f.priority(b)), cmp.Compare(a.key, b.key))
	})
	totals := map[uint8]int{}
	for _, u := range f.units {
		totals[u.bucket]++
	}
	type ranked struct {
		unit
		rank float64
	}
	all := make([]ranked, len(chosen))
	taken := map[uint8]int{}
	for i, u := range chosen {
		v := fraction(f.hash("length", string(rune('a'+u.bucket))))
		all[i] = ranked{u, (float64(taken[u.bucket]) + v) / float64(totals[u.bucket])}
		taken[u.bucket]++
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	all = all[:min(size, len(all))]
	out := make([]unit, len(all))
	for i, r := range all {
		out[i] = r.unit
	}
	return out
}

// priority is the unit's place in its document's share of the sample.
func (f *frame) priority(u unit) float64 {
	return (float64(u.order) + fraction(u.doc)) / float64(f.documents[u.doc])
}

// putForward picks up to most units of one document, sorted by class and random number: within a class at
// random, between classes so that each keeps its share as closely as whole numbers allow.
func putForward(units []unit, most int) []unit {
	type candidate struct {
		unit
		rank float64
	}
	var all []candidate
	for rest := units; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].bucket == rest[0].bucket {
			n++
		}
		v := fraction(rest[0].key * 0x9e3779b97f4a7c15)
		for j := range min(n, most) {
			all = append(all, candidate{rest[j], (float64(j) + v) / float64(n)})
		}
		rest = rest[n:]
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.key, b.key))
	})
	var out []unit
	for i, c := range all[:min(most, len(all))] {
		c.order = int32(i)
		out = append(out, c.unit)
	}
	return out
}

// fraction maps a hash to [0,1).
func fraction(h uint64) float64 { return float64(h>>11) / (1 << 53) }

// strata counts the classes of length in the frame and among the drawn.
func (f *frame) strata(drawn []unit) []Stratum {
	var all [65]Stratum
	for _, u := range f.units {
		all[u.bucket].Eligible++
	}
	for _, u := range drawn {
		all[u.bucket].Drawn++
	}
	var out []Stratum
	for b, s := range all {
		if s.Eligible > 0 {
			if b > 0 {
				s.MinBytes = 1 << (b - 1)
			}
			out = append(out, s)
		}
	}
	return out
}
