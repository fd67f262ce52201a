package corpus

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"github.com/assay-eval/assay"
)

// recordSource reads JSON lines: {"id","text","title"?,"metadata"?,"format"?}, or BEIR's spelling "_id".
func recordSource(path string, limit int64) *Source {
	return &Source{docs: func(_ context.Context, r *reading) { r.records(path, limit) }}
}

// record is one line. An id may be a number; its digits are the id.
type record struct {
	ID       json.RawMessage `json:"id"`
	BEIRID   json.RawMessage `json:"_id"`
	Title    string          `json:"title"`
	Text     *string         `json:"text"`
	Format   string          `json:"format"`
	Metadata map[string]any  `json:"metadata"`
}

// records reads one file of JSON lines, compressed or not.
func (r *reading) records(path string, limit int64) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		r.skip(path, 0, "not a regular file")
		return
	}
	f, err := os.Open(path)
	if err != nil {
		r.skip(path, 0, pathReason(err))
		return
	}
	defer f.Close()
	var in io.Reader = f
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			r.skip(path, 0, "not gzip: "+err.Error())
			return
		}
		defer z.Close()
		in = z
	}
	lines := lineReader{in: bufio.NewReaderSize(in, 256<<10), limit: int(limit)}
	for !r.stop() {
		line, err := lines.next()
		switch {
		case errors.Is(err, io.EOF):
			if lines.number == 0 {
				r.skip(path, 0, "empty")
			}
			return
		case errors.Is(err, errLongLine):
			r.skip(path, lines.number, fmt.Sprintf("the line is longer than %d bytes", limit))
			continue
		case err != nil:
			r.skip(path, lines.number, "the rest of the file cannot be read: "+err.Error())
			return
		}
		if lines.number == 1 {
			line = trimBOM(line)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		doc, reason := parseRecord(line)
		if reason != "" {
			r.skip(path, lines.number, reason)
			continue
		}
		r.document(doc, path, lines.number)
	}
}

// parseRecord decodes one line, or says why not.
func parseRecord(line []byte) (*Document, string) {
	if !utf8.Valid(line) {
		return nil, "invalid UTF-8"
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber() // numbers in metadata keep their digits
	var rec record
	if err := dec.Decode(&rec); err != nil {
		return nil, "not the expected JSON: " + jsonReason(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, "not the expected JSON: more than one value on the line"
	}
	id, reason := recordID(rec.ID)
	if id == "" && reason == "" {
		id, reason = recordID(rec.BEIRID)
	}
	switch {
	case reason != "":
		return nil, reason
	case id == "":
		return nil, `no "id" (or "_id")`
	case rec.Text == nil:
		return nil, fmt.Sprintf(`document %s has no "text"`, quoted(id))
	}
	text := strings.TrimPrefix(*rec.Text, byteOrderMark)
	if reason := badText(text); reason != "" {
		return nil, fmt.Sprintf("the text of document %s: %s", quoted(id), reason)
	}
	switch rec.Format {
	case "", FormatText, FormatMarkdown:
	default:
		return nil, fmt.Sprintf("document %s has the format %s; records hold text or markdown", quoted(id), quoted(rec.Format))
	}
	return NewDocument(assay.Document{ID: id, Title: rec.Title, Text: text, Metadata: rec.Metadata, Format: rec.Format}), ""
}

// recordID reads an id that is a string or a number.
func recordID(raw json.RawMessage) (id, reason string) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", ""
	}
	if raw[0] == '"' {
		if err := json.Unmarshal(raw, &id); err != nil {
			return "", "the id is not a string"
		}
		return id, ""
	}
	var n json.Number
	if err := json.Unmarshal(raw, &n); err != nil {
		return "", "the id is neither a string nor a number"
	}
	return n.String(), ""
}

// jsonReason shortens a decoder's message to what helps.
func jsonReason(err error) string {
	var te *json.UnmarshalTypeError
	switch {
	case errors.As(err, &te) && te.Field != "":
		return fmt.Sprintf("%q is a %s, wanted %s", te.Field, te.Value, te.Type)
	case errors.As(err, &te):
		return fmt.Sprintf("a %s, wanted an object", te.Value)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends in the middle"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
