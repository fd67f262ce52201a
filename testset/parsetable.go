package testset

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonerr"
)

// csv reads a table with a header. A query with several relevant ids takes several rows, or a JSON array
// in the column relevant_ids.
func (p *parsed) csv(src *source, opts *ImportOptions) error {
	head, _ := src.Peek(sniffed)
	first, _, _ := strings.Cut(string(head), "\n")
	comma := rune(separator(first, opts.queryField())[0])
	var in io.Reader = src
	if comma != '\t' && !strings.HasSuffix(first, "\r") {
		in = &returns{r: src}
	}
	r := csv.NewReader(in)
	r.Comma = comma
	r.LazyQuotes = r.Comma == '\t' // tables apart by tabs rarely quote
	header, err := r.Read()
	if err != nil {
		return csvError(src, err)
	}
	for i := range header {
		header[i] = columnName(header[i])
		if slices.Contains(header[:i], header[i]) && header[i] != "" {
			return assay.WithHint(malformed(src.name, 1, "the header has two columns %q", header[i]), "rename one of them")
		}
	}
	if !contains(header, opts.queryField()) {
		return assay.WithHint(malformed(src.name, 1, "the header has no column %q", opts.queryField()), "name the columns: query,relevant_chunk_id")
	}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return csvError(src, err)
		}
		line, _ := r.FieldPos(0)
		if err := p.tableRow(header, cells, src.name, line, opts); err != nil {
			return malformed(src.name, line, "%w", err)
		}
	}
}

func csvError(src *source, err error) error {
	line := 1
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		line, err = bad.Line, bad.Err
		const twice = `inside quotes, write a quotation mark twice: "so ""quoted"" in a cell"`
		switch {
		case errors.Is(err, csv.ErrQuote) && bad.StartLine != bad.Line:
			return assay.WithHint(malformed(src.name, bad.StartLine, "a quotation mark opens here that nothing closes properly up to line %d", bad.Line), twice)
		case errors.Is(err, csv.ErrQuote), errors.Is(err, csv.ErrBareQuote):
			return assay.WithHint(malformed(src.name, line, "a quotation mark in a cell that is not quoted, or not twice in one that is"), twice)
		case errors.Is(err, csv.ErrFieldCount):
			return assay.WithHint(malformed(src.name, line, "%w: not as many cells as the header", err), "put a cell with a comma in it into quotation marks")
		}
	}
	return malformed(src.name, line, "%w", err)
}

// tableRow reads a row as the object that JSON would have of it.
func (p *parsed) tableRow(header, cells []string, name string, line int, opts *ImportOptions) error {
	var r row
	place := map[string]string{}
	if at := slices.Index(header, "scale"); at >= 0 {
		r.own = strings.TrimSpace(cells[at]) == ownScale
	}
	for i, cell := range cells {
		column := header[i]
		if !utf8.ValidString(cell) {
			return assay.WithHint(fmt.Errorf("column %q: not valid UTF-8", column), "save the table as CSV UTF-8")
		}
		if strings.TrimSpace(cell) == "" && !slices.Contains(placeColumns, column) || cell == "" {
			continue
		}
		if r.own && slices.Contains(placeColumns, column) {
			place[column] = cell
			continue
		}
		known, err := r.set(column, cellJSON(column, cell, opts), opts)
		if err != nil {
			return fmt.Errorf("column %q: %w", column, jsonerr.Plain(err))
		}
		if !known && strings.TrimSpace(cell) != "" {
			p.ignore(column)
		}
	}
	if strings.TrimSpace(r.query.Text) == "" {
		return fmt.Errorf("the row has no %s", opts.queryField())
	}
	if err := r.setPlace(place); err != nil {
		return err
	}
	rec, err := r.finish(fmt.Sprintf("%s:%d", name, line), p, opts)
	if err != nil {
		return err
	}
	p.records = append(p.records, rec)
	return nil
}

// placeColumns are the parts of a target, which are text to the last blank.
var placeColumns = []string{"document", "quote", "start", "end", "version", "before", "after", "text_hash"}

// setPlace makes a target of its columns, where there are any. A spreadsheet keeps them all or none.
func (r *row) setPlace(place map[string]string) error {
	if len(place) == 0 {
		return nil
	}
	t := assay.Target{Document: place["document"], Quote: place["quote"], Version: place["version"], Before: place["before"],
		After: place["after"], TextHash: place["text_hash"]}
	for column, value := range map[string]*int{"start": &t.Start, "end": &t.End} {
		if place[column] == "" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(place[column]))
		if err != nil {
			return fmt.Errorf("column %q: %q is not a whole number", column, place[column])
		}
		*value = n
	}
	whole := t.Document != "" && t.Quote == "" && t.End == 0
	if len(r.ids) > 0 && !(whole && r.ids[0] == t.Document) {
		t.Chunk = r.ids[0]
	}
	r.target = &t
	return nil
}

// cellJSON is a table cell as JSON would have it: numbers, objects and lists as they stand, all else a string.
func cellJSON(column, cell string, opts *ImportOptions) json.RawMessage {
	trimmed := strings.TrimSpace(cell)
	switch {
	case column == "note":
		return quotedJSON(cell)
	case column == strings.ToLower(opts.queryField()):
		return quotedJSON(trimmed)
	case column == "given" || column == "grade" || column == "weight":
		if _, err := numberOf(trimmed); err == nil && json.Valid([]byte(trimmed)) {
			return json.RawMessage(trimmed)
		}
	case column == "filter" || column == "origin":
		if json.Valid([]byte(trimmed)) {
			return json.RawMessage(trimmed)
		}
	case column == "tags":
		return tagList(trimmed)
	case strings.HasPrefix(trimmed, "[") && strings.HasSuffix(trimmed, "]"):
		// A list of ids; else one id whatever it holds, since ids may hold any character that could separate them.
		if ids, err := idList([]byte(trimmed)); err == nil {
			if isID := column == "id" || column == "query_id" || column == "_id"; isID && len(ids) == 1 {
				return quotedJSON(ids[0])
			} else if !isID {
				return json.RawMessage(trimmed)
			}
		}
	}
	return quotedJSON(trimmed)
}

// tagList reads tags apart by commas, or a JSON array of them.
func tagList(cell string) json.RawMessage {
	var tags []string
	if json.Unmarshal([]byte(cell), &tags) == nil {
		return json.RawMessage(cell)
	}
	for tag := range strings.SplitSeq(cell, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	return json.RawMessage(listCell(tags))
}

func quotedJSON(s string) json.RawMessage {
	list := listCell([]string{s})
	return json.RawMessage(list[1 : len(list)-1])
}

func numberOf(s string) (*float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != f || f-f != 0 {
		return nil, fmt.Errorf("%q is not a number", s)
	}
	return &f, nil
}
