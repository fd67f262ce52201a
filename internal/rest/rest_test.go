package rest

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
)

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func client(t *testing.T, c Config) *Client {
	t.Helper()
	out, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// failureOf asserts that err is an *assay.Error of a kind and returns it.
func failureOf(t *testing.T, err error, kind assay.Kind) *assay.Error {
	t.Helper()
	var e *assay.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %T %v, want an *assay.Error", err, err)
	}
	if e.Kind != kind {
		t.Fatalf("got kind %s (%v), want %s", e.Kind, err, kind)
	}
	return e
}

func TestCallSendsAndDecodes(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if string(body) != `{"text":"<b>&</b>"}` {
			t.Errorf("body %s", body)
		}
		for k, want := range map[string]string{"Content-Type": "application/json", "X-Team": "search", "Api-Key": "k-123", "X-Extra": "1"} {
			if got := r.Header.Get(k); got != want {
				t.Errorf("header %s: got %q, want %q", k, got, want)
			}
		}
		if got, want := r.URL.EscapedPath(), "/base/collections/a%2Fb%3Fc/x"; got != want {
			t.Errorf("path %s, want %s", got, want)
		}
		if got := r.URL.Query().Get("q"); got != "a b&c" {
			t.Errorf("query %q", got)
		}
		fmt.Fprint(w, `{"id":2637283987631399372,"any":{"id":18446744073709551615}}`)
	})
	c := client(t, Config{BaseURL: s.URL + "/base/", Headers: map[string]string{"X-Team": "search"}, APIKey: secret.New("k-123"), APIKeyHeader: "api-key"})
	var out struct {
		ID  json.Number
		Any any
	}
	err := c.Call(t.Context(), Request{Op: "search", Method: "POST", Path: Path("collections", "a/b?c", "x"), Query: url.Values{"q": {"a b&c"}},
		Header: http.Header{"x-extra": {"1"}}, Body: map[string]string{"text": "<b>&</b>"}}, &out)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(out.ID, out.Any); got != "2637283987631399372map[id:18446744073709551615]" {
		t.Errorf("digits lost: %s", got)
	}
}

func TestBearer(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%q", r.Header.Get("Authorization"))
	})
	var got string
	if err := client(t, Config{BaseURL: s.URL, APIKey: secret.New("k")}).Do(t.Context(), "GET", "", nil, &got); err != nil || got != "Bearer k" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestStatusKinds(t *testing.T) {
	for code, kind := range map[int]assay.Kind{
		400: assay.KindInvalid, 413: assay.KindInvalid, 422: assay.KindInvalid, 401: assay.KindRefused, 403: assay.KindRefused,
		404: assay.KindNotFound, 408: assay.KindTimeout, 429: assay.KindRateLimited, 500: assay.KindInternal,
		502: assay.KindUnavailable, 503: assay.KindUnavailable, 504: assay.KindUnavailable, 777: assay.KindInternal,
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(code)
			fmt.Fprint(w, `{"status":{"error":"server's own words"}}`)
		})
		err := client(t, Config{BaseURL: s.URL}).Call(t.Context(), Request{Op: "search", Method: "GET", Path: "/x"}, nil)
		e := failureOf(t, err, kind)
		if e.RetryAfter != 7 {
			t.Errorf("%d: retry after %v", code, e.RetryAfter)
		}
		want := fmt.Sprintf("search %s/x: %d server's own words", strings.TrimPrefix(s.URL, "http://"), code)
		if e.Error() != want {
			t.Errorf("got %q, want %q", e.Error(), want)
		}
		if !strings.Contains(e.Raw, "server's own words") {
			t.Errorf("%d: raw %q", code, e.Raw)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 12, 2, 10, 0, 0, 0, time.UTC)
	for value, want := range map[string]float64{"": 0, "0": 0, "3": 3, "1.5": 1.5, "-4": 0, "soon": 0, "NaN": 0, "1e9": 600,
		"Wed, 02 Dec 2026 10:00:30 GMT": 30, "Wed, 02 Dec 2026 09:00:00 GMT": 0} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: got %v, want %v", value, got, want)
		}
	}
}

func TestServerMessage(t *testing.T) {
	for body, want := range map[string]string{
		`{"status":{"error":"Not found"},"time":0.1}`:                 "Not found",                                 // Qdrant
		`{"error":"NotFoundError","message":"no collection"}`:         "no collection",                             // Chroma
		`{"error":{"message":"too long","type":"x"}}`:                 "too long",                                  // OpenAI
		`{"error":"model \"x\" not found, try pulling it first"}`:     `model "x" not found, try pulling it first`, // Ollama
		`{"detail":[{"msg":"field required","loc":["body"]}]}`:        "field required",                            // FastAPI
		"<!DOCTYPE html><html><title>502 Bad\nGateway</title></html>": "502 Bad Gateway",
		"plain \x1b[31mred\x07\n text":                                "plain [31mred text",
		`{"time":3}`:                                                  "",
		"":                                                            "",
	} {
		if got := serverMessage([]byte(body)); got != want {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
	if got := serverMessage([]byte(strings.Repeat("ä", 5000))); len(got) > maxMessage+3 {
		t.Errorf("message of %d bytes", len(got))
	}
	deep := strings.Repeat(`{"error":`, 3000) + `"x"` + strings.Repeat("}", 3000)
	if got := serverMessage([]byte(deep)); got != "" {
		t.Errorf("deep: %q", got)
	}
}

func TestBadReplies(t *testing.T) {
	type out struct {
		Score  Float    `json:"score"`
		Vector Vector   `json:"vector"`
		List   []string `json:"list"`
	}
	for name, c := range map[string]struct {
		body, message string
		kind          assay.Kind
	}{
		"html, plain":  {"<html>login</html>", "the reply is a web page, not JSON", assay.KindMalformed},
		"html":         {"<html><head><title>Login</title></head></html>", "the reply is a web page, not JSON: Login", assay.KindMalformed},
		"cut":          {`{"score":1,"vector":[1`, "not valid JSON", assay.KindMalformed},
		"nan":          {`{"score":NaN}`, "not valid JSON", assay.KindMalformed},
		"null vector":  {`{"vector":null}`, "null where a vector is due", assay.KindMalformed},
		"null element": {`{"vector":[0.5,null]}`, "null at position 1 of a vector", assay.KindMalformed},
		"text element": {`{"vector":["0.5"]}`, "at position 0 of a vector", assay.KindMalformed},
		"nested":       {`{"vector":[[1,2],[3,4]]}`, "at position 0 of a vector", assay.KindMalformed},
		"too big":      {`{"vector":[1e39]}`, "1e39 at position 0", assay.KindMalformed},
		"text vector":  {`{"vector":"AAAA"}`, "where a vector is due", assay.KindMalformed},
		"null score":   {`{"score":null}`, "null where a number is due", assay.KindMalformed},
		"text score":   {`{"score":"0.5"}`, "where a number is due", assay.KindMalformed},
		"huge score":   {`{"score":1e999}`, "", assay.KindMalformed},
		"wrong form":   {`["x"]`, "promised form: a list where an object is due", assay.KindMalformed},
		"wrong type":   {`{"list":"x"}`, "holds a string at list where a []string is due", assay.KindMalformed},
		"two":          {`{} {}`, "more follows", assay.KindMalformed},
		"empty":        {" \n", "empty where JSON is due", assay.KindEmpty},
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, c.body) })
		var v out
		e := failureOf(t, client(t, Config{BaseURL: s.URL}).Do(t.Context(), "GET", "/", nil, &v), c.kind)
		if !strings.Contains(e.Error(), c.message) || strings.HasSuffix(e.Error(), ": ") {
			t.Errorf("%s: %q does not say %q", name, e.Error(), c.message)
		}
		if c.kind == assay.KindMalformed && e.Raw != c.body {
			t.Errorf("%s: raw %q", name, e.Raw)
		}
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"score":-1e-7,"vector":[1, -2.5e-3 ,0]}`)
	})
	var v out
	if err := client(t, Config{BaseURL: s.URL}).Do(t.Context(), "GET", "/", nil, &v); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(v.Score, v.Vector) != "-1e-07 [1 -0.0025 0]" {
		t.Errorf("got %v", v)
	}
}

func TestHugeBody(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for range 1000 {
			if _, err := io.WriteString(w, strings.Repeat("x", 1000)); err != nil {
				return
			}
		}
	})
	e := failureOf(t, client(t, Config{BaseURL: s.URL, MaxBody: 5000}).Do(t.Context(), "GET", "/", nil, nil), assay.KindMalformed)
	if !strings.Contains(e.Error(), "larger than 5000 bytes") || len(e.Raw) != assay.RawLimit {
		t.Errorf("%v, raw of %d bytes", e, len(e.Raw))
	}
}

func TestHangingHalfWay(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"hits":[`)
		w.(http.Flusher).Flush()
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	e := failureOf(t, client(t, Config{BaseURL: s.URL, Timeout: 50 * time.Millisecond}).Do(t.Context(), "GET", "/", nil, nil), assay.KindTimeout)
	if !strings.Contains(e.Error(), "within 50ms after 9 bytes") {
		t.Errorf("own timeout: %v", e)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	e = failureOf(t, client(t, Config{BaseURL: s.URL}).Do(ctx, "GET", "/", nil, nil), assay.KindTimeout)
	if !errors.Is(e, context.DeadlineExceeded) || e.Raw != `{"hits":[` {
		t.Errorf("caller's deadline: %v, raw %q", e, e.Raw)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	e = failureOf(t, client(t, Config{BaseURL: s.URL}).Do(ctx, "GET", "/", nil, nil), assay.KindCanceled)
	if !errors.Is(e, context.Canceled) {
		t.Errorf("canceled: %v", e)
	}
}

func TestBrokenConnections(t *testing.T) {
	reset := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, "{")
		w.(http.Flusher).Flush()
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.(*net.TCPConn).SetLinger(0)
		conn.Close()
	})
	failureOf(t, client(t, Config{BaseURL: reset.URL}).Do(t.Context(), "POST", "/", nil, nil), assay.KindUnavailable)

	short := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, "{")
	})
	failureOf(t, client(t, Config{BaseURL: short.URL}).Do(t.Context(), "POST", "/", nil, nil), assay.KindUnavailable)

	gone := serve(t, func(http.ResponseWriter, *http.Request) {})
	gone.Close()
	err := client(t, Config{BaseURL: gone.URL}).Do(t.Context(), "GET", "/", nil, nil)
	failureOf(t, err, assay.KindUnavailable)
	if !strings.Contains(err.Error(), "connection refused") || !strings.Contains(assay.Hint(err), "start the server") {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}

	failureOf(t, client(t, Config{BaseURL: "http://no-such-host.invalid"}).Do(t.Context(), "GET", "/", nil, nil), assay.KindUnavailable)

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(c, "220 mail.example ESMTP\r\n")
			c.Close()
		}
	}()
	failureOf(t, client(t, Config{BaseURL: "http://" + l.Addr().String()}).Do(t.Context(), "GET", "/", nil, nil), assay.KindMalformed)
}

func TestRedirects(t *testing.T) {
	var reached bool
	other := serve(t, func(http.ResponseWriter, *http.Request) { reached = true })
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL+"/x?key=k-123", http.StatusTemporaryRedirect)
		case "/near":
			http.Redirect(w, r, "/end", http.StatusTemporaryRedirect)
		case "/get":
			http.Redirect(w, r, "/end", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusTemporaryRedirect)
		default:
			body, _ := io.ReadAll(r.Body)
			fmt.Fprintf(w, "%q", r.Method+string(body))
		}
	})
	c := client(t, Config{BaseURL: s.URL, APIKey: secret.New("k-123")})
	err := c.Do(t.Context(), "POST", "/away", map[string]int{}, nil)
	failureOf(t, err, assay.KindInvalid)
	if reached || !strings.Contains(err.Error(), other.URL) || strings.Contains(err.Error(), "k-123") {
		t.Errorf("reached %v: %v", reached, err)
	}
	var got string
	if err := c.Do(t.Context(), "POST", "/near", map[string]int{"a": 1}, &got); err != nil || got != `POST{"a":1}` {
		t.Errorf("%q, %v", got, err)
	}
	failureOf(t, c.Do(t.Context(), "POST", "/get", map[string]int{}, &got), assay.KindInvalid)
	failureOf(t, c.Do(t.Context(), "GET", "/loop", nil, &got), assay.KindInvalid)
}

func TestSecretsStayIn(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":"wrong key %s and %s"}`, r.Header.Get("Authorization"), r.Header.Get("X-Token"))
	})
	c := client(t, Config{BaseURL: s.URL, APIKey: secret.New("k-123456"), SecretHeaders: map[string]secret.Value{"X-Token": secret.New("Basic t-987654")}})
	err := c.Do(t.Context(), "GET", "/", nil, nil)
	e := failureOf(t, err, assay.KindRefused)
	for _, text := range []string{err.Error(), e.Raw, assay.Hint(err), fmt.Sprintf("%+v %#v", err, *e), fmt.Sprintf("%+v", c.config)} {
		if strings.Contains(text, "k-123456") || strings.Contains(text, "t-987654") {
			t.Errorf("leaked: %s", text)
		}
	}
	if !strings.Contains(err.Error(), "wrong key Bearer [redacted]") {
		t.Errorf("message lost: %v", err)
	}
	// A secret that straddles the cut of Raw must not leave its first half behind.
	long := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, strings.Repeat("x", assay.RawLimit-4)+"k-123456")
	})
	e = failureOf(t, client(t, Config{BaseURL: long.URL, APIKey: secret.New("k-123456")}).Do(t.Context(), "GET", "/", nil, nil), assay.KindInvalid)
	if strings.Contains(e.Raw, "k-12") || len(e.Raw) != assay.RawLimit {
		t.Errorf("raw ends in %q", e.Raw[len(e.Raw)-10:])
	}
}

func TestAllow(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s %s went out", r.Method, r.URL) })
	c := client(t, Config{BaseURL: s.URL, Allow: func(method, path string) bool { return method == "GET" }})
	failureOf(t, c.Do(t.Context(), "DELETE", "/collections/x", nil, nil), assay.KindInvalid)
	failureOf(t, c.Do(t.Context(), "GET", "/%zz", nil, nil), assay.KindInvalid)
	failureOf(t, c.Do(t.Context(), "GET", Path("collections", "..", "x"), nil, nil), assay.KindInvalid)
}

func TestUnsendable(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s went out", r.URL) })
	c := client(t, Config{BaseURL: s.URL})
	failureOf(t, c.Do(t.Context(), "POST", "/", []float32{float32(math.NaN())}, nil), assay.KindInvalid)
	failureOf(t, c.Do(t.Context(), "GET", "/a?b=c", nil, nil), assay.KindInvalid)
	failureOf(t, c.Do(t.Context(), "GET", "//evil.example/x", nil, nil), assay.KindInvalid)
}

func TestConfigErrors(t *testing.T) {
	dir := t.TempDir()
	notPEM := filepath.Join(dir, "x.pem")
	if err := os.WriteFile(notPEM, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []Config{
		{}, {BaseURL: "localhost:6333"}, {BaseURL: "ftp://x"}, {BaseURL: "http://"}, {BaseURL: "http://:80"}, {BaseURL: "http://h/?a=b"}, {BaseURL: "http://h/#a"},
		{BaseURL: "http://user:hunter2@h"}, {BaseURL: "http://user:hunter2@h:x y/"}, {BaseURL: "http://h", CAFile: notPEM}, {BaseURL: "https://h", CAFile: dir + "/nope"},
		{BaseURL: "http://h", Headers: map[string]string{"a b": "c"}}, {BaseURL: "http://h", Headers: map[string]string{"": "c"}},
		{BaseURL: "http://h", APIKey: secret.New("hunter2\r\nHost: x")},
	} {
		_, err := New(c)
		if err == nil || !errors.Is(err, assay.ErrUsage) {
			t.Errorf("%q: %v is not a usage error", c.BaseURL, err)
			continue
		}
		if strings.Contains(err.Error()+assay.Hint(err), "hunter2") {
			t.Errorf("leaked: %v", err)
		}
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "{}") }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	err := client(t, Config{BaseURL: s.URL}).Do(t.Context(), "GET", "/", nil, nil)
	failureOf(t, err, assay.KindInvalid)
	if !strings.Contains(assay.Hint(err), "ca_file") {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := client(t, Config{BaseURL: s.URL, CAFile: ca}).Do(t.Context(), "GET", "/", nil, nil); err != nil {
		t.Error(err)
	}
	plain := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	err = client(t, Config{BaseURL: strings.Replace(plain.URL, "http:", "https:", 1)}).Do(t.Context(), "GET", "/", nil, nil)
	failureOf(t, err, assay.KindInvalid)
	if !strings.Contains(assay.Hint(err), "http://") {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}
}

func FuzzVector(f *testing.F) {
	for _, s := range []string{"[]", "[1,2]", "[ 1e5 , -0.25 ]", "[null]", "[[1]]", `["1"]`, "[1e39]", "null", "7", `{"a":1}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var v Vector
		if err := json.Unmarshal([]byte(s), &v); err != nil {
			return
		}
		var want []*float64
		if err := json.Unmarshal([]byte(s), &want); err != nil || len(want) != len(v) {
			t.Fatalf("accepted %q as %v", s, v)
		}
		for i := range v {
			if want[i] == nil || float32(*want[i]) != v[i] && math.Abs(float64(v[i])-*want[i]) > math.Abs(*want[i])*1e-6 {
				t.Fatalf("%q at %d: %v", s, i, v[i])
			}
		}
	})
}
