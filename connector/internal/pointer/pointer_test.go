package pointer

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The document and pointers of RFC 6901, section 5.
const rfc = `{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}`

func decode(t *testing.T, s string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestRFC(t *testing.T) {
	doc := decode(t, rfc)
	for text, want := range map[string]any{"": doc, "/foo": []any{"bar", "baz"}, "/foo/0": "bar", "/": 0.0, "/a~1b": 1.0, "/c%d": 2.0, "/e^f": 3.0, "/g|h": 4.0,
		`/i\j`: 5.0, `/k"l`: 6.0, "/ ": 7.0, "/m~0n": 8.0} {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Get(doc)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%q: %v %s", text, err, d)
		}
	}
}

func TestTildeOrder(t *testing.T) {
	p, _ := Parse("/~01")
	if got, err := p.Get(decode(t, `{"~1":true,"/":false}`)); got != true || err != nil {
		t.Errorf("~01 is %v, %v", got, err)
	}
}

func TestNothingThere(t *testing.T) {
	doc := decode(t, `{"results":{"hits":[{"id":1}],"n":null},"took":3}`)
	for text, want := range map[string]string{
		"/result":            "nothing at /result: the top has results, took",
		"/results/docs":      "nothing at /results/docs: /results has hits, n",
		"/results/hits/1":    "nothing at /results/hits/1: /results/hits is a list of 1",
		"/results/hits/-":    `nothing at /results/hits/-: /results/hits is a list, and "-" is no place in one`,
		"/results/hits/00":   `nothing at /results/hits/00: /results/hits is a list, and "00" is no place in one`,
		"/took/x":            "nothing at /took/x: /took is a number",
		"/results/n/x":       "nothing at /results/n/x: /results/n is null",
		"/results/hits/0/ID": "nothing at /results/hits/0/ID: /results/hits/0 has id",
	} {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Get(doc); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		if _, ok := p.Find(doc); ok {
			t.Errorf("%s found", text)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{"results": "write /results", "$.results.hits": "write /results/hits", "/a~2": "~0", "/a~": "~0"} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzPointer(f *testing.F) {
	for _, s := range []string{"", "/", "/foo/0", "/a~1b", "/m~0n", "foo", "/~", "//", "/foo/-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Parse(s)
		if err != nil {
			return
		}
		if p.String() != s {
			t.Fatalf("%q became %q", s, p)
		}
		var doc any
		if err := json.Unmarshal([]byte(rfc), &doc); err != nil {
			t.Fatal(err)
		}
		_, _ = p.Get(doc) // does not panic
		// Building the document that a pointer describes makes the pointer lead to its value.
		var v any = "here"
		for i := len(p.tokens) - 1; i >= 0; i-- {
			v = map[string]any{p.tokens[i]: v}
		}
		if got, err := p.Get(v); err != nil || got != "here" {
			t.Fatalf("%q: %v, %v", s, got, err)
		}
	})
}
