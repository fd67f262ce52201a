package jsonl_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/jsonl"
)

func TestObject(t *testing.T) {
	got := map[string]string{}
	data := ` { "a" : "x\"}y\\" ,"b":[1,{"c":"]"}, "}"],"c":-1.5e3 , "":null,"d":{},"e":true}  `
	if !jsonl.Object([]byte(data), func(key, value []byte) bool { got[string(key)] = string(value); return true }) {
		t.Fatal("not walked")
	}
	want := map[string]string{"a": `"x\"}y\\"`, "b": `[1,{"c":"]"}, "}"]`, "c": "-1.5e3", "": "null", "d": "{}", "e": "true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	calls := 0
	if !jsonl.Object([]byte(data), func(_, _ []byte) bool { calls++; return calls < 2 }) || calls != 2 {
		t.Errorf("%d calls", calls)
	}
	for _, bad := range []string{"", "[]", "1", `"a"`, "{", `{"a"`, `{"a":`, `{"a":}`, `{"a":1`, `{"a":1,}`, `{"a":1}}`, `{"a":1} x`, `{"a":"b}`, `{"a" "b"}`, `{"\u0061":1}`, `{"a":]}`, `{a:1}`, `{"a":"\"}`} {
		if jsonl.Object([]byte(bad), func(_, _ []byte) bool { return true }) {
			t.Errorf("%q was walked", bad)
		}
	}
}

// FuzzObject: of what is a JSON object, every member is found with its value, unless it asks for a decoder.
func FuzzObject(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `{"a":{"b":["\\\"",{}]},"c":null}`, `{}`, `{"a":"\\"}`, `[1]`, `{"a`, "{\"\u2028\":1 }"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got := map[string]json.RawMessage{}
		ok := jsonl.Object(data, func(key, value []byte) bool { got[string(key)] = append(json.RawMessage{}, value...); return true })
		var want map[string]json.RawMessage
		if !utf8.Valid(data) || json.Unmarshal(data, &want) != nil || want == nil {
			return
		}
		if !ok {
			for key := range want {
				if quoted, _ := json.Marshal(key); string(quoted) != `"`+key+`"` {
					return // an escape in a key
				}
			}
			t.Errorf("%q was not walked", data)
			return
		}
		for key := range want {
			if string(got[key]) != string(want[key]) {
				t.Errorf("%q: %q is %s, want %s", data, key, got[key], want[key])
			}
		}
	})
}
