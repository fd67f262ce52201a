package anchor

// pattern aligns a fixed pattern with texts by Myers' bit-vector algorithm in blocks of 64 rows (Myers
// 1999, "A fast bit-vector algorithm for approximate string matching based on dynamic programming";
// horizontal deltas between blocks after Hyyrö 2003). One step costs a few instructions per block.
type pattern struct {
	size   int
	blocks int
	last   uint64   // the bit of the last row in the last block
	eq     []uint64 // eq[c*blocks+b]: rows of block b that hold byte c
	pv, mv []uint64 // vertical deltas +1 and −1 of the current column
	score  int      // edits between the whole pattern and the text so far
}

func newPattern(s string) *pattern {
	blocks := (len(s) + 63) / 64
	p := &pattern{
		size:   len(s),
		blocks: blocks,
		last:   1 << ((len(s) - 1) % 64),
		eq:     make([]uint64, 256*blocks),
		pv:     make([]uint64, blocks),
		mv:     make([]uint64, blocks),
	}
	for i := range len(s) {
		p.eq[int(s[i])*blocks+i/64] |= 1 << (i % 64)
	}
	p.reset()
	return p
}

// reset starts over with an empty text.
func (p *pattern) reset() {
	for b := range p.pv {
		p.pv[b], p.mv[b] = ^uint64(0), 0
	}
	p.score = p.size
}

// step reads one byte of text and returns the edits between the pattern and the text up to here. top is
// what skipping this byte before the pattern begins costs: 0 lets a match start anywhere, 1 ties it to
// the start of the text.
func (p *pattern) step(c byte, top int) int {
	eqs := p.eq[int(c)*p.blocks : int(c)*p.blocks+p.blocks]
	inPos, inNeg := uint64(top), uint64(0)
	for b, eq := range eqs {
		pv, mv := p.pv[b], p.mv[b]
		xv := eq | mv
		eq |= inNeg
		xh := (((eq & pv) + pv) ^ pv) | eq
		ph := mv | ^(xh | pv)
		mh := pv & xh
		if b == p.blocks-1 {
			if ph&p.last != 0 {
				p.score++
			} else if mh&p.last != 0 {
				p.score--
			}
		}
		outPos, outNeg := ph>>63, mh>>63
		ph = ph<<1 | inPos
		mh = mh<<1 | inNeg
		p.pv[b] = mh | ^(xv | ph)
		p.mv[b] = ph & xv
		inPos, inNeg = outPos, outNeg
	}
	return p.score
}

// search finds the places in a region where the pattern matches with at most the given edits: of ends
// closer than half the pattern only the best, the first on a tie. Starts are left 0.
func (p *pattern) search(text string, r region, edits int) []hit {
	p.reset()
	var out []hit
	lastEnd := 0
	for i := r.start; i < r.end; i++ {
		d := p.step(text[i], 0)
		if d > edits {
			continue
		}
		end := i + 1
		if n := len(out); n == 0 || end-lastEnd > p.size/2 {
			out = append(out, hit{end: end, edits: d})
		} else if d < out[n-1].edits {
			out[n-1] = hit{end: end, edits: d}
		}
		lastEnd = end
	}
	return out
}
