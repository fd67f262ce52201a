//go:build unix

package cli

import (
	"net/http"
	"syscall"
	"testing"
)

// TestOutage takes a service through the ways in which it can be unwell in the middle of a run. Each ends
// with exit 5 and a message that says what happened; what was answered is kept, and the same command
// goes on when the service is well again.
func TestOutage(t *testing.T) {
	const queries = 40
	for name, tc := range map[string]struct {
		upset func(n int, w http.ResponseWriter, r *http.Request) bool
		says  string
	}{
		"503": {func(n int, w http.ResponseWriter, _ *http.Request) bool {
			if n%4 != 0 {
				return false
			}
			http.Error(w, "overloaded", http.StatusServiceUnavailable)
			return true
		}, "503"},
		"429": {func(n int, w http.ResponseWriter, _ *http.Request) bool {
			if n%4 != 0 {
				return false
			}
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return true
		}, "429"},
		"cut off half-way": {func(n int, w http.ResponseWriter, _ *http.Request) bool {
			if n%4 != 0 {
				return false
			}
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"results": [{"id": "a", `))
			panic(http.ErrAbortHandler)
		}, "failed"},
		"a page where JSON is due": {func(n int, w http.ResponseWriter, _ *http.Request) bool {
			if n%4 == 0 {
				_, _ = w.Write([]byte("<html>Bad gateway</html>"))
			}
			return n%4 == 0
		}, "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			f := s.project(t, queries, "workers: 1, retries: 0")
			s.fail(tc.upset)
			p := f.run(exitIncomplete, "run", "app", "-v")
			f.says(p, tc.says, "of 40 queries failed")
			first := s.asked()
			s.fail(nil)
			f.run(exitOK, "run", "app")
			again := 0
			for q, n := range s.asked() {
				again += n - first[q]
			}
			if again != queries/4 {
				t.Errorf("the second run asked %d queries again, want the %d that had failed", again, queries/4)
			}
		})
	}
}

// TestInterrupt stops a run with Ctrl-C: exit 130, what was answered is kept, and it says how to go on.
func TestInterrupt(t *testing.T) {
	s := newService(t)
	f := s.project(t, 200, "workers: 1")
	s.fail(func(n int, _ http.ResponseWriter, r *http.Request) bool {
		if n >= 20 {
			<-r.Context().Done()
			return true
		}
		return false
	})
	p := f.start("run", "app")
	s.after(21, p)
	p.stop(syscall.SIGINT)
	f.result(p)
	if p.code != exitInterrupted {
		t.Fatalf("ended with %d, want %d\n%s", p.code, exitInterrupted, &p.err)
	}
	f.says(p, "interrupted", "run the same command again")
	if done := len(f.finished()); done != 20 {
		t.Errorf("%d results are kept, want 20", done)
	}
}
