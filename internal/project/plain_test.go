package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

// written is a file with this text.
func written(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// questions is a test set of two queries, one of them with a filter and without.
func questions(t testing.TB) *testset.Set {
	t.Helper()
	set, err := testset.OpenOrCreate(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.AddQueries(assay.Query{ID: "q1", Text: "how long"}, assay.Query{ID: "q2", Text: "twice"}, assay.Query{ID: "q3", Text: "twice"}); err != nil {
		t.Fatal(err)
	}
	return set
}

func TestReadPlain(t *testing.T) {
	file := written(t, "r.jsonl", `{"query":"q1","hits":["a",{"id":"b","score":0.5,"text":"text of b"}]}
{"query":"how long","hits":[]}
{"query":"twice","hits":["c"],"timings_ms":{"total":12.5}}
{"query":"q3","hits":null,"error":"down"}
{"query":"q2","hits":[],"error":{"kind":"timeout","message":"slow"}}
{"query":"q1","hits":["a"],"error":null}
`)
	got, texts, err := readPlain(file, questions(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Result{
		{Query: "q1", Hits: []assay.RankedHit{{ID: "a"}, {ID: "b", Score: 0.5, TextHash: assay.HashText("text of b")}}},
		{Query: "q1"},
		{Query: "twice", Hits: []assay.RankedHit{{ID: "c"}}, Timings: assay.Timings{Total: 12500 * time.Microsecond}}, // two queries have this text
		{Query: "q3", Error: &assay.Failure{Kind: assay.KindInternal, Message: "down"}},
		{Query: "q2", Error: &assay.Failure{Kind: assay.KindTimeout, Message: "slow"}},
		{Query: "q1", Hits: []assay.RankedHit{{ID: "a"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if text, ok := texts.Text(assay.HashText("text of b")); !ok || text != "text of b" {
		t.Errorf("%q", text)
	}
}

func TestReadPlainRefuses(t *testing.T) {
	set := questions(t)
	for text, want := range map[string]string{
		``:                               "holds no ranking",
		`{"hits":["a"]}`:                 ":1: no ranking",
		`{"query":"q1"}`:                 ":1: no ranking",
		`{"timestamp":"x","metrics":{}}`: "query by query",
		"{\"query\":\"q1\",\"hits\":[]}\n{\"query\":\"q1\",\"hits\":[1]}": ":2",
		`{"query":"q1","hits":[{"score":1}]}`:                             "needs an id",
		`[{"query":"q1","hits":[]}]`:                                      ":1",
		`{"query":"q1","hits":"a"}`:                                       ":1",
	} {
		_, _, err := readPlain(written(t, "r.jsonl", text), set)
		if err == nil || !errors.Is(err, assay.ErrUsage) || !strings.Contains(err.Error()+assay.Hint(err), want) {
			t.Errorf("%q: %v (hint %q), want %q", text, err, assay.Hint(err), want)
		}
	}
}

func FuzzReadPlain(f *testing.F) {
	f.Add(`{"query":"q1","hits":["a",{"id":"b","score":0.5,"text":"x"}],"timings_ms":{"total":1},"error":null}`)
	f.Add(`{"query":"q1","hits":[],"error":{"kind":"timeout"}}`)
	f.Add("{\"query\":\"q1\",\"hits\":[]}\n\n{\"qu")
	set := questions(f)
	f.Fuzz(func(t *testing.T, text string) {
		results, _, err := readPlain(written(t, "r.jsonl", text), set)
		if err != nil {
			if len(results) > 0 || !errors.Is(err, assay.ErrUsage) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		for _, r := range results {
			for _, h := range r.Hits {
				if r.Query == "" || h.ID == "" {
					t.Errorf("%q: %+v", text, r)
				}
			}
		}
	})
}

func TestIsPlain(t *testing.T) {
	for text, want := range map[string]bool{"{}": true, " \n\t[": true, "\xef\xbb\xbf{": true, "1 Q0 d 1 1 t": false, "": false, "\x1f\x8b{": false} {
		if got, err := isPlain(written(t, "f", text)); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if _, err := isPlain(filepath.Join(t.TempDir(), "none")); !errors.Is(err, assay.ErrUsage) {
		t.Errorf("%v", err)
	}
}

func TestFileName(t *testing.T) {
	for path, want := range map[string]string{"a/bm25.run": "bm25", "x.run.gz": "x", ".hidden": ".hidden", "plain": "plain"} {
		if got := fileName(path); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}
