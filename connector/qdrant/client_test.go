package qdrant

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/secret"
)

// TestReadOnly: nothing but these calls can leave the client, whatever the server's API offers.
func TestReadOnly(t *testing.T) {
	for _, call := range []string{"GET /", "GET /aliases", "GET /collections", "GET /collections/x", "POST /collections/x/points/query", "POST /collections/x/points/scroll", "POST /collections/x/points/count"} {
		method, path, _ := strings.Cut(call, " ")
		if !allowed(method, path) {
			t.Errorf("%s is refused", call)
		}
	}
	for _, call := range []string{"PUT /collections/x", "DELETE /collections/x", "PATCH /collections/x", "POST /collections/x/points/delete", "PUT /collections/x/points",
		"POST /collections/x/points", "POST /collections/x/points/payload", "POST /collections/x/points/batch", "POST /collections/x/snapshots", "GET /collections/x/snapshots/y",
		"PUT /collections/x/index", "POST /collections/aliases", "POST /snapshots", "GET /snapshots", "GET /metrics", "DELETE /", "POST /", "POST /collections/x/points/query/../delete"} {
		method, path, _ := strings.Cut(call, " ")
		if allowed(method, path) {
			t.Errorf("%s is allowed", call)
		}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s %s went out", r.Method, r.URL) }))
	defer s.Close()
	c, err := New(Settings{URL: s.URL, Collection: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.client.Do(t.Context(), "DELETE", c.path(), nil, nil); assay.KindOf(err) != assay.KindInvalid {
		t.Errorf("%v", err)
	}
}

// faulty serves the collection's settings and then whatever the test says.
func faulty(t *testing.T, h http.HandlerFunc, timeout time.Duration) *Collection {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("api-key") != "k-123" {
			t.Errorf("api key %q", r.Header.Get("api-key"))
		}
		if r.Method == "GET" {
			fmt.Fprint(w, `{"result":{"status":"green","config":{"params":{"vectors":{"size":2,"distance":"Cosine"}}}}}`)
			return
		}
		h(w, r)
	}))
	t.Cleanup(s.Close)
	c, err := New(Settings{URL: s.URL, Collection: "a/b", Remote: connector.Remote{APIKey: secret.New("k-123"), Limits: connector.Limits{Timeout: timeout}}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFaults(t *testing.T) {
	reply := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(status); fmt.Fprint(w, body) }
	}
	for name, c := range map[string]struct {
		h     http.HandlerFunc
		kind  assay.Kind
		words string
	}{
		"429": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(429)
		}, assay.KindRateLimited, "429"},
		"503":          {reply(503, `{"status":{"error":"not ready"}}`), assay.KindUnavailable, "not ready"},
		"403":          {reply(403, `{"status":{"error":"Forbidden: k-123"}}`), assay.KindRefused, "Forbidden: [redacted]"},
		"old server":   {reply(404, ``), assay.KindNotFound, "404"},
		"html":         {reply(200, `<html><title>Console</title></html>`), assay.KindMalformed, "web page"},
		"no result":    {reply(200, `{"status":"ok"}`), assay.KindMalformed, "no result.points"},
		"null points":  {reply(200, `{"result":{"points":null}}`), assay.KindMalformed, "no result.points"},
		"points a map": {reply(200, `{"result":{"points":{}}}`), assay.KindMalformed, "points"},
		"NaN score":    {reply(200, `{"result":{"points":[{"id":1,"score":NaN}]}}`), assay.KindMalformed, "not valid JSON"},
		"null score":   {reply(200, `{"result":{"points":[{"id":1,"score":null}]}}`), assay.KindMalformed, "point 1 has no score"},
		"no score":     {reply(200, `{"result":{"points":[{"id":1}]}}`), assay.KindMalformed, "point 1 has no score"},
		"text score":   {reply(200, `{"result":{"points":[{"id":1,"score":"0.5"}]}}`), assay.KindMalformed, "number"},
		"no id":        {reply(200, `{"result":{"points":[{"score":1}]}}`), assay.KindMalformed, "no id"},
		"fraction id":  {reply(200, `{"result":{"points":[{"id":1.5,"score":1}]}}`), assay.KindMalformed, "no point id"},
		"cut": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "99")
			fmt.Fprint(w, `{"re`)
		}, assay.KindUnavailable, "broke"},
		"hangs half-way": {func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `{"re`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, assay.KindTimeout, "after 4 bytes"},
		"redirect": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://elsewhere.invalid/", 307) }, assay.KindInvalid, "not followed"},
	} {
		timeout := 5 * time.Second
		if name == "hangs half-way" {
			timeout = 50 * time.Millisecond
		}
		_, err := faulty(t, c.h, timeout).Search(t.Context(), assay.Request{Vector: []float32{1, 0}, K: 3})
		if assay.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.words) || strings.Contains(fmt.Sprintf("%+v", err), "k-123") {
			t.Errorf("%s: %s, %v", name, assay.KindOf(err), err)
		}
	}
}

// A list that is too long is cut, and a repeated id is kept once; both are counted (C12).
func TestListIsRepaired(t *testing.T) {
	c := faulty(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"result":{"points":[{"id":1,"score":4},{"id":1,"score":3},{"id":2,"score":2},{"id":3,"score":1}]}}`)
	}, time.Second)
	resp := search(t, c, assay.Request{Vector: []float32{1, 0}, K: 2})
	if listed(resp.Hits) != "1 4\n2 2\n" || fmt.Sprint(resp.Notes) != "[{duplicate_id 1} {list_cut 1}]" {
		t.Errorf("%v %v", listed(resp.Hits), resp.Notes)
	}
}

func TestListingThatNeverEnds(t *testing.T) {
	c := faulty(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"result":{"points":[{"id":1},{"id":2}],"next_page_offset":1}}`)
	}, time.Second)
	n := 0
	var last error
	for _, err := range c.ListChunks(t.Context(), assay.ListOptions{}) {
		if n++; n > 100 {
			t.Fatal("does not end")
		}
		last = err
	}
	if assay.KindOf(last) != assay.KindMalformed {
		t.Errorf("%v", last)
	}
}

// TestFetching: the recorded traffic holds no scroll by id, so the requests are looked at here; the contract
// runs against a live server (live_test.go).
func TestFetching(t *testing.T) {
	for _, tc := range []struct {
		key   string
		ids   []string
		sent  string
		found string
	}{
		{"", []string{"2637283987631399372", "no-id", "1"}, `{"must":[{"has_id":[2637283987631399372,1]}]}`, "2637283987631399372 1"},
		{"", []string{"no-id"}, "", ""},
		{"payload.n", []string{"7", "8"}, `{"must":[{"key":"n","match":{"any":["7","8"]}}]} {"must":[{"key":"n","match":{"any":[7,8]}}]}`, "7"},
	} {
		var sent []string
		c := faulty(t, func(w http.ResponseWriter, r *http.Request) {
			var body struct{ Filter json.RawMessage }
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Error(err)
			}
			sent = append(sent, string(body.Filter))
			switch {
			case tc.key == "":
				fmt.Fprint(w, `{"result":{"points":[{"id":1},{"id":2637283987631399372}]}}`)
			case len(sent) == 1:
				fmt.Fprint(w, `{"result":{"points":[]}}`)
			default:
				fmt.Fprint(w, `{"result":{"points":[{"id":1,"payload":{"n":7}}]}}`)
			}
		}, time.Second)
		c.settings.Page = 10
		if tc.key != "" {
			c.fields.Key = "n"
		}
		chunks, err := c.FetchChunks(t.Context(), tc.ids, false)
		var ids []string
		for _, chunk := range chunks {
			ids = append(ids, chunk.ID)
		}
		if got := strings.Join(ids, " "); err != nil || got != tc.found || strings.Join(sent, " ") != tc.sent {
			t.Errorf("%v: found %q, sent %q, %v", tc.ids, got, sent, err)
		}
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		in   map[string]any
		want string
	}{
		{map[string]any{"params": map[string]any{"hsnw_ef": 3}}, `params.hsnw_ef: Qdrant knows no such parameter and would ignore it; did you mean "hnsw_ef"?`},
		{map[string]any{"params": map[string]any{"quantization": map[string]any{"ignor": true}}}, `params.quantization.ignor: Qdrant knows no such parameter and would ignore it; did you mean "ignore"?`},
		{map[string]any{"params": map[string]any{"acorn": true}}, `params.acorn: needs a map`},
		{map[string]any{"text": "text"}, `text: "text" is no payload path; write payload.NAME`},
		{map[string]any{"key": "payload."}, `key: "payload." is no payload path; write payload.NAME`},
		{map[string]any{"start": "payload.start"}, `start: start and end go together`},
		{map[string]any{"score_threshold": "high"}, `score_threshold: needs a number`},
	} {
		c.in["collection"] = "x"
		var s Settings
		problems := append(option.Decode(c.in, &s, option.Env{}), s.Check()...)
		if len(problems) != 1 || problems[0].Error() != c.want {
			t.Errorf("got %v, want %s", problems, c.want)
		}
	}
	for _, ok := range []map[string]any{
		{"collection": "x", "key": "id"}, {"collection": "x", "params": map[string]any{"a_thing_of_the_future": 1}}, {"collection": "x", "score_threshold": 0.5},
	} {
		var s Settings
		if problems := append(option.Decode(ok, &s, option.Env{}), s.Check()...); len(problems) > 0 {
			t.Errorf("%v: %v", ok, problems)
		}
	}
}
