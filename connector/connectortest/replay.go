package connectortest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Replay answers requests from recorded traffic. A request is found by its method, path and body, the
// body as a JSON value: the order of keys and the spelling of numbers do not matter. A request that was
// never recorded fails the test, since whatever it would be answered with would be made up.
type Replay struct {
	t         testing.TB
	canonical func(path string, body map[string]any)
	answers   map[string]answer
}

type answer struct {
	status int
	header map[string]string
	body   []byte
}

// recording is one line of a file of recorded traffic.
type recording struct {
	Name    string
	Request struct {
		Method, Path string
		Body         json.RawMessage
	}
	Response struct {
		Status  int
		Headers map[string]string
		Body    json.RawMessage
	}
}

// NewReplay reads files of recorded traffic. Canonical, when given, brings the body of a request (sent or
// recorded) into one form before they are compared, by removing what is the API's default.
func NewReplay(t testing.TB, canonical func(path string, body map[string]any), files ...string) *Replay {
	t.Helper()
	r := &Replay{t: t, canonical: canonical, answers: map[string]answer{}}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 16<<20)
		for n := 1; lines.Scan(); n++ {
			var rec recording
			if err := json.Unmarshal(lines.Bytes(), &rec); err != nil {
				t.Fatalf("%s:%d: %v", filepath.Base(file), n, err)
			}
			r.answers[r.key(rec.Request.Method, rec.Request.Path, rec.Request.Body)] = answer{rec.Response.Status, rec.Response.Headers, rec.Response.Body}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// Serve answers on a loopback address of its own, for what dials by itself, and returns that. A path of which nothing was
// recorded is not found, as it is on the server that was recorded; a known path asked in another way fails the test.
func (r *Replay) Serve() (url string) {
	paths := map[string]bool{}
	for key := range r.answers {
		_, rest, _ := strings.Cut(key, " ")
		path, _, _ := strings.Cut(rest, " ")
		paths[path] = true
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !paths[req.URL.Path] {
			http.NotFound(w, req)
			return
		}
		reply, err := r.RoundTrip(req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer reply.Body.Close()
		w.WriteHeader(reply.StatusCode)
		_, _ = io.Copy(w, reply.Body)
	}))
	r.t.Cleanup(server.Close)
	return server.URL
}

// RoundTrip answers a request.
func (r *Replay) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	key := r.key(req.Method, req.URL.Path, body)
	a, ok := r.answers[key]
	if !ok {
		r.t.Errorf("no recording of %.600s", key)
		return nil, fmt.Errorf("no recording of %s %s", req.Method, req.URL.Path)
	}
	header := http.Header{}
	for k, v := range a.header {
		header.Set(k, v)
	}
	return &http.Response{StatusCode: a.status, Header: header, Body: io.NopCloser(bytes.NewReader(a.body)), Request: req, ProtoMajor: 1, ProtoMinor: 1}, nil
}

func (r *Replay) key(method, path string, body []byte) string {
	if len(bytes.TrimSpace(body)) == 0 || string(body) == "null" {
		return method + " " + path
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return method + " " + path + " " + string(body)
	}
	v = numbers(v)
	if m, ok := v.(map[string]any); ok && r.canonical != nil {
		r.canonical(path, m)
	}
	b, err := json.Marshal(v) // sorts keys
	if err != nil {
		r.t.Fatal(err)
	}
	return method + " " + path + " " + string(b)
}

// numbers spells every number in one way: integers by their digits, so that ids beyond 2^53 stay apart.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case json.Number:
		if !strings.ContainsAny(v.String(), ".eE") {
			return v
		}
		f, err := strconv.ParseFloat(v.String(), 64)
		if err != nil {
			return v
		}
		return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
	}
	return v
}
