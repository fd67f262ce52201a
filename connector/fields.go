package connector

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/internal/pointer"
	"github.com/assay-eval/assay/internal/nearest"
)

// Fields says where in a store's record the parts of a chunk lie, as dotted paths into its metadata. An
// empty path means that the store does not hold that part, for Key that the record's own id is the key.
type Fields struct {
	Key, Text, Title, Document, Start, End string
}

// Record is one point, row or item of a store.
type Record struct {
	ID       string
	Score    float64
	Text     string         // the store's own text of the record, used when Fields.Text is empty
	Metadata map[string]any // as decoded, numbers as json.Number
	Vector   []float32
}

// Hits maps records to hits. A record without the key field goes by its own id and is counted as
// "key_missing"; when every record lacks it, the path is wrong: KindInvalid with the fields that exist.
// A missing text, or a start and end that are no byte range, is counted as "text_missing" and
// "span_invalid". Values of the wrong type are KindMalformed.
func (f Fields) Hits(where string, records []Record) (assay.Response, error) {
	var resp assay.Response
	missing := 0
	for _, r := range records {
		h := assay.Hit{ID: r.ID, Score: r.Score}
		var err error
		if f.Key != "" {
			key, found, err := text(r.Metadata, f.Key)
			if err != nil {
				return assay.Response{}, f.wrong(where, r, err)
			}
			if found && key != "" {
				h.ID = key
			} else {
				missing++
			}
		}
		if h.Text = r.Text; f.Text != "" {
			if h.Text, _, err = text(r.Metadata, f.Text); err != nil {
				return assay.Response{}, f.wrong(where, r, err)
			}
			if h.Text == "" {
				AddNote(&resp, "text_missing", 1)
			}
		}
		if h.Title, _, err = text(r.Metadata, f.Title); err != nil {
			return assay.Response{}, f.wrong(where, r, err)
		}
		if h.Document, _, err = text(r.Metadata, f.Document); err != nil {
			return assay.Response{}, f.wrong(where, r, err)
		}
		var valid bool
		if h.Span, valid = f.span(r.Metadata); !valid {
			AddNote(&resp, "span_invalid", 1)
		}
		h.Metadata = Normalize(r.Metadata)
		resp.Hits = append(resp.Hits, h)
	}
	if missing > 0 && missing == len(records) {
		return assay.Response{}, f.noKey(where, records[0])
	}
	AddNote(&resp, "key_missing", missing)
	return resp, nil
}

// Chunks maps records to chunks, under the same rules as Hits; what Hits counts stays uncounted, since a
// listing has no notes.
func (f Fields) Chunks(where string, records []Record) ([]assay.Chunk, error) {
	resp, err := f.Hits(where, records)
	if err != nil {
		return nil, err
	}
	chunks := make([]assay.Chunk, len(records))
	for i, h := range resp.Hits {
		chunks[i] = assay.Chunk{ID: h.ID, Document: h.Document, Span: h.Span, Title: h.Title, Text: h.Text, Metadata: h.Metadata, Vector: records[i].Vector}
	}
	return chunks, nil
}

func (f Fields) wrong(where string, r Record, err error) error {
	return assay.Errorf(assay.KindMalformed, "search", where, "record %s: %w", r.ID, err)
}

func (f Fields) noKey(where string, r Record) error {
	names := slices.Sorted(maps.Keys(r.Metadata))
	return assay.WithHint(assay.Errorf(assay.KindInvalid, "search", where, "no record has the field %q that key: names", f.Key),
		"record %s has %s%s", r.ID, orNone(names), suggest(f.Key, names))
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "no fields"
	}
	if len(names) > 20 {
		names = append(names[:20:20], "…")
	}
	return strings.Join(names, ", ")
}

func suggest(name string, names []string) string {
	if n := nearest.Name(name, names); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// text reads a field as text; numbers give their digits. An empty path finds nothing.
func text(m map[string]any, path string) (s string, found bool, err error) {
	if path == "" {
		return "", false, nil
	}
	v, ok := assay.Lookup(m, path)
	if !ok || v == nil {
		return "", false, nil
	}
	switch v := assay.NormalizeValue(v).(type) {
	case string:
		return v, true, nil
	case int64, uint64:
		return fmt.Sprint(v), true, nil
	case float64:
		b, err := json.Marshal(v)
		return string(b), true, err
	}
	return "", false, fmt.Errorf("the field %q holds %s where text is due", path, pointer.Type(v))
}

// span reads the byte range; valid is false when the fields exist and are no range.
func (f Fields) span(m map[string]any) (s *assay.Span, valid bool) {
	if f.Start == "" || f.End == "" {
		return nil, true
	}
	start, okStart := assay.Lookup(m, f.Start)
	end, okEnd := assay.Lookup(m, f.End)
	if (!okStart || start == nil) && (!okEnd || end == nil) {
		return nil, true
	}
	from, ok1 := offset(start)
	to, ok2 := offset(end)
	if !ok1 || !ok2 || from > to {
		return nil, false
	}
	return &assay.Span{Start: from, End: to}, true
}

func offset(v any) (int, bool) {
	switch v := assay.NormalizeValue(v).(type) {
	case int64:
		return int(v), v >= 0
	case float64:
		return int(v), v >= 0 && v < 1<<53 && v == float64(int(v))
	}
	return 0, false
}

// Normalize turns decoded metadata into plain values: int64, uint64 or float64 for every number, at any
// depth. nil stays nil.
func Normalize(m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	return normalize(m).(map[string]any)
}

func normalize(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = normalize(v[k])
		}
		return v
	case []any:
		for i := range v {
			v[i] = normalize(v[i])
		}
		return v
	}
	return assay.NormalizeValue(v)
}
