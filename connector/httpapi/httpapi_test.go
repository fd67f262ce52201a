package httpapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/secret"
)

// build makes a Service from options as a configuration file has them.
func build(t *testing.T, values map[string]any) *Service {
	t.Helper()
	var s Settings
	if problems := option.Decode(values, &s, option.Env{}); len(problems) > 0 {
		t.Fatal(problems)
	}
	service, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return service
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// app is a user's own service: it compares vectors by dot product, filters, and answers in its own words.
func app(chunks []assay.Chunk) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			V     []float32     `json:"v"`
			K     int           `json:"top"`
			Where *assay.Filter `json:"where"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.V) != connectortest.Dimension {
			w.WriteHeader(400)
			fmt.Fprintf(w, `{"detail":"bad request: %v"}`, err)
			return
		}
		type hit struct {
			Key  string `json:"key"`
			Dist float64
			Body map[string]any `json:"body"`
		}
		hits := []hit{}
		for _, c := range chunks {
			if !in.Where.Match(c.Metadata) {
				continue
			}
			var d float64
			for i := range c.Vector {
				d -= float64(c.Vector[i]) * float64(in.V[i])
			}
			body := map[string]any{"text": c.Text, "doc": c.Document, "from": c.Span.Start, "to": c.Span.End, "meta": c.Metadata}
			hits = append(hits, hit{c.ID, d, body})
		}
		slices.SortFunc(hits, func(a, b hit) int { return cmp.Compare(a.Dist, b.Dist) })
		if err := json.NewEncoder(w).Encode(map[string]any{"data": map[string]any{"found": hits[:min(in.K, len(hits))]}}); err != nil {
			panic(err)
		}
	}
}

func TestContract(t *testing.T) {
	chunks := connectortest.Chunks()
	url := serve(t, app(chunks))
	(&connectortest.Suite{
		Open: func(t *testing.T) assay.Retriever {
			return build(t, map[string]any{"url": url + "/search", "body": `{"v": {{json .Vector}}, "top": {{.K}}, "where": {{json .Filter}}}`,
				"hits": "/data/found", "id": "/key", "score": "/Dist", "score_order": "asc", "text": "/body/text", "document": "/body/doc",
				"start": "/body/from", "end": "/body/to", "metadata": "/body/meta"})
		},
		Missing: func(t *testing.T) assay.Retriever {
			none := serve(t, func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) })
			return build(t, map[string]any{"url": none, "body": `{"v": {{json .Vector}}}`})
		},
		Chunks:   chunks,
		Distance: connector.Dot,
	}).Run(t)
}

func TestContractWithoutFilter(t *testing.T) {
	chunks := connectortest.Chunks()
	url := serve(t, app(chunks))
	(&connectortest.Suite{
		Open: func(t *testing.T) assay.Retriever {
			return build(t, map[string]any{"url": url, "body": `{"v": {{json .Vector}}, "top": {{.K}}}`, "hits": "/data/found", "id": "/key"})
		},
		Chunks: chunks,
	}).Run(t)
}

// echo answers with what arrived, as the id of the only hit.
func echo(t *testing.T) string {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id, _ := json.Marshal(fmt.Sprintf("%s %s %s %s %s", r.Method, r.URL.Path, r.URL.Query().Encode(), r.Header.Get("X-Team"), body))
		fmt.Fprintf(w, `[%s]`, id)
	})
}

func TestRequests(t *testing.T) {
	url := echo(t)
	f, err := assay.ParseFilter([]byte(`{"field":"lang","eq":"<de>"}`))
	if err != nil {
		t.Fatal(err)
	}
	native := &assay.Filter{Native: json.RawMessage(`{"term":{"a":2637283987631399372}}`)}
	for _, c := range []struct {
		values map[string]any
		req    assay.Request
		want   string
	}{
		{map[string]any{"body": `{"q": {{json .Query}}, "k": {{.K}}}`}, assay.Request{Text: `say "hi" <b> \`, K: 3}, `POST /s   {"q": "say \"hi\" <b> \\", "k": 3}`},
		{map[string]any{"body": `{"q": {{json .Query}}, "w": {{json .Filter}}}`}, assay.Request{Text: "x", K: 3}, `POST /s   {"q": "x", "w": null}`},
		{map[string]any{"body": `{"q": {{json .Query}}, "w": {{json .Filter}}}`}, assay.Request{Text: "x", K: 3, Filter: f}, `POST /s   {"q": "x", "w": {"field":"lang","eq":"<de>"}}`},
		{map[string]any{"body": `{"q": {{json .Query}}, "w": {{json .Filter}}}`}, assay.Request{Text: "x", K: 3, Filter: native}, `POST /s   {"q": "x", "w": {"term":{"a":2637283987631399372}}}`},
		{map[string]any{"body": `{"q": {{json .Query}}{{if .Filter}}, "w": {{json .Filter}}{{end}}}`}, assay.Request{Text: "x", K: 3}, `POST /s   {"q": "x"}`},
		{map[string]any{"body": `{"q": {{json (print "search: " .Query)}}, "v": {{json .Vector}}}`}, assay.Request{Text: "x", K: 3, Vector: []float32{0.5, -1}}, `POST /s   {"q": "search: x", "v": [0.5,-1]}`},
		{map[string]any{"url": url + "/s?lang=a%20b&q={{.Query}}&k={{.K}}", "method": "GET"}, assay.Request{Text: "a&b=c d?ü", K: 3}, `GET /s k=3&lang=a+b&q=a%26b%3Dc+d%3F%C3%BC  `},
		{map[string]any{"url": url + `/s?q={{if gt .K 1}}a%26{{.Query}}{{end}}&w={{json .Filter}}`, "method": "GET"}, assay.Request{Text: "x", K: 3, Filter: f},
			`GET /s q=a%26x&w=%7B%22field%22%3A%22lang%22%2C%22eq%22%3A%22%3Cde%3E%22%7D  `},
		{map[string]any{"body": `{{.Query}}`, "headers": map[string]any{"Content-Type": "text/plain", "X-Team": "search"}}, assay.Request{Text: `"x"`, K: 3}, `POST /s  search "x"`},
	} {
		if c.values["url"] == nil {
			c.values["url"] = url + "/s"
		}
		c.values["hits"], c.values["id"] = "", ""
		resp, err := build(t, c.values).Search(t.Context(), c.req)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Hits[0].ID != c.want {
			t.Errorf("\n got %s\nwant %s", resp.Hits[0].ID, c.want)
		}
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		values map[string]any
		want   string
	}{
		{map[string]any{"body": `{"q": "{{.Query}}"}`}, "body: with a query that holds quotes and line breaks the body is not JSON"},
		{map[string]any{"body": `{"q": {{.Query}}}`}, "body: with a query that holds quotes"},
		{map[string]any{"body": `{"q": {{json (html .Query)}}}`}, "body: the query does not arrive as it is"},
		{map[string]any{"body": `{"q": {{json .Querry}}}`}, "body: template, line 1:13: executing \"body\" at <.Querry>: can't evaluate field Querry"},
		{map[string]any{"body": `{"q": {{json .Query}`}, "body: template, line 1"},
		{map[string]any{"body": `{"q": {{nope .Query}}}`}, "body: template, line 1: function \"nope\" not defined"},
		{map[string]any{"body": `{"k": {{.K}}}`}, "body: the request holds neither .Query nor .Vector"},
		{map[string]any{}, "url: the request holds neither .Query nor .Vector"},
		{map[string]any{"body": `{"q": {{json .Query}}, "k": {{.K}},}`}, "body: with a query that holds quotes"},
		{map[string]any{"url": "http://h/{{.K}}?q={{.Query}}"}, "url: a template can stand in a value behind the ? only"},
		{map[string]any{"url": "http://h/?{{.K}}={{.Query}}"}, "url: the name of a parameter cannot be a template"},
		{map[string]any{"url": "http://h/?q={{.Query"}, "url: {{ without }}"},
		{map[string]any{"url": "http://user:hunter2@h/?q={{.Query}}"}, "url: holds a user or password"},
		{map[string]any{"url": "h?q={{.Query}}"}, "url: \"h\" has no http://"},
		{map[string]any{"body": `{{json .Query}}`, "hits": "results"}, `hits: "results" is no JSON pointer; write /results`},
		{map[string]any{"body": `{{json .Query}}`, "id": "$.id"}, `id: "$.id" is no JSON pointer; write /id`},
		{map[string]any{"body": `{{json .Query}}`, "start": "/start"}, `start: start and end go together`},
		{map[string]any{"body": `{{range $i, $c := .Query}}{{end}}`, "headers": map[string]any{"content-type": "text/plain"}}, "body: "},
	} {
		if c.values["url"] == nil {
			c.values["url"] = "http://localhost:9/search"
		}
		var s Settings
		if p := option.Decode(c.values, &s, option.Env{}); len(p) > 0 {
			t.Fatal(p)
		}
		problems := s.Check()
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), c.want) || strings.Contains(problems[0].Error(), "hunter2") {
			t.Errorf("%v:\n got %v\nwant %s", c.values, problems, c.want)
		}
		if _, err := New(s); err == nil {
			t.Errorf("%v: built", c.values)
		}
	}
	var s Settings
	option.Decode(map[string]any{"url": "http://h", "body": "{", "hits": "x", "id": "y", "end": "/z"}, &s, option.Env{})
	if p := s.Check(); len(p) != 4 {
		t.Errorf("not every problem: %v", p)
	}
}

func TestReplies(t *testing.T) {
	for name, c := range map[string]struct {
		reply string
		hits  string
		notes string
	}{
		"plain":          {`{"hits":[{"id":"a","score":2,"text":"x"},{"id":7,"score":1}]}`, "a 2 x,7 1 ", "[]"},
		"big id (C10)":   {`{"hits":[{"id":2637283987631399372,"score":2},{"id":2637283987631399371,"score":1}]}`, "2637283987631399372 2 ,2637283987631399371 1 ", "[]"},
		"no scores":      {`{"hits":[{"id":"a"},{"id":"b"}]}`, "a 1 ,b 0.5 ", "[]"},
		"some scores":    {`{"hits":[{"id":"a","score":2},{"id":"b","score":null}]}`, "a 1 ,b 0.5 ", "[{score_missing 1}]"},
		"unsorted":       {`{"hits":[{"id":"a","score":1},{"id":"b","score":2}]}`, "a 1 ,b 0.5 ", "[{unsorted 1}]"},
		"ties":           {`{"hits":[{"id":"a","score":1},{"id":"b","score":1}]}`, "a 1 ,b 1 ", "[]"},
		"negative zero":  {`{"hits":[{"id":"a","score":-0}]}`, "a 0 ", "[]"},
		"twice":          {`{"hits":[{"id":"a","score":3},{"id":"a","score":2},{"id":"b","score":1}]}`, "a 3 ,b 1 ", "[{duplicate_id 1}]"},
		"too long (C12)": {`{"hits":[{"id":"a","score":4},{"id":"b","score":3},{"id":"c","score":2},{"id":"d","score":1}]}`, "a 4 ,b 3 ", "[{list_cut 2}]"},
		"empty":          {`{"hits":[]}`, "", "[]"},
		"null list":      {`{"hits":null}`, "", "[]"},
		"null, no error": {`{"hits":null,"error":null}`, "", "[]"},
	} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, c.reply) })
		resp, err := build(t, map[string]any{"url": url, "body": `{{json .Query}}`}).Search(t.Context(), assay.Request{Text: "x", K: 2})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, h := range resp.Hits {
			got = append(got, fmt.Sprintf("%s %v %s", h.ID, h.Score, h.Text))
		}
		if s := strings.Join(got, ","); s != c.hits || fmt.Sprint(resp.Notes) != c.notes {
			t.Errorf("%s: %q %v, want %q %s", name, s, resp.Notes, c.hits, c.notes)
		}
	}
}

func TestParts(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"r":[{"i":"a","d":0.25,"t":"text","h":"title","f":"doc.md","s":3,"e":9,"m":{"n":1,"x":[1.5]}},{"i":"b","d":1,"s":9,"e":3}]}`)
	})
	s := build(t, map[string]any{"url": url, "body": `{{json .Query}}`, "hits": "/r", "id": "/i", "score": "/d", "score_order": "asc", "text": "/t", "title": "/h",
		"document": "/f", "start": "/s", "end": "/e", "metadata": "/m"})
	resp, err := s.Search(t.Context(), assay.Request{Text: "x", K: 5})
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Hit{{ID: "a", Score: -0.25, Text: "text", Title: "title", Document: "doc.md", Span: &assay.Span{Start: 3, End: 9},
		Metadata: map[string]any{"n": int64(1), "x": []any{1.5}}}, {ID: "b", Score: -1}}
	if d := gocmp.Diff(want, resp.Hits); d != "" {
		t.Error(d)
	}
	if d := gocmp.Diff([]assay.Note{{Code: "text_missing", Count: 1}, {Code: "span_invalid", Count: 1}}, resp.Notes); d != "" {
		t.Error(d)
	}
	if resp.Timings.Search <= 0 {
		t.Error("not timed")
	}
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
		"other keys":     {reply(200, `{"results":[],"took":3}`), assay.KindMalformed, "nothing at /hits: the top has results, took"},
		"error in 200":   {reply(200, `{"error":"index not loaded"}`), assay.KindMalformed, `error says "index not loaded"`},
		"null and error": {reply(200, `{"hits":null,"error":"boom"}`), assay.KindMalformed, `error says "boom"`},
		"object":         {reply(200, `{"hits":{"a":1}}`), assay.KindMalformed, "an object where the list of hits is due"},
		"text":           {reply(200, `"hits"`), assay.KindMalformed, "the top is text"},
		"no id":          {reply(200, `{"hits":[{"id":"a"},{"ID":"b"}]}`), assay.KindMalformed, "hit 2: it has no id: nothing at /id: the top has ID"},
		"null id":        {reply(200, `{"hits":[{"id":null}]}`), assay.KindMalformed, "null and not text"},
		"empty id":       {reply(200, `{"hits":[{"id":""}]}`), assay.KindMalformed, "no id"},
		"object id":      {reply(200, `{"hits":[{"id":{}}]}`), assay.KindMalformed, "an object and not text"},
		"text score":     {reply(200, `{"hits":[{"id":"a","score":"high"}]}`), assay.KindMalformed, "text and not a number"},
		"huge score":     {reply(200, `{"hits":[{"id":"a","score":1e999}]}`), assay.KindMalformed, "not a finite number"},
		"NaN":            {reply(200, `{"hits":[{"id":"a","score":NaN}]}`), assay.KindMalformed, "not valid JSON"},
		"list text":      {reply(200, `{"hits":[{"id":"a","text":["x"]}]}`), assay.KindMalformed, "a list and not text"},
		"html":           {reply(200, `<html><title>Sign in</title></html>`), assay.KindMalformed, "web page, not JSON: Sign in"},
		"empty":          {reply(200, ``), assay.KindEmpty, "empty"},
		"503":            {reply(503, `down`), assay.KindUnavailable, "503 down"},
		"hangs": {func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `{`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, assay.KindTimeout,
			"after 1 bytes"},
		"secret": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401); fmt.Fprint(w, r.Header.Get("X-Key")) }, assay.KindRefused, "[redacted]"},
	} {
		s := Settings{URL: serve(t, c.h), Method: "POST", Body: `{{json .Query}}`, Hits: "/hits", ID: "/id", ScoreOrder: "desc", APIKeyHeader: "X-Key"}
		s.APIKey, s.Timeout = secret.New("hunter2"), 5*time.Second
		if name == "hangs" {
			s.Timeout = 50 * time.Millisecond
		}
		service, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		_, err = service.Search(t.Context(), assay.Request{Text: "x", K: 2})
		if assay.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.words) || strings.Contains(fmt.Sprintf("%+v", err), "hunter2") {
			t.Errorf("%s: %s, %v", name, assay.KindOf(err), err)
		}
	}
}

// Whatever a template with {{json .Query}} is given, the query arrives as it is.
func FuzzQueryArrives(f *testing.F) {
	for _, q := range []string{"", `"`, "\\", "\x00", "}}", "</script>", "\u2028", "größe", "a\nb"} {
		f.Add(q)
	}
	s, err := New(Settings{URL: "http://h/?q={{.Query}}", Method: "POST", Body: `{"q": {{json .Query}}}`, Hits: "/hits", ID: "/id"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, q string) {
		body, query, err := s.template.render(input{Query: q, K: 1})
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Q string }
		if err := json.Unmarshal(body, &got); err != nil || got.Q != strings.ToValidUTF8(q, "\uFFFD") && strings.ToValidUTF8(q, "") == q {
			t.Fatalf("%q arrived as %q, %v", q, got.Q, err)
		}
		if query.Get("q") != q {
			t.Fatalf("%q arrived as %q in the URL", q, query.Get("q"))
		}
	})
}
