package trec

import "bytes"

// chunk parses the lines of ps.data[:end] and emits each query's block as it is complete.
func (ps *runParser) chunk(end int, emit func(*Block) error) error {
	b := &ps.block
	b.reset(nil)
	for p := 0; p < end; {
		if b.Query != nil {
			if p = ps.fast(p, end); p >= end {
				break
			}
		}
		next, changed, err := ps.line(p)
		if err != nil {
			return err
		}
		if changed {
			if err := ps.flush(emit); err != nil {
				return err
			}
			start := skipBlanks(ps.data, p)
			b.reset(ps.data[start:fieldEnd(ps.data, start)])
			ps.head = matcher{}
			continue
		}
		p = next
	}
	return ps.flush(emit)
}

// flush emits the block read so far.
func (ps *runParser) flush(emit func(*Block) error) error {
	if len(ps.block.Hits) == 0 {
		return nil
	}
	if ps.block.ranks != nil {
		ps.block.contradict()
	}
	return emit(&ps.block)
}

// clone copies the tags out of the buffer they point into.
func (t tagSpan) clone() tagSpan {
	t.first, t.last = bytes.Clone(t.first), bytes.Clone(t.last)
	return t
}
