package llmtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay"
)

// MaxBody is the bound on replies that a client under Faults must be configured with.
const MaxBody = 1 << 20

// fault is one way a server can go wrong. An empty kind means: any error will do.
type fault struct {
	name    string
	kind    assay.Kind
	handler http.HandlerFunc
	after   float64 // what Retry-After must have become, in seconds
}

func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body))
	}
}

const page = "<!DOCTYPE html><html><head><title>Gateway</title></head><body>sorry</body></html>"

var faults = []fault{
	{name: "429", kind: assay.KindRateLimited, handler: status(429, `{"error":"slow down"}`, "Retry-After", "7"), after: 7},
	{name: "503", kind: assay.KindUnavailable, handler: status(503, `{"error":"server busy, please try again"}`)},
	{name: "500", kind: assay.KindInternal, handler: status(500, `{"error":"boom"}`)},
	{name: "401", kind: assay.KindRefused, handler: status(401, `{"error":{"message":"bad key"}}`)},
	{name: "404", kind: assay.KindNotFound, handler: status(404, "404 page not found")},
	{name: "web page", kind: assay.KindMalformed, handler: status(200, page)},
	{name: "web page from a gateway", kind: assay.KindUnavailable, handler: status(502, page)},
	{name: "prose", kind: assay.KindMalformed, handler: status(200, "Sure! Here is what you asked for.")},
	{name: "nothing", kind: assay.KindEmpty, handler: status(200, "")},
	{name: "JSON cut off", kind: assay.KindMalformed, handler: status(200, `{"data":[{"index":0,"embedding":[0.1,`)},
	{name: "connection cut off", kind: assay.KindUnavailable, handler: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`{"data":[`))
		panic(http.ErrAbortHandler)
	}},
	{name: "hangs half-way", kind: assay.KindTimeout, handler: func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"data":[`))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}},
	{name: "huge", kind: assay.KindMalformed, handler: func(w http.ResponseWriter, _ *http.Request) {
		block := []byte(strings.Repeat(" ", 64<<10))
		for range 4 * MaxBody / len(block) {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}},
	{name: "leads elsewhere", kind: assay.KindInvalid, handler: status(307, "", "Location", "http://example.invalid/")},
	{name: "null", handler: status(200, "null")},
	{name: "empty list", handler: status(200, "[]")},
	{name: "empty object", handler: status(200, "{}")},
	{name: "number", handler: status(200, "7")},
	{name: "error in a 200", handler: status(200, `{"error":"the model fell over"}`)},
	{name: "error object in a 200", handler: status(200, `{"error":{"message":"the model fell over"}}`)},
}

// Faults runs a call against servers that go wrong. Requests to path meet the fault, all others the
// handler others. do makes a client for the address, with replies bounded by MaxBody, and one call.
func Faults(t *testing.T, path string, others http.Handler, do func(ctx context.Context, url string) error) {
	t.Helper()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			var calls atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != path {
					others.ServeHTTP(w, r)
					return
				}
				calls.Add(1)
				f.handler(w, r)
			}))
			defer server.Close()
			ctx := t.Context()
			if f.kind == assay.KindTimeout {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 200*time.Millisecond)
				defer cancel()
			}
			err := do(ctx, server.URL)
			checkFault(t, f, err)
			if f.kind != "" && assay.OfReply(err) {
				t.Errorf("no model has written this: %v", err)
			}
			if n := calls.Load(); n != 1 {
				t.Errorf("%d calls: a client does not retry", n)
			}
		})
	}
	t.Run("nobody listens", func(t *testing.T) {
		server := httptest.NewServer(http.NotFoundHandler())
		server.Close()
		err := do(t.Context(), server.URL)
		wantKind(t, err, assay.KindUnavailable)
		if assay.Hint(err) == "" {
			t.Errorf("no hint what to do: %v", err)
		}
	})
}

func checkFault(t *testing.T, f fault, err error) {
	t.Helper()
	var e *assay.Error
	switch {
	case err == nil:
		t.Fatal("no error")
	case !errors.As(err, &e):
		t.Fatalf("%T is not an *assay.Error: %v", err, err)
	case f.kind != "" && e.Kind != f.kind:
		t.Errorf("kind %q, want %q: %v", e.Kind, f.kind, err)
	}
	if e.RetryAfter != f.after {
		t.Errorf("retry after %v s, want %v", e.RetryAfter, f.after)
	}
	if len(e.Raw) > assay.RawLimit {
		t.Errorf("%d bytes of the reply kept", len(e.Raw))
	}
	if !strings.Contains(fmt.Sprint(err), "127.0.0.1") {
		t.Errorf("the message does not say where: %v", err)
	}
}

// Replying is a server that answers every request to path with the same body, and others with the handler
// others, which may be nil.
func Replying(t *testing.T, path, body string, others http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path || others == nil {
			_, _ = w.Write([]byte(body))
			return
		}
		others.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server
}
