//go:build unix

package cli

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay/ledger"
)

// TestTwoRunsAtOnce starts a run while another one is under way: it says who holds it, searches nothing,
// and leaves the first to finish.
func TestTwoRunsAtOnce(t *testing.T) {
	s := newService(t)
	f := s.project(t, 60, "workers: 1")
	s.delay = 20 * time.Millisecond
	first := f.start("run", "app")
	s.after(3, first)
	f.says(f.run(exitFailed, "run", "app"), "is being written by another assay process", fmt.Sprint("pid ", first.Process.Pid), "--new")
	f.says(f.run(exitFailed, "runs", "rm", strings.TrimPrefix(f.onlyRun(), "runs/")), "another assay process")
	if f.result(first); first.code != exitOK {
		t.Fatalf("the first ended with %d\n%s", first.code, &first.err)
	}
	if n := len(s.soFar()); n != 60 {
		t.Errorf("%d searches for 60 queries", n)
	}
	if n := len(records[ledger.Record](f, "eval_results.jsonl")); n != 1 {
		t.Errorf("%d lines of history", n)
	}
}

// TestC17ManyWritersOfOneHistory: runs of several systems end at the same time; every line stays whole.
func TestC17ManyWritersOfOneHistory(t *testing.T) {
	const writers = 6
	s := newService(t)
	f := s.project(t, 10, "workers: 1")
	config := f.read("assay.yaml")
	line := strings.Split(config, "\n")[1]
	var systems []string
	for i := range writers {
		systems = append(systems, strings.Replace(line, "app:", fmt.Sprintf("app%d:", i), 1))
	}
	f.write("assay.yaml", strings.Replace(config, line, strings.Join(systems, "\n"), 1))
	f.write("eval_results.jsonl", `{"timestamp":"2026-08-18T17:00:00Z","config":{},"metrics":{"recall@10":0.5}}`+"\n"+`{"timest`)
	var wg sync.WaitGroup
	var all []*process
	for i := range writers {
		all = append(all, f.start("run", fmt.Sprintf("app%d", i)))
	}
	for _, p := range all {
		wg.Go(func() { <-p.ended })
	}
	wg.Wait()
	for _, p := range all {
		if p.code != exitOK {
			t.Errorf("%v ended with %d\n%s", p.Args, p.code, &p.err)
		}
	}
	seen := map[string]bool{}
	for _, r := range records[ledger.Record](f, "eval_results.jsonl") {
		seen[r.System] = true
	}
	if len(seen) != writers+1 {
		t.Errorf("the history has %v", seen)
	}
	entries, err := os.ReadDir(f.path("runs"))
	if err != nil || len(entries) != writers {
		t.Errorf("%d runs, %v", len(entries), err)
	}
}
