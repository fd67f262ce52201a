package exact

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
)

// block is a run of rows that is compared with all queries of a batch while it is in the cache.
type block struct {
	first, end int     // rows
	low, high  float64 // least and greatest size of its rows
}

// cutBlocks makes blocks of a quarter of a megabyte, so that one fits in the level 2 cache beside the
// queries, of an even number of rows, because the batch kernel takes them in pairs.
func (x *Index) cutBlocks() {
	const values, most = 1 << 16, 1 << 10
	rows := min(max(values/x.dim, 2), most) &^ 1
	for first := 0; first < x.set.Len(); first += rows {
		b := block{first: first, end: min(first+rows, x.set.Len())}
		b.low, b.high = x.size[first], x.size[first]
		for _, s := range x.size[first:b.end] {
			b.low, b.high = min(b.low, s), max(b.high, s)
		}
		x.blocks = append(x.blocks, b)
	}
}

func (b block) len() int { return b.end - b.first }

// seeker collects the best rows for one query.
type seeker struct {
	probe  probe
	filter *assay.Filter
	top    topK
	bar    bar
}

func (s *seeker) reset(p probe, filter *assay.Filter, k int) {
	s.probe, s.filter, s.bar = p, filter, everything
	s.top.reset(k)
}

// products reports whether rows can be ruled out by single-precision products at all.
func (x *Index) products() bool { return x.cfg.Distance != connector.Manhattan }

// offer shows a seeker the rows of a block with their single-precision products.
func (x *Index) offer(s *seeker, b block, products []float32) {
	least := s.bar.least(b)
	for i, product := range products {
		if product < least {
			continue
		}
		row := b.first + i
		if float64(product) < s.bar.base+s.bar.slope*x.size[row] {
			continue
		}
		if s.filter != nil && !x.set.Match(s.filter, row) {
			continue
		}
		if s.top.push(scored{x.score(&s.probe, row), row}) {
			s.bar = x.barFor(&s.probe, s.top.heap[0].score)
			least = s.bar.least(b)
		}
	}
}
