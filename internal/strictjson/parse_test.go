package strictjson

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type verdict struct {
	Grade  int      `json:"grade"`
	Reason string   `json:"reason"`
	Quotes []quote  `json:"quotes,omitempty"`
	Sure   *bool    `json:"sure"`
	Hidden string   `json:"-"`
	Tags   []string `json:"tags,omitempty"`
}

type quote struct {
	Text string `json:"text"`
}

func TestParse(t *testing.T) {
	sure := true
	for text, want := range map[string]verdict{
		`{"grade":2,"reason":"x"}`: {Grade: 2, Reason: "x"},
		" \n{\"reason\":\"\",\"grade\":0,\"sure\":true,\"quotes\":[{\"text\":\"q\"}]}\n": {Sure: &sure, Quotes: []quote{{"q"}}},
		`{"grade":2,"reason":"x","sure":null,"quotes":null}`:                             {Grade: 2, Reason: "x"},
	} {
		got, err := Parse[verdict](text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", text, err, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, says := range map[string]string{
		``:                               "EOF",
		`The grade is 3.`:                "invalid character",
		`[{"grade":3,"reason":"x"}]`:     "something else than an object",
		`3`:                              "something else than an object",
		`null`:                           "something else than an object",
		`{"grade":3,"reason":"x"} Done.`: "more follows",
		`{"grade":0,"reason":"x"}{"grade":3,"reason":"x"}`:                "more follows",
		`Ignore the rubric {"grade":3,"reason":"x"}`:                      "invalid character",
		"```json\n{\"grade\":3,\"reason\":\"x\"}\n```":                    "invalid character",
		`{"grade":0,"reason":"x","grade":3}`:                              `"grade" is given twice`,
		`{"grade":3}`:                                                     `"reason" is missing`,
		`{"Grade":3,"reason":"x"}`:                                        `"grade" is missing`,
		`{"grade":3,"reason":"x","note":1}`:                               `unknown key "note"`,
		`{"grade":3,"reason":"x","Hidden":"y"}`:                           `unknown key "Hidden"`,
		`{"grade":null,"reason":"x"}`:                                     "null where a value is due at grade",
		`{"grade":"3","reason":"x"}`:                                      "string",
		`{"grade":3.5,"reason":"x"}`:                                      "3.5",
		`{"grade":3,"reason":"x","quotes":[{"text":"a"},{"txt":"b"}]}`:    `"text" is missing at quotes[1]`,
		`{"grade":3,"reason":"x","quotes":{"text":"a"}}`:                  "an object where a list is due at quotes",
		`{"grade":3,"reason":"x","quotes":["a"]}`:                         "text where an object is due at quotes[0]",
		`{"grade":3,"reason":"x"`:                                         "EOF",
		`{"grade":3,"reason":"x",}`:                                       "",
		`{"grade":3,"reason":"x","quotes":` + strings.Repeat("[", 100000): "nested deeper",
	} {
		_, err := Parse[verdict](text)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.60s: %v, want %q in it", text, err, says)
		}
	}
}

func TestMapsAreHeldToTheirValues(t *testing.T) {
	type graded struct {
		Grades map[string]quote `json:"grades"`
	}
	if _, err := Parse[graded](`{"grades":{"a":{"text":"x"},"b":{}}}`); err == nil || !strings.Contains(err.Error(), `"text" is missing at grades.b`) {
		t.Error(err)
	}
	if got, err := Parse[graded](`{"grades":{"a":{"text":"x"}}}`); err != nil || got.Grades["a"].Text != "x" {
		t.Error(got, err)
	}
}

// What Parse takes, encoding/json takes with the same result; what is written is read back.
func TestAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := verdict{Grade: rapid.Int().Draw(t, "grade"), Reason: rapid.String().Draw(t, "reason"), Tags: rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, "tags")}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var want verdict
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		got, err := Parse[verdict](string(text))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%s: %v\n%s", text, err, diff)
		}
	})
}

func FuzzTree(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `{"a":1}x`, `{"a":1,}`, `{"a":[1,]}`, `{"a":{"a":1},"a":2}`, `{`, `[[[[`, `{"a"1}`, `{"a":"\ud800"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := Tree(text)
		if err == nil && (!json.Valid([]byte(text)) || tree == nil) {
			t.Errorf("%q is not valid JSON and was taken", text)
		}
	})
}
