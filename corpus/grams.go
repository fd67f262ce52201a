package corpus

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
)

// The index of places holds a selection of the corpus's 32-byte grams, chosen by winnowing (Schleimer,
// Wilkerson, Aiken 2003): of every 32 grams in a row the one with the least hash, the last on a tie. Two
// texts that share 63 bytes have chosen at least one gram in common, so that a text is found by any gram
// that it chose itself.
const (
	gramSize      = 32
	gramWindow    = 32
	shortestGrams = gramSize + gramWindow - 1
)

// post is one occurrence of a gram: an offset in a passage.
type post struct {
	gram    uint32
	passage uint32
	at      uint32
}

// gramIndex holds posts by the upper bits of their gram.
type gramIndex struct {
	shift uint
	start []uint32 // start[b] to start[b+1]: the posts of bucket b
	all   []post
}

func newGramIndex(passages []passage) gramIndex {
	var found []post
	for i, p := range passages {
		folded := anchor.Fold(p.text)
		winnow(folded.Text(), func(gram uint32, at int) {
			o := folded.Original(assay.Span{Start: at, End: at + 1})
			found = append(found, post{gram, uint32(i), uint32(o.Start)})
		})
	}
	bits := uint(1)
	for 1<<bits < len(found) && bits < 26 {
		bits++
	}
	x := gramIndex{shift: 32 - bits, start: make([]uint32, 1<<bits+1), all: make([]post, len(found))}
	for _, p := range found {
		x.start[p.gram>>x.shift+1]++
	}
	for b := 1; b < len(x.start); b++ {
		x.start[b] += x.start[b-1]
	}
	next := append([]uint32(nil), x.start...)
	for _, p := range found {
		b := p.gram >> x.shift
		x.all[next[b]] = p
		next[b]++
	}
	return x
}

// bucket is the posts of a gram and of those that share its upper bits.
func (x *gramIndex) bucket(gram uint32) []post {
	b := gram >> x.shift
	return x.all[x.start[b]:x.start[b+1]]
}

// posts are the occurrences of a gram.
func (x *gramIndex) posts(gram uint32) []post {
	var out []post
	for _, p := range x.bucket(gram) {
		if p.gram == gram {
			out = append(out, p)
		}
	}
	return out
}

// rarest is the gram of a text with the fewest posts, and its offset in the text; false when one of its
// grams has none, since then the text stands nowhere.
func (x *gramIndex) rarest(text string) (gram uint32, at int, ok bool) {
	least := -1
	winnow(text, func(g uint32, i int) {
		if n := len(x.bucket(g)); least < 0 || n < least {
			least, gram, at = n, g, i
		}
	})
	return gram, at, least > 0
}

// winnow yields the chosen grams of a text and their offsets, in order.
func winnow(text string, yield func(gram uint32, at int)) {
	if len(text) < shortestGrams {
		return
	}
	const base = 0x9e3779b97f4a7c15
	var drop, h uint64 = 1, 0
	for range gramSize - 1 {
		drop *= base
	}
	var hashes [gramWindow]uint32
	least, leastAt := uint32(0), -1
	for i := range len(text) {
		if i >= gramSize {
			h -= (uint64(text[i-gramSize]) + 1) * drop
		}
		h = h*base + uint64(text[i]) + 1
		at := i - gramSize + 1
		if at < 0 {
			continue
		}
		g := mixGram(h)
		hashes[at%gramWindow] = g
		switch {
		case leastAt >= 0 && at-leastAt < gramWindow:
			if g > least {
				continue
			}
			least, leastAt = g, at
		case at >= gramWindow-1: // the least left the window, or this is the first full one
			least, leastAt = g, at
			for j := at - 1; j > at-gramWindow; j-- {
				if v := hashes[j%gramWindow]; v < least {
					least, leastAt = v, j
				}
			}
		default:
			continue
		}
		yield(least, leastAt)
	}
}

// mixGram spreads a polynomial hash over 32 bits.
func mixGram(h uint64) uint32 {
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return uint32(h >> 32)
}
