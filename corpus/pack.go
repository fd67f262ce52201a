package corpus

import "github.com/assay-eval/assay"

// pack cuts a region into spans of at most how.Size units that overlap by at most how.Overlap and are
// trimmed of white space; a region without text gives none.
func pack(text string, region assay.Span, how Chunking, marks []mark) []assay.Span {
	if how.Size == 0 {
		if s := trim(text, region); !s.Empty() {
			return []assay.Span{s}
		}
		return nil
	}
	p := packer{text: text, how: how, start: region.Start}
	if how.Unit == "" {
		p.how.Unit = Word
	}
	pieces(text, region, p.how.Unit, how.Size, func(a piece) {
		for len(marks) > 0 && marks[0].at < a.end {
			marks = marks[1:]
		}
		switch {
		case len(marks) > 0 && marks[0].at == a.end:
			a.rank = marks[0].rank
		case a.space:
			a.rank = rankSpace
		}
		for p.over(a) {
			p.flush()
		}
		p.window = append(p.window, a)
		p.dropSpace()
	})
	p.emit(p.start, region.End)
	return p.out
}

// packer holds the chunk under way: the pieces from start, of which the first fresh are overlap that the
// chunk before already holds.
type packer struct {
	text   string
	how    Chunking
	start  int // offset of the window's first byte
	cost   int // cost up to start
	window []piece
	fresh  int
	out    []assay.Span
}

// over reports whether the window must shrink before a can join it.
func (p *packer) over(a piece) bool {
	if len(p.window) == 0 {
		return false
	}
	return a.cost-p.cost > p.how.Size || p.how.Unit == Word && a.end-p.start > p.how.Size*wordBytes
}

// flush makes room: it ends a chunk, or drops overlap where the window holds nothing else.
func (p *packer) flush() {
	if len(p.window) == p.fresh {
		p.drop(1)
		p.fresh--
		p.dropSpace()
		return
	}
	n := p.cutAt()
	end := p.window[n-1].end
	p.emit(p.start, end)
	keep := p.overlapFrom(n)
	p.fresh = n - keep
	p.drop(keep)
	p.dropSpace()
}

// dropSpace drops white space at the start of the window: it is trimmed anyway and must not count.
func (p *packer) dropSpace() {
	n := 0
	for n < len(p.window) && p.window[n].space {
		n++
	}
	p.fresh = max(0, p.fresh-n)
	p.drop(n)
}

// cutAt chooses how many pieces of the window the chunk gets: up to the best boundary in its second half,
// the last on a tie. A chunk always ends after its overlap, so that cutting advances.
func (p *packer) cutAt() int {
	best := len(p.window)
	for n := len(p.window); n > p.fresh; n-- {
		held := p.window[n-1].cost - p.cost
		if held <= p.how.Overlap || 2*held < p.how.Size {
			break
		}
		if p.window[n-1].rank > p.window[best-1].rank {
			best = n
		}
	}
	return best
}

// overlapFrom is the index of the first of n pieces that the next chunk repeats; n for no overlap.
func (p *packer) overlapFrom(n int) int {
	if p.how.Overlap == 0 {
		return n
	}
	from, end := n, p.window[n-1].end
	for from > 1 && p.window[n-1].cost-p.window[from-2].cost <= p.how.Overlap &&
		(p.how.Unit != Word || end-p.window[from-2].end <= p.how.Overlap*wordBytes) {
		from--
	}
	// Begin after white space where that loses less than half of the overlap.
	for i := from; i < n && 2*(p.window[n-1].cost-p.window[i-1].cost) >= p.how.Overlap; i++ {
		if p.window[i-1].space {
			return i
		}
	}
	return from
}

// drop removes the first n pieces of the window.
func (p *packer) drop(n int) {
	if n == 0 {
		return
	}
	p.start, p.cost = p.window[n-1].end, p.window[n-1].cost
	p.window = p.window[n:]
}

// emit adds a span unless it holds nothing that the one before does not.
func (p *packer) emit(start, end int) {
	s := trim(p.text, assay.Span{Start: start, End: end})
	if s.Empty() || len(p.out) > 0 && s.End <= p.out[len(p.out)-1].End {
		return
	}
	p.out = append(p.out, s)
}
