package bm25

import (
	"slices"

	"github.com/assay-eval/assay"
)

// cursor walks the postings of one query term.
type cursor struct {
	id      uint32
	weight  uint64 // occurrences in the query << term.shift
	docs    []uint32
	impacts []uint32
}

// parse looks up the terms of a query, each once with its number of occurrences.
func (x *Index) parse(s *scratch, text string) error {
	s.query = s.query[:0]
	s.words.Reset(text)
	count := 0
	for word, ok := s.words.Next(); ok; word, ok = s.words.Next() {
		if count++; count > MaxQueryWords {
			return assay.Errorf(assay.KindInvalid, op, "", "the query has more than %d words", MaxQueryWords)
		}
		s.buf = x.analyzer.Term(s.buf[:0], word)
		id, ok := x.dict[string(s.buf)]
		if !ok {
			continue
		}
		t := &x.terms[id]
		i := slices.IndexFunc(s.query, func(c cursor) bool { return c.id == id })
		if i < 0 {
			i = len(s.query)
			s.query = append(s.query, cursor{id: id, docs: x.docs[t.start:t.end], impacts: x.impacts[t.start:t.end]})
		}
		s.query[i].weight += 1 << t.shift
	}
	return nil
}

// add brings the postings before end, which the cursor has not passed yet, into the sums.
func (c *cursor) add(sums *[window]uint64, end uint32) {
	n := len(c.docs)
	if n > 0 && c.docs[n-1] >= end {
		n, _ = slices.BinarySearch(c.docs, end)
	}
	docs, weight := c.docs[:n], c.weight
	impacts := c.impacts[:len(docs)]
	for i, d := range docs {
		sums[d%window] += uint64(impacts[i]) * weight
	}
	c.docs, c.impacts = c.docs[n:], c.impacts[n:]
}
