package trec

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// Qrels holds the judgments of a file, by query in byte order of the query id.
type Qrels struct {
	Name    string // of the file
	Queries []*Judgments
	byID    map[string]*Judgments
	src     *source
}

// Judgments are the judged documents of one query.
type Judgments struct {
	Query  string
	Index  int // in Qrels.Queries
	Docs   []string
	Grades []float64 // of Docs; whole numbers, unless the dialect is strict and the file says otherwise
	Top    float64   // highest grade
	table  idTable
	one    uint32 // the hash of the only document, 0 if there are several
	// repeat is a document that is judged twice, which makes the query unusable. A lenient dialect, like
	// trec_eval, objects only when the query is scored.
	repeat  *problem
	offsets []int64 // of the lines, until the table is built
}

// maxGrade bounds grades, so that sums of them stay exact or nearly so.
const maxGrade = 1e12

// ReadQrels reads a qrels file in TREC's form, or in BEIR's: tab-separated with the header line
// query-id, corpus-id, score. In a strict dialect a grade may be any finite number.
func ReadQrels(name string, d Dialect) (*Qrels, error) {
	src, err := openSource(name)
	if err != nil {
		return nil, err
	}
	q, err := readQrels(src, d)
	if cerr := src.close(); err == nil && cerr != nil {
		return nil, usage(cerr)
	}
	return q, err
}

func readQrels(src *source, d Dialect) (*Qrels, error) {
	data, err := src.bytes()
	if err != nil {
		return nil, err
	}
	p := qrelsParser{dialect: d, data: data, q: &Qrels{Name: src.name, byID: map[string]*Judgments{}, src: src}}
	parse := p.trec
	if bytes.HasPrefix(data, []byte("query-id\t")) {
		parse = p.beir
	}
	if at := parse(); at != nil {
		return nil, src.located(at)
	}
	if len(p.q.Queries) == 0 {
		return nil, src.empty()
	}
	slices.SortFunc(p.q.Queries, func(a, b *Judgments) int { return cmp.Compare(a.Query, b.Query) })
	for i, j := range p.q.Queries {
		j.Index = i
		j.build()
		if j.repeat != nil && !d.Lenient {
			return nil, src.located(j.repeat)
		}
	}
	return p.q, nil
}

// Lookup finds a query's judgments; nil if it has none.
func (q *Qrels) Lookup(query []byte) *Judgments { return q.byID[string(query)] }

// Usable is an error if a document is judged twice for the query.
func (q *Qrels) Usable(j *Judgments) error {
	if j.repeat == nil {
		return nil
	}
	return q.src.located(j.repeat)
}

// Grade is the grade of a document and whether it is judged.
func (j *Judgments) Grade(doc []byte) (float64, bool) { return j.grade(doc, hash(doc)) }

func (j *Judgments) grade(doc []byte, h uint32) (float64, bool) {
	if h != j.one && j.one != 0 {
		return 0, false
	}
	mask := uint32(len(j.table.hashes) - 1)
	for at := h >> 1 & mask; j.table.hashes[at] != 0; at = (at + 1) & mask {
		if j.table.hashes[at] == h {
			if i := j.table.index[at]; j.Docs[i] == string(doc) {
				return j.Grades[i], true
			}
		}
	}
	return 0, false
}

// build indexes the documents and finds one that is judged twice.
func (j *Judgments) build() {
	j.table = newIDTable(len(j.Docs))
	j.Top = math.Inf(-1)
	for i, doc := range j.Docs {
		j.Top = max(j.Top, j.Grades[i])
		h := hash([]byte(doc))
		if first := j.table.find(h, func(k uint32) bool { return j.Docs[k] == doc }); first >= 0 {
			if j.repeat == nil {
				j.repeat = problemf(j.offsets[i], "document %s is judged twice in query %s", quote([]byte(doc)), quote([]byte(j.Query)))
				j.repeat.other, j.repeat.paired = j.offsets[first], true
			}
			continue
		}
		j.table.put(h, uint32(i))
	}
	if len(j.Docs) == 1 {
		j.one = hash([]byte(j.Docs[0]))
	}
	j.offsets = nil
}

// qrelsParser reads the lines of a qrels file. Ids are strings inside data, which lives on with them.
type qrelsParser struct {
	dialect Dialect
	data    []byte
	q       *Qrels
	last    *Judgments
}

// add files a judgment under its query.
func (p *qrelsParser) add(start int, query, doc []byte, grade float64) {
	if p.last == nil || p.last.Query != string(query) {
		j := p.q.byID[string(query)]
		if j == nil {
			j = &Judgments{Query: text(query)}
			p.q.byID[j.Query] = j
			p.q.Queries = append(p.q.Queries, j)
		}
		p.last = j
	}
	p.last.Docs = append(p.last.Docs, text(doc))
	p.last.Grades = append(p.last.Grades, grade)
	p.last.offsets = append(p.last.offsets, int64(start))
}

// text makes a string of bytes that are never written again.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// trec parses TREC's four fields. Unlike in a run, a blank line and a fifth field are errors.
func (p *qrelsParser) trec() *problem {
	data, end := p.data, len(p.data)-padding
	if pr := p.mark(); pr != nil {
		return pr
	}
	comment := false
	for at := 0; at < end; {
		start := at
		if data[at] == '#' && p.dialect.comments() && !comment {
			at = lineEnd(data, at) + 1
			comment = true // trec_eval takes the line after a comment as data, whatever it is
			continue
		}
		comment = false
		query := skipBlanks(data, at)
		queryEnd := fieldEnd(data, query)
		iter := skipBlanks(data, queryEnd)
		iterEnd := fieldEnd(data, iter)
		doc := skipBlanks(data, iterEnd)
		docEnd := fieldEnd(data, doc)
		grade := skipBlanks(data, docEnd)
		gradeEnd := fieldEnd(data, grade)
		stop := skipBlanks(data, gradeEnd)
		if data[grade] == '\n' || data[stop] != '\n' {
			return p.malformed(start)
		}
		g, pr := p.grade(grade, gradeEnd)
		if pr == nil && bytes.IndexByte(data[start:stop], 0) >= 0 {
			pr = &problem{offset: int64(start), err: errBinary}
		}
		if pr != nil {
			return pr
		}
		p.add(start, data[query:queryEnd], data[doc:docEnd], g)
		at = stop + 1
	}
	return nil
}

// mark refuses a byte order mark, which would become part of the first query id and lose the line.
func (p *qrelsParser) mark() *problem {
	if p.dialect.Lenient || !bytes.HasPrefix(p.data, []byte("\ufeff")) {
		return nil
	}
	return errMark()
}

func errMark() *problem {
	pr := problemf(0, "the file begins with a byte order mark, which would become part of the first query id")
	pr.hint = "remove it: sed -i '1s/^\\xEF\\xBB\\xBF//' FILE"
	return pr
}

// grade reads the grade field.
func (p *qrelsParser) grade(start, end int) (float64, *problem) {
	field := p.data[start:end]
	if p.dialect.Lenient {
		return float64(CInt(field)), nil
	}
	x, ok := strictFloat(field)
	if !ok || math.IsInf(x, 0) {
		return 0, problemf(int64(start), "grade %s is not a number", quote(field))
	}
	if math.Abs(x) > maxGrade {
		return 0, problemf(int64(start), "grade %s is out of range", quote(field))
	}
	return x, nil
}

// malformed explains a line that does not have four fields.
func (p *qrelsParser) malformed(start int) *problem {
	line := p.data[start:lineEnd(p.data, start)]
	if bytes.IndexByte(line, 0) >= 0 {
		return &problem{offset: int64(start), err: errBinary}
	}
	n := countFields(line)
	pr := problemf(int64(start), "malformed line: %d fields instead of the 4 query, iteration, document, grade: %s", n, quote(line))
	switch {
	case n == 0:
		pr.err = fmt.Errorf("malformed line: blank lines are not allowed in qrels")
	case line[0] == '#':
		pr.hint = "single comment lines are read with --compat 10"
	case n >= 6:
		pr.hint = "this looks like a run; the order is: assay score QRELS RUN"
	}
	return pr
}
