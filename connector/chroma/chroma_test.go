package chroma

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/parts"
)

func filter(t *testing.T, s string) *assay.Filter {
	t.Helper()
	f, err := assay.ParseFilter([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTranslate(t *testing.T) {
	for in, want := range map[string]string{
		`{"field":"lang","eq":"de"}`:                                         `{"lang":{"$eq":"de"}}`,
		`{"field":"lang","ne":"de"}`:                                         `{"lang":{"$ne":"de"}}`,
		`{"field":"n","eq":2637283987631399371}`:                             `{"n":{"$eq":2637283987631399371}}`,
		`{"field":"lang","in":["de",1]}`:                                     `{"$or":[{"lang":{"$eq":"de"}},{"lang":{"$eq":1}}]}`,
		`{"field":"year","gte":2020,"lt":2023}`:                              `{"$and":[{"year":{"$gte":2020}},{"year":{"$lt":2023}}]}`, // C12: both bounds
		`{"not":{"field":"lang","eq":"de"}}`:                                 `{"lang":{"$ne":"de"}}`,
		`{"not":{"field":"lang","in":["de","fr"]}}`:                          `{"$and":[{"lang":{"$ne":"de"}},{"lang":{"$ne":"fr"}}]}`,
		`{"not":{"and":[{"field":"a","eq":1},{"field":"b","ne":2}]}}`:        `{"$or":[{"a":{"$ne":1}},{"b":{"$eq":2}}]}`,
		`{"not":{"or":[{"field":"a","eq":1},{"not":{"field":"b","gt":2}}]}}`: `{"$and":[{"a":{"$ne":1}},{"b":{"$gt":2}}]}`,
		`{"not":{"field":"a","eq":1,"ne":2}}`:                                `{"$or":[{"a":{"$ne":1}},{"a":{"$eq":2}}]}`,
		`{"native":{"a":{"$gt":1}}}`:                                         `{"a":{"$gt":1}}`,
		`{"and":[{"native":{"a":{"$gt":1}}},{"field":"b","eq":true}]}`:       `{"$and":[{"a":{"$gt":1}},{"b":{"$eq":true}}]}`,
		`{"not":{"not":{"native":{"a":1}}}}`:                                 `{"a":1}`,
		`{"and":[{"field":"a","eq":1}]}`:                                     `{"a":{"$eq":1}}`,
	} {
		got, err := translate(filter(t, in), false)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if b, _ := json.Marshal(got); string(b) != want {
			t.Errorf("%s:\n got %s\nwant %s", in, b, want)
		}
	}
	for in, want := range map[string]string{
		`{"field":"a","eq":"x"}`: `{"$or":[{"a":{"$eq":"x"}},{"a":{"$contains":"x"}}]}`,
		`{"field":"a","ne":2}`:   `{"$and":[{"a":{"$ne":2}},{"a":{"$not_contains":2}},{"a":{"$not_contains":2.0}}]}`,
		`{"field":"a","eq":1.5}`: `{"$or":[{"a":{"$eq":1.5}},{"a":{"$contains":1.5}}]}`,
		`{"field":"a","gt":1}`:   `{"a":{"$gt":1}}`,
	} {
		got, err := translate(filter(t, in), true)
		if b, _ := json.Marshal(got); err != nil || string(b) != want {
			t.Errorf("%s with lists:\n got %s\nwant %s (%v)", in, b, want, err)
		}
	}
}

func TestRefused(t *testing.T) {
	c := open(t, "http://chroma.invalid", "x")
	if _, err := c.info.Get(t.Context(), func(context.Context) (*info, error) { return &info{ID: "1"}, nil }); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{
		`{"field":"a","exists":true}`, `{"field":"a","exists":false}`, `{"not":{"field":"a","gt":1}}`, `{"field":"a","gt":"m"}`, `{"field":"a","lte":true}`,
		`{"field":"a","eq":18446744073709551615}`, `{"not":{"native":{"a":1}}}`, `{"or":[{"field":"b","eq":1},{"field":"a","exists":true}]}`,
	} {
		_, err := c.Search(t.Context(), assay.Request{Vector: []float32{1}, K: 1, Filter: filter(t, in)})
		if assay.KindOf(err) != assay.KindInvalid || !strings.Contains(assay.Hint(err), "native") {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// TestServerWithoutLists puts a Chroma in between that refuses the list operators in the words of 1.0.15.
func TestServerWithoutLists(t *testing.T) {
	real, err := url.Parse(parts.Chroma(t))
	if err != nil {
		t.Fatal(err)
	}
	refusals := 0
	proxy := httputil.NewSingleHostReverseProxy(real)
	old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte("contains")) {
			refusals++
			w.WriteHeader(400)
			fmt.Fprint(w, `{"error":"InvalidArgumentError","message":"Invalid where clause"}`)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	defer old.Close()
	chunks := connectortest.Chunks()
	for i := range chunks {
		delete(chunks[i].Metadata, "tags") // such a server cannot hold lists
	}
	c := open(t, old.URL, fill(t, real.String(), map[string]any{}, chunks))
	de := 0
	for _, chunk := range chunks {
		if chunk.Metadata["lang"] == "de" {
			de++
		}
	}
	for range 3 {
		if n, err := c.Count(t.Context(), filter(t, `{"field":"lang","eq":"de"}`)); err != nil || n != de {
			t.Fatalf("%d of %d, %v", n, de, err)
		}
	}
	if refusals != 1 {
		t.Errorf("asked %d times in the form that is refused", refusals)
	}
	// A filter that is wrong in both forms keeps the server's answer.
	_, err = c.Count(t.Context(), filter(t, `{"native":{"lang":{"$regex":"d"}}}`))
	if assay.KindOf(err) != assay.KindInvalid || !strings.Contains(err.Error(), "Invalid where clause") {
		t.Errorf("%v", err)
	}
}

func TestMetadataFields(t *testing.T) {
	server := parts.Chroma(t)
	chunks := connectortest.Chunks()
	for i := range chunks {
		chunks[i].Metadata = map[string]any{"chunk_id": 1000 + i, "body": "text of " + chunks[i].ID}
	}
	s := open(t, server, fill(t, server, map[string]any{}, chunks)).settings
	s.Key, s.Text = "metadata.chunk_id", "metadata.body"
	c, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Search(t.Context(), assay.Request{Vector: chunks[3].Vector, K: 1})
	if err != nil {
		t.Fatal(err)
	}
	if h := resp.Hits[0]; h.ID != "1003" || h.Text != "text of "+chunks[3].ID || h.Document != chunks[3].Document || *h.Span != *chunks[3].Span {
		t.Errorf("%+v", h)
	}
}

func TestInspect(t *testing.T) {
	server := parts.Chroma(t)
	name := fill(t, server, map[string]any{"metadata": map[string]any{"hnsw:space": "ip", "made_with": "all-minilm", "rows": 3}}, nil)
	got, err := open(t, server, name).Inspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Distance != "dot" || got.Count != 0 || !got.Ready || !strings.HasPrefix(got.Server, "chroma API ") {
		t.Errorf("%+v", got)
	}
	if d := cmp.Diff(map[string]any{"made_with": "all-minilm", "rows": int64(3)}, got.Config["metadata"]); d != "" {
		t.Error(d)
	}
	if index, _ := got.Config["index_params"].(map[string]any); index["space"] != "ip" || index["ef_search"] == nil {
		t.Errorf("index_params: %v", got.Config)
	}
	// An empty collection answers with nothing, which is no error.
	resp, err := open(t, server, name).Search(t.Context(), assay.Request{Vector: []float32{1, 0}, K: 3})
	if err != nil || len(resp.Hits) != 0 {
		t.Errorf("%v, %v", resp, err)
	}
}

func TestSpaces(t *testing.T) {
	for raw, want := range map[string]string{
		`{}`: "euclid", `{"metadata":{"hnsw:space":"cosine"}}`: "cosine", `{"metadata":{"hnsw:space":"l2"},"configuration_json":{"hnsw":{"space":"ip"}}}`: "dot",
		`{"configuration_json":{"hnsw":null,"spann":{"space":"cosine"}}}`: "cosine",
	} {
		var i info
		if err := json.Unmarshal([]byte(raw), &i); err != nil || i.distance() != want {
			t.Errorf("%s: %s, %v", raw, i.distance(), err)
		}
	}
}

func TestReadOnly(t *testing.T) {
	base := "/api/v2/tenants/t/databases/d/collections"
	for _, call := range []string{"GET /api/v2/version", "GET " + base, "GET " + base + "/x", "GET " + base + "/x/count", "POST " + base + "/x/query", "POST " + base + "/x/get"} {
		if method, path, _ := strings.Cut(call, " "); !allowed(method, path) {
			t.Errorf("%s is refused", call)
		}
	}
	for _, call := range []string{"POST " + base, "DELETE " + base + "/x", "PUT " + base + "/x", "POST " + base + "/x/delete", "POST " + base + "/x/add", "POST " + base + "/x/upsert",
		"POST " + base + "/x/update", "POST " + base + "/x/fork", "POST /api/v2/reset", "POST /api/v2/tenants", "DELETE /api/v2/tenants/t/databases/d", "POST " + base + "/x/query/y", "PATCH " + base + "/x"} {
		if method, path, _ := strings.Cut(call, " "); allowed(method, path) {
			t.Errorf("%s is allowed", call)
		}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s %s went out", r.Method, r.URL) }))
	defer s.Close()
	c := open(t, s.URL, "x")
	if err := c.client.Do(t.Context(), "DELETE", c.base("x"), nil, nil); assay.KindOf(err) != assay.KindInvalid {
		t.Errorf("%v", err)
	}
}

// Replies that a real server gives only when it is ill.
func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		status      int
		body, words string
		kind        assay.Kind
	}{
		"503":             {503, `{"error":"x","message":"loading"}`, "loading", assay.KindUnavailable},
		"deleted":         {404, `{"error":"NotFoundError","message":"Collection [1] does not exist."}`, "does not exist", assay.KindNotFound},
		"html":            {200, `<!doctype html><title>Login</title>`, "web page", assay.KindMalformed},
		"no lists":        {200, `{}`, "0 lists of ids", assay.KindMalformed},
		"two lists":       {200, `{"ids":[["a"],["b"]],"distances":[[1],[2]]}`, "2 lists of ids", assay.KindMalformed},
		"null distance":   {200, `{"ids":[["a"]],"distances":[[null]]}`, "a has no distance", assay.KindMalformed},
		"NaN distance":    {200, `{"ids":[["a"]],"distances":[[NaN]]}`, "not valid JSON", assay.KindMalformed},
		"short distances": {200, `{"ids":[["a","b"]],"distances":[[1]]}`, "1 distances for 2 ids", assay.KindMalformed},
		"short documents": {200, `{"ids":[["a","b"]],"distances":[[1,2]],"documents":[["x"]]}`, "2 ids, 1 documents", assay.KindMalformed},
		"empty id":        {200, `{"ids":[[""]],"distances":[[1]]}`, "no id", assay.KindMalformed},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "GET" {
				fmt.Fprint(w, `{"id":"1","name":"x"}`)
				return
			}
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		}))
		_, err := open(t, s.URL, "x").Search(t.Context(), assay.Request{Vector: []float32{1, 0}, K: 3})
		if assay.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %s, %v", name, assay.KindOf(err), err)
		}
		s.Close()
	}
}

// A collection that is deleted and made anew has another id: the next search finds it.
func TestMadeAnew(t *testing.T) {
	current := "1"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == "GET":
			fmt.Fprintf(w, `{"id":%q,"name":"x"}`, current)
		case strings.Contains(r.URL.Path, "/"+current+"/"):
			fmt.Fprint(w, `{"ids":[["a"]],"distances":[[0.5]]}`)
		default:
			w.WriteHeader(404)
		}
	}))
	defer s.Close()
	c := open(t, s.URL, "x")
	ask := func() error {
		_, err := c.Search(t.Context(), assay.Request{Vector: []float32{1, 0}, K: 3})
		return err
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	current = "2"
	if err := ask(); assay.KindOf(err) != assay.KindNotFound {
		t.Errorf("%v", err)
	}
	if err := ask(); err != nil {
		t.Error(err)
	}
}

func TestListingOfAChangingCollection(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" {
			fmt.Fprint(w, `{"id":"1","name":"x"}`)
			return
		}
		fmt.Fprint(w, `{"ids":["a","b","c","d","e","f","g"]}`) // a full page, always the same
	}))
	defer s.Close()
	var last error
	n := 0
	for _, err := range open(t, s.URL, "x").ListChunks(t.Context(), assay.ListOptions{}) {
		if last = err; err == nil {
			n++
		}
	}
	if n != 7 || last == nil || !strings.Contains(last.Error(), "came twice") {
		t.Errorf("%d chunks, %v", n, last)
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		in   map[string]any
		want string
	}{
		{map[string]any{"key": "chunk_id"}, `key: "chunk_id" is no field; write id or metadata.NAME`},
		{map[string]any{"text": "metadata."}, `text: "metadata." is no field; write document or metadata.NAME`},
		{map[string]any{"document": "document"}, `document: "document" is no field; write metadata.NAME`},
		{map[string]any{"end": "metadata.end"}, `start: start and end go together`},
	} {
		c.in["collection"] = "x"
		var s Settings
		problems := append(option.Decode(c.in, &s, option.Env{}), s.Check()...)
		if len(problems) != 1 || problems[0].Error() != c.want {
			t.Errorf("got %v, want %s", problems, c.want)
		}
	}
	var s Settings
	if problems := append(option.Decode(map[string]any{"collection": "x"}, &s, option.Env{}), s.Check()...); len(problems) > 0 || s.Timeout != 30*time.Second {
		t.Errorf("%v, %+v", problems, s)
	}
}
