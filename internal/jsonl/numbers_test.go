package jsonl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/jsonl"
)

func TestDecodeKnown(t *testing.T) {
	for _, c := range []struct {
		line    string
		want    map[string]any
		unknown int
		fails   bool
	}{
		{`{"a":1}`, map[string]any{"a": 1.0}, 0, false},
		{`{"a":NaN,"b":[-Infinity,2],"c":Infinity}`, map[string]any{"a": nil, "b": []any{nil, 2.0}, "c": nil}, 3, false},
		{`{"a \" NaN":"NaN","b":NaN}`, map[string]any{`a " NaN`: "NaN", "b": nil}, 1, false},
		{`{"a":"\\","b":NaN}`, map[string]any{"a": `\`, "b": nil}, 1, false},
		{`{"a":NaNa}`, nil, 0, true},
		{`{"a":nan}`, nil, 0, true},
		{`{"a":NaN`, nil, 0, true},
	} {
		var got map[string]any
		n, err := (&jsonl.Line{Bytes: []byte(c.line)}).DecodeKnown(&got)
		if diff := cmp.Diff(c.want, got); diff != "" || n != c.unknown || (err != nil) != c.fails {
			t.Errorf("%s: %d, %v\n%s", c.line, n, err, diff)
		}
	}
}
