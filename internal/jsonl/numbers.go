package jsonl

import (
	"bytes"
	"encoding/json"
)

// notNumbers are what scripts write where a number is due and there is none. JSON has no such words, and Python writes them unasked.
var notNumbers = [][]byte{[]byte("NaN"), []byte("Infinity"), []byte("-Infinity")}

// DecodeKnown decodes a line of which only the known numbers count: one that is written as NaN or Infinity, which is no JSON, is read
// as null. It tells how many those were.
func (l *Line) DecodeKnown(v any) (unknown int, err error) {
	if err = json.Unmarshal(l.Bytes, v); err == nil || json.Valid(l.Bytes) {
		return 0, err
	}
	data, n := nulls(l.Bytes)
	if n == 0 || json.Unmarshal(data, v) != nil {
		return 0, err
	}
	return n, nil
}

// nulls puts null in the place of what is no number, outside of strings.
func nulls(data []byte) (out []byte, n int) {
	quoted := false
	for i := 0; i < len(data); {
		if quoted && data[i] == '\\' && i+1 < len(data) {
			out = append(out, data[i], data[i+1])
			i += 2
			continue
		}
		if data[i] == '"' {
			quoted = !quoted
		}
		if size := notNumber(data[i:]); size > 0 && !quoted {
			out, i, n = append(out, "null"...), i+size, n+1
			continue
		}
		out = append(out, data[i])
		i++
	}
	return out, n
}

// notNumber is the length of such a word at the beginning of data, 0 where there is none.
func notNumber(data []byte) int {
	for _, w := range notNumbers {
		if bytes.HasPrefix(data, w) {
			return len(w)
		}
	}
	return 0
}
