package testset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
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
	if string(fields["schema"]) == `"assay/export/v1"` {
		return p.exported(fields["pairs"], name, line, opts)
	}
	if err := misplaced(fields, name); err != nil {
		return fail("%w", err)
	}
	text := opts.queryField()
	if fields[text] == nil {
		text = "text"
	}
	r := row{own: string(fields["scale"]) == `"`+ownScale+`"`}
	for _, key := range sortedKeys(fields) {
		known, err := true, error(nil)
		if key == text {
			err = json.Unmarshal(fields[key], &r.query.Text)
		} else {
			known, err = r.set(key, fields[key], opts)
		}
		if err != nil {
			return fail("%q: %w", key, jsonerr.Plain(err))
		}
		if !known {
			p.ignore(key)
		}
	}
	if err := r.checkQuery(raw, fields[text] != nil, opts.queryField()); err != nil {
		return fail("%w", err)
	}
	rec, err := r.finish(fmt.Sprintf("%s:%d", name, line), p, opts)
	if err != nil {
		return fail("%w", err)
	}
	p.records = append(p.records, rec)
	return nil
}

// exported reads the one document that export writes under --json.
func (p *parsed) exported(pairs json.RawMessage, name string, line int, opts *ImportOptions) error {
	var items []json.RawMessage
	if err := json.Unmarshal(pairs, &items); err != nil {
		return malformed(name, line, "an export without its pairs: %w", jsonerr.Plain(err))
	}
	for _, item := range items {
		if err := p.object(item, name, line, opts); err != nil {
			return err
		}
	}
	return nil
}

// misplaced refuses files of assay that hold no queries, whose lines name one by its id in "query".
func misplaced(fields map[string]json.RawMessage, name string) error {
	var event assay.Event
	switch _ = json.Unmarshal(fields["event"], &event); {
	case fields["hits"] != nil && fields["query"] != nil:
		return assay.WithHint(errors.New("this is a ranking of a run, not a query"), "queries come from a test set, and hits become labels by judging them: assay judge, assay label")
	case fields["target"] != nil && fields["scale"] == nil && slices.Contains(knownEvents, event):
		return assay.WithHint(errors.New("this is a label of a test set, whose queries stand in another file"), "import the folder: assay import %s", filepath.Dir(name))
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
