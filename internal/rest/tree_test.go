package rest

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// reference is how encoding/json reads one document.
func reference(data []byte) (v any, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return nil, false
	}
	_, err := dec.Token()
	return v, err == io.EOF
}

var documents = []string{
	`{"hits":[{"id":"a","score":0.5,"text":"x y"},{"id":2637283987631399372,"score":-1e-7}],"next":null}`,
	` [ ] `, `{}`, `""`, `true`, `false`, `null`, `0`, `-0`, `-0.0e+1`, `1E5`, `[1,[2,[3,{"a":[]}]]]`, `{"a":1,"a":2}`,
	`"\"\\\/\b\f\n\r\t\u00e9\u20ac"`, `"\ud83d\ude92"`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\u0041"`, `"\ud83d\ud83d\ude92"`, `"\ude92\ud83d"`, `"\ud83d\n"`,
	"\"\u00e9\u2028\U0001F692\"", "\"\xff\"", "\"\xc3\"", "\"\xed\xa0\xbd\"", "\"a\x00b\"", "\"a\nb\"", "\"\x7f\"",
	``, ` `, `{`, `[`, `[1,]`, `[,1]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `[1 2]`, `01`, `-`, `1.`, `.5`, `+1`, `1e`, `1e+`, `0x1`, `NaN`, `tru`, `nulll`, `"`, `"\`,
	`"\u12"`, `"\u12g4"`, `"\x41"`, `"\U0041"`, `{} {}`, `{}x`, "\ufeff{}", `"a"b`, `[1]]`, "\v1", `"\ud83d\`, `"\ud83d\u`, `"\ud83d\u12"`,
	strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), strings.Repeat("[", 20_000),
	strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000), strings.Repeat(`{"a":`, 10_001) + "1" + strings.Repeat("}", 10_001),
}

func same(t *testing.T, data []byte) {
	want, wantOK := reference(data)
	got, ok := tree(data)
	if ok != wantOK {
		t.Fatalf("%.100q: read %v, encoding/json %v", data, ok, wantOK)
	}
	if ok && !equal(got, want) {
		t.Errorf("%.100q (-encoding/json +tree):\n%s", data, cmp.Diff(want, got))
	}
}

// equal compares without recursion through reflection, which 10,000 levels would exhaust.
func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return bytes.Equal(x, y) && (errX == nil) == (errY == nil)
}

func TestTreeReadsAsTheStandardLibraryDoes(t *testing.T) {
	for _, d := range documents {
		same(t, []byte(d))
	}
}

func FuzzTree(f *testing.F) {
	for _, d := range documents {
		if len(d) < 1000 {
			f.Add([]byte(d))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { same(t, data) })
}

func BenchmarkTree(b *testing.B) {
	var hits []string
	for range 10 {
		hits = append(hits, `{"id":"chunk-17","score":0.125,"text":"`+strings.Repeat("some words of a passage ", 20)+`"}`)
	}
	data := []byte(`{"hits":[` + strings.Join(hits, ",") + `]}`)
	for name, read := range map[string]func([]byte) (any, bool){"tree": tree, "standard": reference} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := read(data); !ok {
					b.Fatal("not read")
				}
			}
		})
	}
}
