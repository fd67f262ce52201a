package qdrant

import (
	"encoding/json"
	"testing"

	"github.com/assay-eval/assay"
)

func TestTranslate(t *testing.T) {
	for in, want := range map[string]string{
		`{"field":"lang","eq":"de"}`:                                          `{"must":[{"key":"lang","match":{"value":"de"}}]}`,
		`{"field":"n","eq":2637283987631399371}`:                              `{"must":[{"key":"n","match":{"value":2637283987631399371}}]}`,
		`{"field":"price","eq":7.5}`:                                          `{"must":[{"key":"price","range":{"gte":7.5,"lte":7.5}}]}`,
		`{"field":"year","in":[2020,2021]}`:                                   `{"must":[{"key":"year","match":{"any":[2020,2021]}}]}`,
		`{"field":"x","in":["a",1]}`:                                          `{"must":[{"should":[{"key":"x","match":{"value":"a"}},{"key":"x","match":{"value":1}}]}]}`,
		`{"field":"x","in":[1.5]}`:                                            `{"must":[{"should":[{"key":"x","range":{"gte":1.5,"lte":1.5}}]}]}`,
		`{"field":"lang","ne":"de"}`:                                          `{"must_not":[{"key":"lang","match":{"value":"de"}}]}`,
		`{"field":"year","gte":2020,"lt":2023}`:                               `{"must":[{"key":"year","range":{"gte":2020,"lt":2023}}]}`, // C12: both bounds
		`{"field":"day","gte":"2024-05-01T00:00:00Z"}`:                        `{"must":[{"key":"day","range":{"gte":"2024-05-01T00:00:00Z"}}]}`,
		`{"field":"x","exists":true}`:                                         `{"must_not":[{"is_empty":{"key":"x"}}]}`,
		`{"field":"x","exists":false}`:                                        `{"must":[{"is_empty":{"key":"x"}}]}`,
		`{"field":"year","gte":2020,"ne":2021}`:                               `{"must":[{"key":"year","range":{"gte":2020}}],"must_not":[{"key":"year","match":{"value":2021}}]}`,
		`{"not":{"field":"year","gte":2020,"ne":2021}}`:                       `{"must_not":[{"must":[{"key":"year","range":{"gte":2020}}],"must_not":[{"key":"year","match":{"value":2021}}]}]}`,
		`{"not":{"not":{"field":"a","eq":"b"}}}`:                              `{"must_not":[{"must_not":[{"key":"a","match":{"value":"b"}}]}]}`,
		`{"and":[{"field":"a","ne":"b"},{"not":{"field":"c","eq":true}}]}`:    `{"must_not":[{"key":"a","match":{"value":"b"}},{"key":"c","match":{"value":true}}]}`,
		`{"and":[{"or":[{"field":"a","eq":"b"},{"field":"c","ne":"d"}]}]}`:    `{"must":[{"should":[{"key":"a","match":{"value":"b"}},{"must_not":[{"key":"c","match":{"value":"d"}}]}]}]}`,
		`{"native":{"must":[{"has_id":[1]}]}}`:                                `{"must":[{"has_id":[1]}]}`,
		`{"and":[{"native":{"must":[{"has_id":[1]}]}},{"field":"a","eq":1}]}`: `{"must":[{"must":[{"has_id":[1]}]},{"key":"a","match":{"value":1}}]}`,
		`{"field":"meta.author name","eq":"x"}`:                               `{"must":[{"key":"meta.\"author name\"","match":{"value":"x"}}]}`,
	} {
		got, err := translate(filter(t, in))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if b, _ := json.Marshal(got); string(b) != want {
			t.Errorf("%s:\n got %s\nwant %s", in, b, want)
		}
	}
	if got, err := translate(nil); got != nil || err != nil {
		t.Errorf("nil: %v, %v", got, err)
	}
}

// What Qdrant cannot say is refused before anything is sent.
func TestRefused(t *testing.T) {
	for _, in := range []string{
		`{"field":"name","gt":"m"}`, `{"field":"day","gte":"2024-05-01"}`, `{"field":"day","gte":"2024-05-01T00:00:00+02:00"}`, `{"field":"draft","gt":true}`,
		`{"field":"n","eq":18446744073709551615}`, `{"field":"n","gt":9007199254740993}`, `{"field":"d","gte":"2024-05-01T00:00:00Z","lt":5}`,
		`{"field":"a..b","eq":1}`, `{"field":"a\"b","eq":1}`, `{"and":[{"field":"name","lt":"m"}]}`, `{"or":[{"field":"name","lt":"m"}]}`, `{"not":{"field":"name","lt":"m"}}`,
	} {
		f := filter(t, in)
		for what, err := range map[string]error{
			"search": second(recorded(t, Settings{}).Search(t.Context(), assay.Request{Vector: vectorAt(t, "8"), K: 3, Filter: f})),
			"count":  second(recorded(t, Settings{}).(*Collection).Count(t.Context(), f)),
		} {
			if assay.KindOf(err) != assay.KindInvalid || assay.Hint(err) == "" {
				t.Errorf("%s %s: %v", what, in, err)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }
