package trec

import (
	"bytes"
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/assay-eval/assay"
)

// EachGathered is Each for a run whose lines are in any order, such as one sorted by rank. It holds the
// file in memory.
func (r *Run) EachGathered(ctx context.Context, workers int, fn func(worker int, b *Block) error) error {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	data, err := r.src.bytes()
	if err != nil {
		return err
	}
	if int64(len(data)) > math.MaxUint32 {
		return assay.WithHint(usage(assay.Errorf(assay.KindInvalid, "read", r.src.label(),
			"%w, and the run is larger than 4 GiB", ErrScattered)), "bring the lines of each query together first: sort -s -k1,1")
	}
	pieces := r.pieces(data)
	// A problem does not stop the others: the first in the file may be in any of them.
	p := &pass{run: r, fn: fn, stop: func(error) {}}
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { p.gather(ctx, w, data, pieces, &next) })
	}
	wg.Wait()
	return p.finish(ctx, nil)
}

// piece is a stretch of lines of one query.
type piece struct{ start, end int }

// pieces groups the lines by query, in the order in which the queries begin.
func (r *Run) pieces(data []byte) [][]piece {
	index := map[string]int{}
	var out [][]piece
	last := -1
	for p := 0; p < len(data)-padding; {
		end := lineEnd(data, p)
		query := firstField(data[p:end])
		if query == nil || query[0] == '#' && r.dialect.comments() {
			p = end + 1
			continue
		}
		i, ok := index[string(query)]
		if !ok {
			i = len(out)
			index[string(query)] = i
			out = append(out, nil)
		}
		if n := len(out[i]); i == last && out[i][n-1].end == p {
			out[i][n-1].end = end + 1
		} else {
			out[i] = append(out[i], piece{p, end + 1})
		}
		last = i
		p = end + 1
	}
	return out
}

func lineEnd(data []byte, p int) int {
	return p + bytes.IndexByte(data[p:], '\n')
}

func (p *pass) gather(ctx context.Context, worker int, data []byte, pieces [][]piece, next *atomic.Int64) {
	var ps runParser
	ps.init(p.run.dialect, data, 0)
	for ctx.Err() == nil {
		i := int(next.Add(1)) - 1
		if i >= len(pieces) {
			break
		}
		if err := ps.pieces(pieces[i], func(b *Block) error { return p.call(worker, b) }); err != nil {
			p.fail(err, int64(pieces[i][0].start))
		}
		p.mu.Lock()
		if ps.tags.first != nil {
			p.tags = append(p.tags, ps.tags)
		}
		p.mu.Unlock()
		ps.tags = tagSpan{}
	}
}

// pieces parses the lines of one query wherever they are.
func (ps *runParser) pieces(list []piece, emit func(*Block) error) error {
	b := &ps.block
	b.reset(nil)
	for _, piece := range list {
		for p := piece.start; p < piece.end; {
			if b.Query == nil {
				start := skipBlanks(ps.data, p)
				b.reset(ps.data[start:fieldEnd(ps.data, start)])
				ps.head = matcher{}
			} else if p = ps.fast(p, piece.end); p >= piece.end {
				break
			}
			next, _, err := ps.line(p)
			if err != nil {
				return err
			}
			p = next
		}
	}
	return ps.flush(emit)
}
