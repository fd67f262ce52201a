package trec

import (
	"bytes"
	"math"
)

// runParser reads lines of a run into a Block. Within a query most of a line repeats the line before: the
// query id and iteration in front, the run tag behind. It looks for those first and parses a line field
// by field only where they differ.
type runParser struct {
	dialect Dialect
	round32 bool
	data    []byte // ends in padding, which is not part of the text
	base    int64
	block   Block

	head  matcher // from the start of a line to its document id
	tail  matcher // from the end of the score past the line feed
	shape shape   // of the fields between them in the last line
	tags  tagSpan
}

// tagSpan is what a parser saw of the run tags: the first and the last with their offsets.
type tagSpan struct {
	first, last     []byte
	firstAt, lastAt int64
}

func (ps *runParser) init(d Dialect, data []byte, base int64) {
	ps.dialect, ps.round32 = d, d.float32Scores()
	ps.data, ps.base = data, base
	ps.block.data, ps.block.base = data, base
	ps.head, ps.tail, ps.shape = matcher{}, matcher{}, unknown
	ps.tags = tagSpan{}
}

// add appends a hit.
func (ps *runParser) add(start, end int, score float64) {
	b := &ps.block
	if ps.round32 {
		score = float64(float32(score))
	}
	if n := len(b.Hits); n > 0 && !(score < b.Hits[n-1].Score) {
		b.unsorted(n, score == b.Hits[n-1].Score)
	}
	b.Hits = append(b.Hits, Hit{score, uint32(start), uint32(end - start)})
}

// line reads one line field by field. It returns the start of the next line and whether the line was
// blank or a comment. When the query changes it stops, before adding anything, with changed set.
func (ps *runParser) line(p int) (next int, changed bool, err error) {
	data := ps.data
	start := p
	p = skipBlanks(data, p)
	if data[p] == '\n' {
		return p + 1, false, nil
	}
	if data[p] == '#' && ps.dialect.comments() {
		return p + bytes.IndexByte(data[p:], '\n') + 1, false, nil
	}
	query := p
	p = fieldEnd(data, p)
	queryEnd := p
	if !bytes.Equal(data[query:queryEnd], ps.block.Query) || ps.block.Query == nil {
		return start, true, nil
	}
	if p = fieldEnd(data, skipBlanks(data, p)); data[p] == '\n' {
		return 0, false, ps.malformed(start)
	}
	doc := skipBlanks(data, p)
	docEnd := fieldEnd(data, doc)
	rank := skipBlanks(data, docEnd)
	rankEnd := fieldEnd(data, rank)
	score := skipBlanks(data, rankEnd)
	scoreEnd := fieldEnd(data, score)
	tag := skipBlanks(data, scoreEnd)
	if data[docEnd] == '\n' || data[rankEnd] == '\n' || data[scoreEnd] == '\n' || data[tag] == '\n' {
		return 0, false, ps.malformed(start)
	}
	tagEnd := fieldEnd(data, tag)
	next = tagEnd + bytes.IndexByte(data[tagEnd:], '\n') + 1
	if bytes.IndexByte(data[start:next], 0) >= 0 {
		return 0, false, &problem{offset: ps.base + int64(start), err: errBinary}
	}
	value, problem := ps.score(score, scoreEnd)
	if problem != nil {
		return 0, false, problem
	}
	if err := ps.setTag(tag, tagEnd); err != nil {
		return 0, false, err
	}
	if !ps.dialect.Lenient {
		ps.block.ranks = append(ps.block.ranks, rankNumber(data[rank:rankEnd]))
	}
	ps.add(doc, docEnd, value)
	ps.head = newMatcher(data[start:doc])
	ps.tail = newMatcher(data[scoreEnd:next])
	return next, false, nil
}

// score reads the score field, refusing NaN, which has no place in an order, and in a strict dialect
// whatever is not wholly a number.
func (ps *runParser) score(p, end int) (float64, *problem) {
	field := ps.data[p:end]
	if x, e, ok := plainDecimal(ps.data, p); ok && e == end {
		return x, nil
	}
	x, ok := strictFloat(field)
	if !ok {
		x = CFloat(field)
		if !ps.dialect.Lenient && !math.IsNaN(x) {
			pr := problemf(ps.base+int64(p), "score %s is not a number", quote(field))
			return 0, pr
		}
	}
	if math.IsNaN(x) {
		return 0, problemf(ps.base+int64(p), "score %s is not a number that can be ranked", quote(field))
	}
	return x, nil
}

// setTag notes the run tag of a line. A second tag in the file means two runs.
func (ps *runParser) setTag(p, end int) error {
	tag := ps.data[p:end]
	if ps.tags.first == nil {
		ps.tags.first, ps.tags.firstAt = tag, ps.base+int64(p)
	} else if !ps.dialect.Lenient && !bytes.Equal(tag, ps.tags.last) {
		return secondTag(ps.base+int64(p), tag, ps.tags.last)
	}
	ps.tags.last, ps.tags.lastAt = tag, ps.base+int64(p)
	return nil
}

func secondTag(offset int64, tag, before []byte) *problem {
	p := problemf(offset, "run tag %s after %s: two runs in one file", quote(tag), quote(before))
	p.hint = "score each run in a file of its own: grep the tag of one into a new file"
	return p
}

// rankNumber reads the rank column, noRank if it is not a whole number of at most nine digits.
func rankNumber(field []byte) int32 {
	if len(field) > 9 {
		return noRank
	}
	n := int32(0)
	for _, c := range field {
		if c-'0' > 9 {
			return noRank
		}
		n = n*10 + int32(c-'0')
	}
	return n
}

var errBinary = problemText("binary data, not text")

type problemText string

func (t problemText) Error() string { return string(t) }

// malformed explains a line with too few fields.
func (ps *runParser) malformed(start int) *problem {
	line := ps.data[start : start+bytes.IndexByte(ps.data[start:], '\n')]
	if bytes.IndexByte(line, 0) >= 0 {
		return &problem{offset: ps.base + int64(start), err: errBinary}
	}
	n := countFields(line)
	p := problemf(ps.base+int64(start), "malformed line: %d of the 6 fields query, Q0, document, rank, score, tag: %s", n, quote(line))
	switch {
	case line[0] == '#':
		p.hint = "comment lines are read with --compat 10"
	case n == 4 || n == 3:
		p.hint = "this looks like a qrels file; the order is: assay score QRELS RUN"
	}
	return p
}
