package bm25

import (
	"math"
	"math/bits"
)

// unitBits is the number of binary digits after the point of a score.
const unitBits = 40

// invert turns what the workers counted into postings. from gives the stream index of every chunk number.
func (x *Index) invert(workers []*worker, from []int) {
	type place struct{ worker, chunk int }
	places := make([]place, x.set.Len()) // by stream index
	numbers := make([][]uint32, len(workers))
	x.dict = map[string]uint32{}
	for i, w := range workers {
		for j := range w.chunks {
			places[w.chunks[j].index] = place{i, j}
		}
		numbers[i] = x.merge(w.terms)
	}
	df := make([]int, len(x.dict))
	total := uint64(0)
	x.lengths = make([]uint32, x.set.Len())
	for number, index := range from {
		w := workers[places[index].worker]
		c := w.chunks[places[index].chunk]
		x.lengths[number] = c.length
		total += uint64(c.length)
		if c.length > 0 {
			x.indexed++
		}
		for _, e := range w.entries[c.start:c.end] {
			df[numbers[places[index].worker][e.term]]++
		}
	}
	if x.indexed > 0 {
		x.average = float64(total) / float64(x.indexed)
	}
	next := x.layOut(df)
	for number, index := range from {
		w := workers[places[index].worker]
		c := w.chunks[places[index].chunk]
		for _, e := range w.entries[c.start:c.end] {
			id := numbers[places[index].worker][e.term]
			t := &x.terms[id]
			x.docs[next[id]], x.impacts[next[id]] = uint32(number), x.impact(t, e.count, c.length)
			next[id]++
		}
	}
}

// merge adds a worker's terms to the dictionary and maps its numbers to those of the index.
func (x *Index) merge(terms map[string]uint32) []uint32 {
	numbers := make([]uint32, len(terms))
	for t, n := range terms {
		id, ok := x.dict[t]
		if !ok {
			id = uint32(len(x.dict))
			x.dict[t] = id
		}
		numbers[n] = id
	}
	return numbers
}

// layOut gives every term its room among the postings and returns where each begins.
func (x *Index) layOut(df []int) []int {
	x.terms = make([]term, len(df))
	next := make([]int, len(df))
	end := 0
	for id, n := range df {
		next[id] = end
		idf := IDF(x.indexed, n)
		// The impact is at most the idf: shift until that fits in 32 bits.
		shift := max(0, bits.Len64(uint64(math.Ldexp(idf, unitBits)))-32)
		x.terms[id] = term{start: end, end: end + n, idf: idf, shift: uint8(shift)}
		end += n
	}
	x.docs, x.impacts = make([]uint32, end), make([]uint32, end)
	return next
}

// IDF is the inverse document frequency of a term in df of n documents: ln(1 + (n − df + 0.5)/(df + 0.5)).
func IDF(n, df int) float64 {
	return ln(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// ln is the natural logarithm of a finite number of at least 1, within two units in the last place of
// math.Log, which is another program on another processor. This one is the same everywhere: with x = m·2ᵉ
// and z = (m−1)/(m+1), ln x = e·ln 2 + 2(z + z³/3 + z⁵/5 + …).
func ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	z := (m - 1) / (m + 1) // at most 0.172 in size: z²⁵/25 is below 2⁻⁶⁶
	square := float64(z * z)
	sum := 0.0
	for k := 25; k >= 1; k -= 2 {
		sum = 1/float64(k) + float64(square*sum)
	}
	return float64(float64(e)*math.Ln2) + float64(2*z*sum)
}

// impact is the rounded part of a score that tf occurrences in a chunk of some length bring. It is at
// least 1, so that a chunk with the term always scores above one without.
func (x *Index) impact(t *term, tf, length uint32) uint32 {
	// The conversions keep a compiler from fusing the multiplications and additions, which would give
	// another last digit on another processor.
	share := float64(x.cfg.B * (float64(length) / x.average))
	norm := float64(x.cfg.K1 * (1 - x.cfg.B + share))
	exact := float64(t.idf*float64(tf)) / (float64(tf) + norm)
	return uint32(min(max(math.RoundToEven(math.Ldexp(exact, unitBits-int(t.shift))), 1), math.MaxUint32))
}
