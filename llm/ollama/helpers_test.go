package ollama_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
)

func words(n int) string  { return strings.Repeat("word ", n) }
func blanks(n int) string { return strings.Repeat(" ", n) }

func check(t *testing.T, err error, kind assay.Kind, says, raw string) {
	t.Helper()
	var e *assay.Error
	if !errors.As(err, &e) || e.Kind != kind || !strings.Contains(err.Error(), says) || !strings.Contains(e.Raw, raw) {
		t.Fatalf("kind %q, want %q saying %q with %q in the raw reply: %v\n%+v", assay.KindOf(err), kind, says, raw, err, e)
	}
	if kind == assay.KindTruncated && assay.Hint(err) == "" {
		t.Errorf("no hint what to do: %v", err)
	}
}

// script is a server that keeps what it was asked and answers by a function of path and body.
type script struct {
	*httptest.Server
	mu   sync.Mutex
	asks []ask
}

type ask struct {
	path string
	body map[string]any
}

func serve(t *testing.T, answer func(path string, body map[string]any) (int, string)) *script {
	t.Helper()
	s := &script{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		var body map[string]any
		if len(data) > 0 {
			if err := json.Unmarshal(data, &body); err != nil {
				t.Errorf("request body: %v", err)
			}
		}
		s.mu.Lock()
		s.asks = append(s.asks, ask{r.URL.Path, body})
		s.mu.Unlock()
		code, reply := answer(r.URL.Path, body)
		w.WriteHeader(code)
		_, _ = w.Write([]byte(reply))
	}))
	t.Cleanup(s.Close)
	return s
}

// to lists what a path was asked, in order.
func (s *script) to(path string) []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []map[string]any
	for _, a := range s.asks {
		if a.path == path {
			out = append(out, a.body)
		}
	}
	return out
}
