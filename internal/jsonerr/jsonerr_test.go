package jsonerr_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/jsonerr"
)

type sample struct {
	Text  string         `json:"text"`
	Count int            `json:"count"`
	Seed  uint64         `json:"seed"`
	Share *float64       `json:"share"`
	Sure  bool           `json:"sure"`
	List  []string       `json:"list"`
	Map   map[string]int `json:"map"`
	Embedded
	Inner struct {
		Deep string `json:"deep"`
	} `json:"inner"`
}

// Embedded lends its keys.
type Embedded struct {
	Lent int `json:"lent"`
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		`{"text":5}`:             `"text": a number where a string is due`,
		`{"text":["x"]}`:         `"text": a list where a string is due`,
		`{"count":"5"}`:          `"count": a string where a whole number is due`,
		`{"count":3.5}`:          `"count": 3.5 where a whole number is due`,
		`{"count":1e30}`:         `"count": 1e30 where a whole number is due`,
		`{"seed":-1}`:            `"seed": -1 where a whole number of at least 0 is due`,
		`{"share":{"x":1}}`:      `"share": an object where a number is due`,
		`{"sure":"yes"}`:         `"sure": a string where true or false is due`,
		`{"list":true}`:          `"list": true or false where a list is due`,
		`{"map":[]}`:             `"map": a list where an object is due`,
		`{"inner":{"deep":{}}}`:  `"inner.deep": an object where a string is due`,
		`{"lent":"x"}`:           `"lent": a string where a whole number is due`,
		`[1,2]`:                  `a list where an object is due`,
		`"x"`:                    `a string where an object is due`,
		`{"text":"x"`:            `it ends in the middle`,
		`{"text":"x",}`:          `invalid character '}' looking for beginning of object key string`,
		`{"text":"x"} {"text":}`: `invalid character '{' after top-level value`,
	} {
		var v sample
		err := jsonerr.Plain(json.Unmarshal([]byte(text), &v))
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		if err != nil && (strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "sample")) {
			t.Errorf("%s: %v names a type of Go", text, err)
		}
	}
}

func TestPlainLeavesOthersAlone(t *testing.T) {
	own := errors.New("grade 7 is outside 0 to 3")
	if got := jsonerr.Plain(own); got != own {
		t.Errorf("%v", got)
	}
	if got := jsonerr.Plain(nil); got != nil {
		t.Errorf("%v", got)
	}
	var v sample
	wrapped := fmt.Errorf("line 3: %w", json.Unmarshal([]byte(`{"text":5}`), &v))
	if got := jsonerr.Plain(wrapped).Error(); got != `line 3: "text": a number where a string is due` {
		t.Error(got)
	}
}
