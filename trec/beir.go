package trec

import "bytes"

// beir parses BEIR's qrels: a header, then query-id, corpus-id and score between tabs. Ids may hold
// blanks. trec_eval refuses such a file, so there is nothing to be equal to and numbers are always read
// strictly.
func (p *qrelsParser) beir() *problem {
	p.dialect.Lenient = false
	end := len(p.data) - padding
	for at := lineEnd(p.data, 0) + 1; at < end; {
		stop := lineEnd(p.data, at)
		line := bytes.TrimSuffix(p.data[at:stop], []byte("\r"))
		if len(bytes.TrimSpace(line)) == 0 {
			at = stop + 1
			continue
		}
		query, rest, ok := bytes.Cut(line, []byte("\t"))
		doc, grade, ok2 := bytes.Cut(rest, []byte("\t"))
		if !ok || !ok2 || len(query) == 0 || len(doc) == 0 || bytes.IndexByte(grade, '\t') >= 0 {
			return problemf(int64(at), "malformed line: not the 3 tab-separated fields query-id, corpus-id, score: %s", quote(line))
		}
		start := at + len(line) - len(grade)
		g, pr := p.grade(start, start+len(grade))
		if pr != nil {
			return pr
		}
		p.add(at, query, doc, g)
		at = stop + 1
	}
	return nil
}
