package testset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// csv reads a table with a header. A query with several relevant ids takes several rows, or a JSON array
// in the column relevant_ids.
func (p *parsed) csv(src *source, opts *ImportOptions) error {
	head, _ := src.Peek(sniffed)
	first, _, _ := strings.Cut(string(head), "\n")
	r := csv.NewReader(src)
	r.Comma = rune(separator(first)[0])
	r.LazyQuotes = r.Comma == '\t' // tables apart by tabs rarely quote
	header, err := r.Read()
	if err != nil {
		return csvError(src, err)
	}
	for i := range header {
		header[i] = columnName(header[i])
	}
	if !contains(header, opts.queryField()) {
		return assay.WithHint(malformed(src.name, 1, "the header has no column %q", opts.queryField()), "name the columns: query,relevant_chunk_id")
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return csvError(src, err)
		}
		line, _ := r.FieldPos(0)
		if err := p.row(header, row, src.name, line, opts); err != nil {
			return err
		}
	}
}

func csvError(src *source, err error) error {
	line := 1
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		line, err = bad.Line, bad.Err
	}
	return malformed(src.name, line, "%w", err)
}

func (p *parsed) row(header, row []string, name string, line int, opts *ImportOptions) error {
	rec := record{where: fmt.Sprintf("%s:%d", name, line)}
	var ids []string
	var given *float64
	var grade *assay.Grade
	for i, value := range row {
		value = strings.TrimSpace(value)
		if value == "" {
			continue
		}
		var err error
		switch column := header[i]; {
		case column == strings.ToLower(opts.queryField()):
			rec.query.Text = value
		case column == "id" || column == "query_id" || column == "_id":
			rec.query.ID = value
		case column == strings.ToLower(opts.idsField()) || opts.IDsField == "" && (column == "relevant_chunk_id" || column == "relevant_id"):
			var more []string
			more, err = cellIDs(value)
			ids = append(ids, more...)
		case column == "given":
			given, err = numberOf(value)
		case column == "grade":
			var g float64
			g, err = strconv.ParseFloat(value, 64)
			whole := assay.Grade(g)
			if grade = &whole; float64(whole) != g {
				err = fmt.Errorf("grade %s is not a whole number", value)
			}
		default:
			p.ignore(column)
		}
		if err != nil {
			return malformed(name, line, "column %q: %w", header[i], err)
		}
	}
	if rec.query.Text == "" {
		return malformed(name, line, "the row has no %s", opts.queryField())
	}
	if !utf8.ValidString(rec.query.Text) {
		return malformed(name, line, "not valid UTF-8")
	}
	if err := p.attach(&rec, ids, given, grade); err != nil {
		return malformed(name, line, "%w", err)
	}
	p.records = append(p.records, rec)
	return nil
}

// cellIDs reads a table cell: a JSON array of ids, else one id whatever it holds, since ids may hold any
// character that could separate them.
func cellIDs(cell string) ([]string, error) {
	if strings.HasPrefix(cell, "[") && strings.HasSuffix(cell, "]") {
		if ids, err := idList([]byte(cell)); err == nil {
			return ids, nil
		}
	}
	return []string{cell}, nil
}

func numberOf(s string) (*float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != f || f-f != 0 {
		return nil, fmt.Errorf("%q is not a number", s)
	}
	return &f, nil
}
