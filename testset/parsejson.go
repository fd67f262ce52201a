package testset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonerr"
)

// json reads an array of objects, or objects one after another; pretty-printed or one a line.
func (p *parsed) json(src *source, opts *ImportOptions) error {
	counted := &lineCounter{r: src}
	dec := json.NewDecoder(counted)
	first, err := firstByte(src)
	if err != nil {
		return err
	}
	array := first == '['
	if array {
		if _, err := dec.Token(); err != nil {
			return malformed(src.name, 1, "%w", err)
		}
	}
	for array && dec.More() || !array {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if errors.Is(err, io.EOF) && !array {
			return nil
		}
		line := counted.line(dec.InputOffset() - int64(len(raw))) // where the object begins
		if err != nil {
			return assay.WithHint(malformed(src.name, line, "not JSON: %w", jsonerr.Plain(err)), "for a file with a query a line, say --form text")
		}
		if err := p.object(raw, src.name, line, opts); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return malformed(src.name, counted.line(dec.InputOffset()), "the JSON array is not closed: %w", err)
	}
	return nil
}

func firstByte(src *source) (byte, error) {
	for n := 1; ; n++ {
		head, err := src.Peek(n)
		if err != nil {
			return 0, fmt.Errorf("read %s: %w", src.name, err)
		}
		if c := head[n-1]; !bytes.ContainsRune([]byte(" \t\r\n"), rune(c)) {
			return c, nil
		}
	}
}

// object reads one query with the ids beside it. Numbers as ids keep their digits.
func (p *parsed) object(raw json.RawMessage, name string, line int, opts *ImportOptions) error {
	fail := func(format string, args ...any) error { return malformed(name, line, format, args...) }
	if !utf8.Valid(raw) {
		return fail("not valid UTF-8")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return fail("not an object with a query: %w", jsonerr.Plain(err))
	}
	rec := record{where: fmt.Sprintf("%s:%d", name, line)}
	var ids []string
	var given *float64
	var grade *assay.Grade
	for _, key := range sortedKeys(fields) {
		value := fields[key]
		var err error
		switch {
		case key == opts.queryField() || key == "text" && fields[opts.queryField()] == nil:
			err = json.Unmarshal(value, &rec.query.Text)
		case key == "id" || key == "_id" || key == "query_id":
			rec.query.ID, err = idString(value)
		case key == opts.idsField():
			ids, err = idList(value)
		case opts.IDsField == "" && (key == "relevant_chunk_id" || key == "relevant_id" || key == "relevant_chunk_ids"):
			var more []string
			more, err = idList(value)
			ids = append(ids, more...)
		case key == "given":
			err = json.Unmarshal(value, &given)
		case key == "grade":
			err = json.Unmarshal(value, &grade)
		case key == "tags":
			err = json.Unmarshal(value, &rec.query.Tags)
		case key == "weight":
			err = json.Unmarshal(value, &rec.query.Weight)
		case key == "filter":
			if string(value) != "null" {
				rec.query.Filter, err = assay.ParseFilter(value)
			}
		case key == "metadata" && isEmpty(value):
		default:
			p.ignore(key)
		}
		if err != nil {
			return fail("%q: %w", key, jsonerr.Plain(err))
		}
	}
	switch field := opts.queryField(); {
	case strings.TrimSpace(rec.query.Text) != "":
	case fields[field] != nil || fields["text"] != nil:
		return assay.WithHint(fail("the query in %s is empty", clip(raw)), "write its text, or take the line out")
	default:
		return assay.WithHint(fail("no %q in %s", field, clip(raw)), "each object needs a query text; name its field with --query-field")
	}
	if err := p.attach(&rec, ids, given, grade); err != nil {
		return fail("%w", err)
	}
	p.records = append(p.records, rec)
	return nil
}

// attach gives a record its labels. A grade beside a given one is assay's own; a grade alone is on the
// scale of whoever wrote the file.
func (p *parsed) attach(rec *record, ids []string, given *float64, grade *assay.Grade) error {
	if grade != nil && given == nil {
		g := float64(*grade)
		given, grade = &g, nil
	}
	if grade != nil && (*grade < 0 || *grade > assay.MaxGrade) {
		return fmt.Errorf("grade %d is outside 0 to %d", *grade, assay.MaxGrade)
	}
	for _, id := range ids {
		if j, ok := p.label(judged{id: id, given: given, grade: grade}); ok {
			rec.labels = append(rec.labels, j)
		}
	}
	return nil
}

// idString reads an id: a string, or a number whose digits are kept as they stand.
func idString(raw json.RawMessage) (string, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err == nil {
		return s, nil
	}
	var n json.Number
	if err := json.Unmarshal(raw, &n); err != nil {
		return "", fmt.Errorf("%s is not an id: a string or a number", clip(raw))
	}
	return n.String(), nil
}

// idList reads one id or a list of them; null and "" are no id.
func idList(raw json.RawMessage) ([]string, error) {
	items := []json.RawMessage{raw}
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		items = nil
		if err := json.Unmarshal(raw, &items); err != nil {
			return nil, err
		}
	}
	var out []string
	for _, item := range items {
		id, err := idString(item)
		if err != nil {
			return nil, err
		}
		if id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out, nil
}

func isEmpty(raw json.RawMessage) bool {
	s := string(bytes.TrimSpace(raw))
	return s == "{}" || s == "null"
}

func clip(raw []byte) string {
	const most = 80
	if len(raw) <= most {
		return string(raw)
	}
	return strings.ToValidUTF8(string(raw[:most]), "") + "…"
}
