package connector

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
)

func record(t *testing.T, id, metadata string) Record {
	t.Helper()
	r := Record{ID: id}
	if err := rest.Unmarshal([]byte(metadata), &r.Metadata); err != nil {
		t.Fatal(err)
	}
	return r
}

var everything = Fields{Key: "key", Text: "body.text", Title: "title", Document: "path", Start: "start", End: "end"}

func TestFields(t *testing.T) {
	resp, err := everything.Hits("host", []Record{
		record(t, "1", `{"key":"a","body":{"text":"hello"},"title":"T","path":"doc.md","start":3,"end":8,"n":2637283987631399372}`),
		record(t, "2", `{"key":2637283987631399371,"body":{"text":""},"path":7.5,"start":9.0,"end":9}`),
		record(t, "3", `{"body.text":"dotted key","start":8,"end":3}`),
		record(t, "4", `{"key":null,"body":{"text":"x"},"start":-1,"end":3}`),
		record(t, "5", `{"key":"e","start":"0","end":3}`),
		{ID: "6"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Hit{
		{ID: "a", Text: "hello", Title: "T", Document: "doc.md", Span: &assay.Span{Start: 3, End: 8}},
		{ID: "2637283987631399371", Document: "7.5", Span: &assay.Span{Start: 9, End: 9}},
		{ID: "3", Text: "dotted key"}, {ID: "4", Text: "x"}, {ID: "e"}, {ID: "6"},
	}
	if got := resp.Hits[0].Metadata["n"]; got != int64(2637283987631399372) {
		t.Errorf("metadata %T %v", got, got)
	}
	for i := range resp.Hits {
		resp.Hits[i].Metadata = nil
	}
	if d := cmp.Diff(want, resp.Hits); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]assay.Note{{Code: "text_missing", Count: 3}, {Code: "span_invalid", Count: 3}, {Code: "key_missing", Count: 3}}, resp.Notes); d != "" {
		t.Error(d)
	}
}

func TestFieldsOfTheStoreItself(t *testing.T) {
	resp, err := Fields{}.Hits("host", []Record{{ID: "1", Text: "own text", Score: 0.5, Metadata: map[string]any{"key": "a"}}})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]assay.Hit{{ID: "1", Text: "own text", Score: 0.5, Metadata: map[string]any{"key": "a"}}}, resp.Hits); d != "" || resp.Notes != nil {
		t.Errorf("%v %s", resp.Notes, d)
	}
}

func TestFieldsThatAreWrong(t *testing.T) {
	for metadata, want := range map[string]string{
		`{"kee":"a"}`:                    `no record has the field "key" that key: names`,
		`{"key":["a"]}`:                  `record 1: the field "key" holds a list where text is due`,
		`{"key":"a","body":{"text":{}}}`: `the field "body.text" holds an object where text is due`,
		`{"key":true}`:                   `a boolean where text is due`,
	} {
		_, err := everything.Hits("host", []Record{record(t, "1", metadata)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", metadata, err)
		}
	}
	_, err := everything.Hits("host", []Record{record(t, "1", `{"kee":"a","z":1}`)})
	if assay.KindOf(err) != assay.KindInvalid || assay.Hint(err) != `record 1 has kee, z; did you mean "kee"?` {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}
	if resp, err := everything.Hits("host", nil); err != nil || len(resp.Hits) != 0 {
		t.Errorf("no records: %v", err)
	}
}

func TestTidy(t *testing.T) {
	resp := assay.Response{Hits: []assay.Hit{{ID: "a", Score: 5}, {ID: "b", Score: 4}, {ID: "a", Score: 3}, {ID: "c", Score: 2}, {ID: "b", Score: 1}, {ID: "d"}}}
	if err := Tidy(&resp, 3); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]assay.Hit{{ID: "a", Score: 5}, {ID: "b", Score: 4}, {ID: "c", Score: 2}}, resp.Hits); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]assay.Note{{Code: "duplicate_id", Count: 2}, {Code: "list_cut", Count: 1}}, resp.Notes); d != "" {
		t.Error(d)
	}
	for _, h := range []assay.Hit{{}, {ID: "a", Score: math.NaN()}, {ID: "a", Score: math.Inf(-1)}} {
		if err := Tidy(&assay.Response{Hits: []assay.Hit{h}}, 3); assay.KindOf(err) != assay.KindMalformed {
			t.Errorf("%v: %v", h, err)
		}
	}
}

func TestCheckDirection(t *testing.T) {
	zero := make([]float32, 3)
	if err := CheckDirection(zero, Cosine, "x"); assay.KindOf(err) != assay.KindInvalid {
		t.Errorf("cosine: %v", err)
	}
	for _, err := range []error{CheckDirection(zero, Dot, "x"), CheckDirection([]float32{0, 0.1}, Cosine, "x")} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestNormalize(t *testing.T) {
	in := map[string]any{"a": json.Number("1"), "b": []any{json.Number("1.5"), map[string]any{"c": json.Number("18446744073709551615")}}, "d": "x", "e": nil}
	want := map[string]any{"a": int64(1), "b": []any{1.5, map[string]any{"c": uint64(18446744073709551615)}}, "d": "x", "e": nil}
	if d := cmp.Diff(want, Normalize(in)); d != "" {
		t.Error(d)
	}
	if Normalize(nil) != nil {
		t.Error("nil became something")
	}
}
