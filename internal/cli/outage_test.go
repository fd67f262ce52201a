//go:build unix

package cli

import (
	"encoding/json"
	"net/http"
	"syscall"
	"testing"
	"time"
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
			first := s.times()
			s.fail(nil)
			f.run(exitOK, "run", "app")
			again := 0
			for q, n := range s.times() {
				again += n - first[q]
			}
			if again != queries/4 {
				t.Errorf("the second run asked %d queries again, want the %d that had failed", again, queries/4)
			}
		})
	}
}

// TestOutageAsJSON: the document on standard output is that of the numbers, and the code is still that of
// what went wrong.
func TestOutageAsJSON(t *testing.T) {
	s := newService(t)
	f := s.project(t, 20, "workers: 1, retries: 0")
	s.fail(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n%4 == 0 {
			http.Error(w, "overloaded", http.StatusServiceUnavailable)
		}
		return n%4 == 0
	})
	p := f.run(exitIncomplete, "run", "app", "--json")
	f.says(p, "5 of 20 queries failed", "hint: run the same command again")
	var doc struct {
		Schema string
		Runs   []struct{ Counts map[string]int }
	}
	if err := json.Unmarshal(p.out.Bytes(), &doc); err != nil {
		t.Fatalf("%v\n%s", err, &p.out)
	}
	if doc.Schema != "assay/run-summary/v1" || len(doc.Runs) != 1 || doc.Runs[0].Counts["failed"] != 5 {
		t.Errorf("document %+v", doc)
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
	// The query that was cut off has not failed: nothing is said of it.
	if lines := len(records[any](f, f.onlyRun()+"/results.jsonl")); lines != 20 {
		t.Errorf("%d lines of results, want those of the 20 that were answered", lines)
	}
}

// TestSecondInterruptKills: who presses Ctrl-C twice wants out, even if a server or disk holds the program up.
func TestSecondInterruptKills(t *testing.T) {
	f := newFolder(t)
	f.write("assay.yaml", "corpus: {path: docs}\n")
	f.write("docs/a.md", "# A\n\nSome text.\n")
	p := f.prepare("import", "--form", "text", "-")
	in, err := p.StdinPipe() // held open: the command reads and does not hear the first signal
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f.launch(p)
	for _, sig := range []time.Duration{300 * time.Millisecond, 200 * time.Millisecond} {
		select {
		case <-p.ended:
			t.Fatalf("ended with %d before the second signal\n%s", p.code, &p.err)
		case <-time.After(sig):
		}
		if err := p.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	if f.result(p); p.code != -int(syscall.SIGINT) {
		t.Errorf("ended with %d, want the signal itself", p.code)
	}
}

// TestServiceDies has a service go away, or hang, in the middle. The rest is not tried one timeout after
// another, what was answered is kept, and the same command goes on with the rest.
func TestServiceDies(t *testing.T) {
	for name, upset := range map[string]func(n int, w http.ResponseWriter, r *http.Request) bool{
		"goes away": func(n int, _ http.ResponseWriter, _ *http.Request) bool {
			if n >= 20 {
				panic(http.ErrAbortHandler)
			}
			return false
		},
		"hangs": func(n int, _ http.ResponseWriter, r *http.Request) bool {
			if n >= 20 {
				<-r.Context().Done()
			}
			return n >= 20
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			f := s.project(t, 60, "workers: 1, retries: 0, timeout: 250ms")
			s.fail(upset)
			f.says(f.run(exitIncomplete, "run", "app"), "system app: gave up after 5 failed queries in a row", "run the same command again", "20 of 60 queries are answered and kept")
			if n := len(s.soFar()); n != 25 {
				t.Errorf("%d searches, want the 20 that worked and 5 that did not", n)
			}
			before := s.times()
			s.fail(nil)
			done := f.finished()
			f.run(exitOK, "run", "app")
			text := map[string]string{}
			for _, q := range records[struct{ ID, Text string }](f, "testset/queries.jsonl") {
				text[q.ID] = q.Text
			}
			for _, id := range done {
				if s.times()[text[id]] != before[text[id]] {
					t.Errorf("query %s was answered and asked again", id)
				}
			}
			if len(f.rankings(f.onlyRun())) != 60 || len(records[any](f, "eval_results.jsonl")) != 1 {
				t.Error("the run did not come to its end")
			}
		})
	}
}
