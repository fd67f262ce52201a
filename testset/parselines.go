package testset

import (
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonl"
	"github.com/assay-eval/assay/internal/plural"
)

// eachLine calls do for every non-blank line of src, without its line feed.
func eachLine(src *source, do func(line string, number int) error) error {
	for line, err := range jsonl.Lines(src, src.name) {
		if err != nil {
			return assay.Classify(err, assay.ErrUsage)
		}
		if !utf8.Valid(line.Bytes) {
			return malformed(src.name, line.Number, "not valid UTF-8")
		}
		if err := do(string(line.Bytes), line.Number); err != nil {
			return err
		}
	}
	return nil
}

// text reads a query a line.
func (p *parsed) text(src *source) error {
	return eachLine(src, func(line string, number int) error {
		p.records = append(p.records, record{query: assay.Query{Text: strings.TrimSpace(line)}, where: place(src, number)})
		return nil
	})
}

// topicsTSV reads "qid<TAB>text", the form of MS MARCO and TREC Deep Learning.
func (p *parsed) topicsTSV(src *source) error {
	return eachLine(src, func(line string, number int) error {
		id, text, ok := strings.Cut(line, "\t")
		id, text = strings.TrimFunc(id, asciiBlank), strings.TrimSpace(text)
		if !ok || id == "" || text == "" {
			return malformed(src.name, number, "want a query id, a tab and the query, have %q", clip([]byte(line)))
		}
		p.records = append(p.records, record{query: assay.Query{ID: id, Text: text}, where: place(src, number), bare: true})
		return nil
	})
}

// qrelsFile reads TREC qrels (qid iter docid grade, apart by ASCII blanks) or BEIR's (qid, docid, grade,
// apart by tabs, with a header or none). Ids may hold any other character.
func (p *parsed) qrelsFile(src *source, k kind, scale Scale) error {
	return eachLine(src, func(line string, number int) error {
		var qid, id, grade string
		if k == kindQrels {
			f := strings.FieldsFunc(line, asciiBlank)
			if len(f) != 4 {
				return assay.WithHint(malformed(src.name, number, "a qrels line has 4 fields (query, iteration, document, grade), this one has %d", len(f)),
					"an id with a blank in it cannot stand in TREC qrels; JSON, CSV and BEIR can hold it")
			}
			qid, id, grade = f[0], f[2], f[3]
		} else {
			f := strings.Split(line, "\t")
			if number == 1 && contains(splitHeader(line, "query-id"), "query-id") {
				return nil
			}
			if len(f) != 3 {
				return malformed(src.name, number, "want query-id, corpus-id and score apart by tabs, have %s", plural.Count(len(f), "field"))
			}
			qid, id, grade = f[0], f[1], strings.TrimSpace(f[2])
		}
		given, err := numberOf(grade)
		if err != nil || qid == "" || id == "" {
			return malformed(src.name, number, "%q is not a judgment: query %q, document %q, grade %q", clip([]byte(line)), qid, id, grade)
		}
		if j, ok := p.label(judged{id: id, given: given}, place(src, number), scale); ok {
			p.qrels = append(p.qrels, qrel{query: qid, judged: j})
		}
		return nil
	})
}

// asciiBlank is what separates fields in TREC files; a no-break space belongs to an id.
func asciiBlank(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' }
