package trec

import "math/bits"

// shape is the widths of a line's fields: the document id, the rank and the score.
//
// Neighbouring lines mostly have one shape. Checking that a line has it is a branch, which the processor
// predicts; finding out where the fields end is a chain of loads, each of which has to wait for the one
// before. Taking the widths from the line before and only checking them makes parsing almost twice as fast.
type shape struct {
	doc, rank int
	score     decimalShape
}

// fast reads lines of the current query from p on as long as they have the usual form, and returns where
// the first other one starts.
func (ps *runParser) fast(p, end int) int {
	if ps.head.n == 0 || ps.tail.n == 0 || len(ps.block.Hits) == 0 {
		return p
	}
	data, shape, head, tail := ps.data, ps.shape, ps.head, ps.tail
	if !head.at(data, p) || head.rest != nil && !head.restAt(data, p) {
		return p
	}
	sep := data[p+head.n-1] // the blank in front of the document id
	strict, round32 := !ps.dialect.Lenient, ps.round32
	hits := ps.block.Hits
	last := hits[len(hits)-1].Score
	for p < end {
		if !head.at(data, p) || head.rest != nil && !head.restAt(data, p) {
			break
		}
		doc := p + head.n
		if width(data, doc) != shape.doc {
			if n := longWidth(data, doc, sep); n != shape.doc {
				if shape.doc = n; n < 0 {
					break
				}
			}
		}
		rank := doc + shape.doc + 1
		if width(data, rank) != shape.rank {
			if shape.rank = longWidth(data, rank, sep); shape.rank < 0 {
				break
			}
		}
		number := rank + shape.rank + 1
		if data[rank-1] != sep || data[number-1] != sep {
			break
		}
		score, ok := shape.score.parse(data, number)
		if !ok {
			if score, ok = shape.score.learn(data, number); !ok {
				break
			}
		}
		rest := number + shape.score.width
		if !tail.at(data, rest) || tail.rest != nil && !tail.restAt(data, rest) {
			break
		}
		if strict {
			ps.block.ranks = append(ps.block.ranks, rankNumber(data[rank:number-1]))
		}
		if round32 {
			score = float64(float32(score))
		}
		if !(score < last) {
			ps.block.unsorted(len(hits), score == last)
		}
		last = score
		hits = append(hits, Hit{score, uint32(doc), uint32(shape.doc)})
		p = rest + tail.n
	}
	ps.block.Hits, ps.shape = hits, shape
	return p
}

// width is the length of the field at p if it is shorter than eight bytes, else some number above 7.
func width(data []byte, p int) int {
	return bits.TrailingZeros64(atMostSpace(load64(data, p))) >> 3
}

// longWidth is the length of the field at p, whatever it is, if it ends in the blank sep; -1 if it is empty
// or ends otherwise.
func longWidth(data []byte, p int, sep byte) int {
	for q := p; ; q += 8 {
		if n := width(data, q); n < 8 {
			if q += n; q == p || data[q] != sep {
				return -1
			}
			return q - p
		}
	}
}

// unknown is the shape before the first line.
var unknown = shape{doc: -1, rank: -1, score: decimalShape{wholeEnd: -1}}
