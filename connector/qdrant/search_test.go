package qdrant

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/internal/shared"
)

func search(t *testing.T, r assay.Retriever, req assay.Request) assay.Response {
	t.Helper()
	resp, err := r.Search(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func listed(hits []assay.Hit) string {
	var b strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&b, "%s %v\n", h.ID, h.Score)
	}
	return b.String()
}

// C10: ids beyond 2^53 keep their digits.
func TestIDsKeepTheirDigits(t *testing.T) {
	r := recorded(t, Settings{Payload: []string{"none"}})
	hits := search(t, r, assay.Request{Vector: vectorAt(t, "2637283987631399372"), K: 3}).Hits
	if hits[0].ID != "2637283987631399372" {
		t.Errorf("got %s", hits[0].ID)
	}
	var out []string
	for _, raw := range []string{"2637283987631399372", "2637283987631399371", "18446744073709551615", `"C9A52F54-99c2-d5b7-bd1f-61da14ebe68d"`} {
		var i id
		if err := json.Unmarshal([]byte(raw), &i); err != nil {
			t.Fatal(err)
		}
		out = append(out, string(i))
	}
	if d := cmp.Diff([]string{"2637283987631399372", "2637283987631399371", "18446744073709551615", "c9a52f54-99c2-d5b7-bd1f-61da14ebe68d"}, out); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{"-1", "1.0", "1e3", `"abc"`, `"1"`, "null", "true", "{}"} {
		var i id
		if err := json.Unmarshal([]byte(bad), &i); err == nil {
			t.Errorf("%s is taken for the id %s", bad, i)
		}
	}
}

func TestNamedVectors(t *testing.T) {
	text := search(t, recorded(t, Settings{Collection: "named", Using: "text", Payload: []string{"none"}}), assay.Request{Vector: vectorAt(t, "8"), K: 3})
	if d := cmp.Diff("8 0.9999999\n4 0.6655183\n12 0.65052444\n", listed(text.Hits)); d != "" {
		t.Error(d)
	}
	// Euclid: Qdrant gives distances, lower is better; here they are negated.
	r := recorded(t, Settings{Collection: "named", Using: "title", Payload: []string{"none"}})
	title := search(t, r, assay.Request{Vector: []float32{0.528542, 0.144827, 0.489675, 0.059707}, K: 3})
	if d := cmp.Diff("8 -5.624261e-05\n18 -0.23318262\n6 -0.4521535\n", listed(title.Hits)); d != "" {
		t.Error(d)
	}
}

func TestVectorNames(t *testing.T) {
	for using, want := range map[string]string{"": "using: text", "nope": "text, title", "bm25": "kind: http", "txt": `did you mean "text"?`} {
		_, err := recorded(t, Settings{Collection: "named", Using: using}).Search(t.Context(), assay.Request{Vector: vectorAt(t, "8"), K: 3})
		if assay.KindOf(err) != assay.KindInvalid || !strings.Contains(assay.Hint(err), want) {
			t.Errorf("using %q: %v, hint %q", using, err, assay.Hint(err))
		}
	}
	_, err := recorded(t, Settings{Using: "text"}).Search(t.Context(), assay.Request{Vector: vectorAt(t, "8"), K: 3})
	if assay.KindOf(err) != assay.KindInvalid || !strings.Contains(assay.Hint(err), "leave using: out") {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}
}

func TestSearchVariants(t *testing.T) {
	q := assay.Request{Vector: vectorAt(t, "8"), K: 5}
	for name, s := range map[string]Settings{
		"ef":    {Payload: []string{"none"}, Params: map[string]any{"hnsw_ef": int64(128)}},
		"exact": {Params: map[string]any{"exact": true}},
		"keys":  {Payload: []string{"none"}, Key: "payload.chunk_id", Text: "payload.text"},
	} {
		hits := search(t, recorded(t, s), q).Hits
		if len(hits) != 5 || hits[0].Score != 0.9999999 {
			t.Errorf("%s: %v", name, hits)
		}
		if name == "keys" && (hits[0].ID != "doc2.md#1" || !strings.HasPrefix(hits[0].Text, "Quantization vector")) {
			t.Errorf("keys: %+v", hits[0])
		}
	}
	byAlias := search(t, recorded(t, Settings{Collection: "docs", Payload: []string{"none"}}), assay.Request{Vector: q.Vector, K: 3}).Hits
	if d := cmp.Diff("8 0.9999999\n48 0.8570282\n51 0.76894414\n", listed(byAlias)); d != "" {
		t.Error(d)
	}
	cut := search(t, recorded(t, Settings{Payload: []string{"none"}, Threshold: 0.6}), assay.Request{Vector: q.Vector, K: 10}).Hits
	if len(cut) != 5 || cut[4].Score < 0.6 {
		t.Errorf("threshold: %v", cut)
	}
	if hits := search(t, recorded(t, Settings{Collection: "empty", Payload: []string{"none"}}), assay.Request{Vector: q.Vector, K: 3}).Hits; len(hits) != 0 {
		t.Errorf("empty collection: %v", hits)
	}
}

func TestTextMissingIsCounted(t *testing.T) {
	r := recorded(t, Settings{Key: "payload.chunk_id", Text: "payload.text", Start: "payload.start", End: "payload.end"})
	resp := search(t, r, assay.Request{Vector: vectorAt(t, "500"), K: 1})
	if d := cmp.Diff([]assay.Note{{Code: "text_missing", Count: 1}}, resp.Notes); d != "" || resp.Hits[0].Span != nil {
		t.Errorf("%v %s", resp.Hits, d)
	}
}

func TestWrongKeyPath(t *testing.T) {
	_, err := recorded(t, Settings{Key: "payload.chunkid"}).Search(t.Context(), assay.Request{Vector: vectorAt(t, "8"), K: 5})
	if assay.KindOf(err) != assay.KindInvalid || !strings.Contains(assay.Hint(err), `did you mean "chunk_id"?`) {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}
}

// What the server refuses reaches the caller in the server's own words and with the right kind.
func TestServerRefuses(t *testing.T) {
	strict := Settings{Collection: "strict", Payload: []string{"none"}}
	ef := strict
	ef.Params = map[string]any{"hnsw_ef": 512}
	exact := strict
	exact.Params = map[string]any{"exact": true}
	v := vectorAt(t, "8")
	for _, c := range []struct {
		settings Settings
		req      assay.Request
		kind     assay.Kind
		words    string
	}{
		{strict, assay.Request{Vector: v, K: 50}, assay.KindInvalid, "Limit exceeded 50 > 5"},
		{ef, assay.Request{Vector: v, K: 3}, assay.KindInvalid, "Limit exceeded 512 > 64"},
		{exact, assay.Request{Vector: v, K: 3}, assay.KindInvalid, "Exact search disabled!"},
		{strict, assay.Request{Vector: v, K: 3, Filter: filter(t, `{"field":"lang","eq":"de"}`)}, assay.KindInvalid, "Index required but not found"},
		{Settings{Payload: []string{"none"}}, assay.Request{Vector: v[:5], K: 10}, assay.KindInvalid, "expected dim: 8, got 5"},
		{Settings{Payload: []string{"none"}}, assay.Request{Vector: v, K: 10, Filter: &assay.Filter{Native: json.RawMessage(`{"must":[{"key":"year","range":{"gte":"x"}}]}`)}},
			assay.KindInvalid, "does not match accepted datetime format"},
		{Settings{Collection: "nope"}, assay.Request{Vector: v, K: 10}, assay.KindNotFound, "Collection `nope` doesn't exist!"},
	} {
		_, err := recorded(t, c.settings).Search(t.Context(), c.req)
		if assay.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.words) {
			t.Errorf("want %q, got %v", c.words, err)
		}
	}
	_, err := recorded(t, Settings{Collection: "nope"}).Search(t.Context(), assay.Request{Vector: v, K: 10})
	if !strings.Contains(assay.Hint(err), "docs_v3, empty, named, strict") {
		t.Errorf("hint %q", assay.Hint(err))
	}
}

// TestSciFact reads the approximate, quantized and exact answers of a real index apart: each of
// the three loses some of the exact answer.
func TestSciFact(t *testing.T) {
	data, err := os.ReadFile(shared.Dir(t, "fixtures", "qdrant", "scifact.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		Name    string
		Request struct{ Body struct{ Query rest.Vector } }
	}
	vectors := map[string][]float32{}
	var order []string
	for l := range strings.Lines(string(data)) {
		var x line
		if err := json.Unmarshal([]byte(l), &x); err != nil {
			t.Fatal(err)
		}
		if name, ok := strings.CutSuffix(x.Name, " exact"); ok {
			vectors[name] = x.Request.Body.Query
			order = append(order, name)
		}
	}
	if len(order) != 20 {
		t.Fatalf("%d queries", len(order))
	}
	base := Settings{Collection: "scifact", Payload: []string{"chunk_id"}, Key: "payload.chunk_id"}
	with := func(params map[string]any) *Collection {
		s := base
		s.Params = params
		return recorded(t, s).(*Collection)
	}
	plain := with(nil)
	ef4 := with(map[string]any{"hnsw_ef": int64(4), "quantization": map[string]any{"ignore": true}})
	raw := with(map[string]any{"quantization": map[string]any{"rescore": false}})
	shared := map[string]int{}
	for _, name := range order {
		req := assay.Request{Vector: vectors[name], K: 10}
		exact, err := plain.SearchExact(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name string
			r    *Collection
		}{{"default", plain}, {"ef 4", ef4}, {"no rescore", raw}} {
			resp := search(t, c.r, req)
			if len(resp.Hits) != 10 {
				t.Fatalf("%s %s: %d hits", name, c.name, len(resp.Hits))
			}
			shared[c.name] += overlap(exact.Hits, resp.Hits)
		}
	}
	// Counted from the recordings with a few lines of Python.
	if d := cmp.Diff(map[string]int{"default": 194, "ef 4": 175, "no rescore": 194}, shared); d != "" {
		t.Errorf("ids shared with the exact answer, of 200 (-want +got):\n%s", d)
	}
}

func overlap(a, b []assay.Hit) int {
	in := map[string]bool{}
	for _, h := range a {
		in[h.ID] = true
	}
	n := 0
	for _, h := range b {
		if in[h.ID] {
			n++
		}
	}
	return n
}

func TestRequestsThatAreNotSent(t *testing.T) {
	r := recorded(t, Settings{})
	for _, v := range [][]float32{nil, make([]float32, 8), {float32(math.NaN())}} {
		if _, err := r.Search(t.Context(), assay.Request{Vector: v, K: 3}); assay.KindOf(err) != assay.KindInvalid {
			t.Errorf("%v: %v", v, err)
		}
	}
}
