package anchor

import (
	"cmp"
	"slices"
)

// maxSteps bounds the work of one fuzzy search, in steps of one text byte against 64 quote bytes; about
// a quarter of a second.
const maxSteps = 1 << 26

// hit is a place in a text that matches with a number of edits.
type hit struct{ start, end, edits int }

// region is a stretch of text worth aligning with the quote, because pieces of the quote stand in it.
type region struct{ start, end, pieces int }

// searchRegions finds the best approximate match of quote and counts the disjoint places that match
// within the edits allowed (one more when the search had to stop early, since more may exist).
func searchRegions(text, quote string, edits int) (best hit, places int) {
	regions := candidateRegions(text, quote, edits)
	// The likeliest first, so that a search cut short has looked at them.
	slices.SortStableFunc(regions, func(a, b region) int { return b.pieces - a.pieces })
	p := newPattern(quote)
	budget := maxSteps
	var found []hit
	cut := false
	for _, r := range regions {
		cost := (r.end - r.start) * p.blocks
		if cost > budget {
			cut = true
			continue
		}
		budget -= cost
		found = append(found, p.search(text, r, edits)...)
	}
	if len(found) == 0 {
		return hit{}, 0
	}
	best = slices.MinFunc(found, func(a, b hit) int { return cmp.Or(a.edits-b.edits, a.end-b.end) })
	best.start = matchStart(text, quote, best)
	places = len(found)
	if cut {
		places++
	}
	return best, places
}

// matchStart finds where the match that ends at h.end begins, by aligning both texts backwards.
func matchStart(text, quote string, h hit) int {
	from := max(0, h.end-len(quote)-h.edits)
	back := reversed(text[from:h.end])
	p := newPattern(reversed(quote))
	best, at := len(quote)+1, 0
	for i := range len(back) {
		if d := p.step(back[i], 1); d < best {
			best, at = d, i+1
		}
	}
	return h.end - at
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// candidateRegions cuts the quote into edits+1 pieces of one length. A match with at most that many edits
// holds at least one piece unchanged, so only the surroundings of pieces need be looked at. One pass
// with a rolling hash finds them all; a hash that lies costs time, never a wrong answer.
func candidateRegions(text, quote string, edits int) []region {
	size := len(quote) / (edits + 1)
	if size == 0 || len(text) < size {
		return nil
	}
	var filter [1 << 10]uint64 // one bit per value of the hash's upper 16 bits
	offsets := map[uint64]reach{}
	for off := 0; off <= edits*size; off += size {
		h := mix(rollingHash(quote[off : off+size]))
		filter[h>>54] |= 1 << (h >> 48 & 63)
		r, seen := offsets[h]
		if !seen {
			r.first = off
		}
		r.last = off
		offsets[h] = r
	}
	var out []region
	h, drop := rollingHash(text[:size]), power(size-1)
	for i := 0; ; i++ {
		if s := mix(h); filter[s>>54]&(1<<(s>>48&63)) != 0 {
			if r, ok := offsets[s]; ok {
				start := max(0, i-r.last-edits)
				end := min(len(text), i-r.first+len(quote)+edits)
				out = addRegion(out, start, end)
			}
		}
		if i+size >= len(text) {
			return merged(out)
		}
		h = (h-(uint64(text[i])+1)*drop)*hashBase + uint64(text[i+size]) + 1
	}
}

// reach is the first and the last offset of a piece that occurs several times in the quote.
type reach struct{ first, last int }

// addRegion appends a region, or widens the last one where they overlap.
func addRegion(rs []region, start, end int) []region {
	if n := len(rs); n > 0 && start <= rs[n-1].end && end >= rs[n-1].start {
		last := &rs[n-1]
		last.start, last.end = min(last.start, start), max(last.end, end)
		last.pieces++
		return rs
	}
	return append(rs, region{start, end, 1})
}

const hashBase = 0x9e3779b97f4a7c15 | 1

// rollingHash is the polynomial hash of s modulo 2^64.
func rollingHash(s string) uint64 {
	var h uint64
	for i := range len(s) {
		h = h*hashBase + uint64(s[i]) + 1
	}
	return h
}

// power is hashBase to the n-th.
func power(n int) uint64 {
	p := uint64(1)
	for range n {
		p *= hashBase
	}
	return p
}

// mix moves the entropy of a polynomial hash into its upper bits.
func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// merged joins regions that overlap.
func merged(rs []region) []region {
	slices.SortFunc(rs, func(a, b region) int { return a.start - b.start })
	out := rs[:0]
	for _, r := range rs {
		if n := len(out); n > 0 && r.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, r.end)
			out[n-1].pieces += r.pieces
			continue
		}
		out = append(out, r)
	}
	return out
}
