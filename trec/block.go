package trec

import (
	"bytes"
	"slices"
)

// Hit is one line of a run inside a Block.
type Hit struct {
	Score      float64
	start, len uint32 // of the document id in the block's bytes
}

// Block is one query's part of a run. Everything in it is valid only until the function it was handed to
// returns.
type Block struct {
	Query []byte
	// Hits is in the order of the file until Sort.
	Hits []Hit
	// Contradictions counts neighbours in the ranking whose rank column says the opposite of their scores.
	// Only a strict dialect looks at that column, and only at whole numbers in it.
	Contradictions int

	data  []byte
	base  int64 // offset of data in the file
	order order
	ties  []int32 // hits with the score of the one before
	ranks []int32
}

// Doc is the document id of a hit.
func (b *Block) Doc(h Hit) []byte { return b.data[h.start : h.start+h.len] }

// offset is the place of a hit in the file.
func (b *Block) offset(h Hit) int64 { return b.base + int64(h.start) }

func (b *Block) reset(query []byte) {
	b.Query = query
	b.Hits = b.Hits[:0]
	b.ranks, b.ties = b.ranks[:0], b.ties[:0]
	b.order = falling
	b.Contradictions = 0
}

// Sort puts the hits in trec_eval's order: by score, highest first, equal scores by document id, last in
// byte order first. The rank column has no say.
func (b *Block) Sort() {
	switch b.order {
	case level:
		for next := 0; next < len(b.ties); {
			i := int(b.ties[next]) - 1
			j := i + 1
			for ; next < len(b.ties) && int(b.ties[next]) == j; j++ {
				next++
			}
			slices.SortFunc(b.Hits[i:j], func(x, y Hit) int { return bytes.Compare(b.Doc(y), b.Doc(x)) })
		}
	case mixed:
		slices.SortFunc(b.Hits, func(x, y Hit) int {
			switch {
			case x.Score > y.Score:
				return -1
			case x.Score < y.Score:
				return 1
			}
			return bytes.Compare(b.Doc(y), b.Doc(x))
		})
	}
	b.order = falling
}

// order is what is known of the scores in the order of the file.
type order int

const (
	falling order = iota // each is below the one before: nothing to sort
	level                // none is above the one before: only equal scores need sorting
	mixed
)

// unsorted notes that the n-th score is not below the one before.
func (b *Block) unsorted(n int, tie bool) {
	if !tie {
		b.order = mixed
		return
	}
	b.order = max(b.order, level)
	b.ties = append(b.ties, int32(n))
}

// noRank stands for a rank column that is not a whole number.
const noRank = -1 << 31

// contradict counts the rank column's contradictions; it runs while Hits is in the order of the file.
func (b *Block) contradict() {
	if len(b.ranks) != len(b.Hits) || len(b.Hits) == 0 {
		return
	}
	for i := 1; i < len(b.Hits); i++ {
		r, q := b.ranks[i-1], b.ranks[i]
		if r == noRank || q == noRank {
			continue
		}
		d := b.Hits[i-1].Score - b.Hits[i].Score
		if d > 0 && r > q || d < 0 && r < q {
			b.Contradictions++
		}
	}
}
