package corpus

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"

	"github.com/assay-eval/assay"
)

// frame is the list of chunks to draw from.
type frame struct {
	seed      uint64
	documents map[uint64]int // chunks of each document, by the hash of its id
	units     []unit
	by        func(*assay.Chunk) string // nil for one group
	number    map[string]int            // group → index in groups
	groups    []Group
}

// unit is what the frame keeps of a chunk.
type unit struct {
	key    uint64 // seeded hash of the chunk's id: its random number
	doc    uint64 // seeded hash of the document's id
	bucket uint8  // class of length
	order  int32  // place among the chosen of its document
	group  int32  // index in groups
}

func newFrame(seed uint64, by func(*assay.Chunk) string) *frame {
	return &frame{seed: seed, by: by, documents: map[uint64]int{}, number: map[string]int{}}
}

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
	u.group = f.groupOf(c)
	f.documents[u.doc]++
	f.units = append(f.units, u)
}

// groupOf counts a chunk to its group.
func (f *frame) groupOf(c *assay.Chunk) int32 {
	name := ""
	if f.by != nil {
		name = f.by(c)
	}
	i, ok := f.number[name]
	if !ok {
		i = len(f.groups)
		f.number[name] = i
		f.groups = append(f.groups, Group{Name: name})
	}
	f.groups[i].Eligible++
	return int32(i)
}

// counts are the groups by name, with what was drawn of each.
func (f *frame) counts(drawn []unit) []Group {
	out := slices.Clone(f.groups)
	for _, u := range drawn {
		out[u.group].Drawn++
	}
	slices.SortFunc(out, func(a, b Group) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// queues puts the frame into the order in which it is drawn.
//
// Each document first puts forward up to perDocument units, alternating between its classes of length.
// The j-th of a document with n units gets the priority (j+v)/n, v the document's random number: units
// below any threshold t are then t·n of each document, give or take one. The classes of a group are merged
// in the same way: the j-th by priority of a class with n units in the corpus gets (j+v)/n. So are the
// groups as they are drawn from; where they are balanced, the j-th of each gets j+v. No order looks at the
// size of the sample, which is what makes samples nested.
func (f *frame) queues(perDocument int, balanced bool) *queues {
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
	type class struct {
		group  int32
		bucket uint8
	}
	classes := map[class]int{}
	for _, u := range f.units {
		classes[class{u.group, u.bucket}]++
	}
	merge(chosen, func(u unit) class { return class{u.group, u.bucket} }, func(c class, j int) float64 {
		return (float64(j) + fraction(f.hash("length", string(rune('a'+c.bucket))))) / float64(classes[c])
	})
	q := &queues{all: make([]queue, len(f.groups))}
	for i, g := range f.groups {
		q.all[i] = queue{first: fraction(f.hash("group", g.Name)), share: float64(g.Eligible)}
		if balanced {
			q.all[i].share = 1
		}
	}
	for _, u := range chosen {
		q.all[u.group].units = append(q.all[u.group].units, u)
	}
	return q
}

// merge orders units by the rank of the j-th of each class, and leaves equal ranks as they were.
func merge[C comparable](units []unit, classOf func(unit) C, rank func(C, int) float64) {
	type ranked struct {
		unit
		rank float64
	}
	all := make([]ranked, len(units))
	taken := map[C]int{}
	for i, u := range units {
		c := classOf(u)
		all[i] = ranked{u, rank(c, taken[c])}
		taken[c]++
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	for i, r := range all {
		units[i] = r.unit
	}
}

// fetch reads the chunks of some units in another pass, by their keys; one that is gone is zero.
func (f *frame) fetch(ctx context.Context, chunks iter.Seq2[assay.Chunk, error], units []unit) (map[uint64]assay.Chunk, error) {
	out := make(map[uint64]assay.Chunk, len(units))
	for _, u := range units {
		out[u.key] = assay.Chunk{}
	}
	left := len(out)
	for c, err := range chunks {
		if _, skipped := AsSkip(err); skipped {
			continue
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		key := f.hash("chunk", c.ID)
		if old, ok := out[key]; ok && old.ID == "" {
			out[key] = c
			if left--; left == 0 {
				break
			}
		}
	}
	return out, nil
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
