//go:build unix

package cli

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/ledger"
)

// TestKilledFiftyTimes kills a run with kill -9 at fifty random moments and goes on after each. A query
// that has a result on disk is never searched again, and in the end all is as if nothing had happened.
func TestKilledFiftyTimes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const queries, workers, kills = 1000, 4, 50
	s := newService(t)
	unbroken := s.project(t, queries, "workers: 4")
	unbroken.run(0, "run", "app")
	s.delay = 3 * time.Millisecond
	f := s.project(t, queries, "workers: 4")
	s.forget()

	text := map[string]string{}
	for _, q := range records[struct{ ID, Text string }](f, "testset/queries.jsonl") {
		text[q.ID] = q.Text
	}
	chance := rand.New(rand.NewPCG(7, 50))
	for range kills {
		done, before := f.finished(), s.times()
		p := f.start("run", "app")
		if chance.IntN(5) == 0 {
			time.Sleep(time.Duration(chance.Int64N(int64(60 * time.Millisecond)))) // while it starts
		} else {
			s.after(1+chance.IntN(30), p)
			time.Sleep(time.Duration(chance.Int64N(int64(8 * time.Millisecond))))
		}
		p.stop(syscall.SIGKILL)
		s.settle(t)
		if p.code != -int(syscall.SIGKILL) {
			t.Fatalf("ended before it was killed, with %d\n%s", p.code, &p.err)
		}
		after := s.times()
		for _, q := range done {
			if before[text[q]] != after[text[q]] {
				t.Errorf("query %s was searched again after its result was on disk", q)
			}
		}
	}
	f.run(0, "run", "app")

	total := len(s.soFar())
	if len(s.times()) != queries || total > queries+kills*workers {
		t.Errorf("%d queries were searched %d times; %d kills cost at most %d calls in flight", len(s.times()), total, kills, kills*workers)
	}
	t.Logf("%d searches for %d queries and %d kills", total, queries, kills)
	sameOutcome(t, unbroken, f)
}

// TestKilledWhileFinishing kills runs at random moments of their last phase, in which they are scored,
// written and recorded: there is one line in the history, whatever the moment.
func TestKilledWhileFinishing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const queries = 6
	s := newService(t)
	unbroken := s.project(t, queries, "workers: 2")
	p := unbroken.start("run", "app")
	s.after(queries, p)
	start := time.Now()
	unbroken.result(p)
	span := time.Since(start)
	chance := rand.New(rand.NewPCG(7, 51))
	for range 20 {
		f := s.project(t, queries, "workers: 2")
		p := f.start("run", "app")
		s.after(queries, p)
		for range 6 {
			time.Sleep(time.Duration(chance.Int64N(int64(span))))
			p.stop(syscall.SIGKILL)
			s.settle(t)
			if strings.Contains(f.read(f.onlyRun()+"/run.json"), `"status": "finished"`) {
				break // it was faster
			}
			before := s.times()
			p = f.start("run", "app")
			if len(f.finished()) == queries && !cmp.Equal(before, s.times()) {
				t.Error("a query with a result was searched again")
			}
		}
		if f.result(p); !strings.Contains(f.read(f.onlyRun()+"/run.json"), `"status": "finished"`) {
			f.run(0, "run", "app")
		}
		sameOutcome(t, unbroken, f)
	}
}

// TestKilledBetweenRecordAndClose is the one moment that chance seldom finds: the history has the run's
// line, and run.json does not say yet that it is finished.
func TestKilledBetweenRecordAndClose(t *testing.T) {
	s := newService(t)
	unbroken, f := s.project(t, 6, "workers: 2"), s.project(t, 6, "workers: 2")
	unbroken.run(0, "run", "app")
	f.run(0, "run", "app")
	info := f.onlyRun() + "/run.json"
	f.write(info, strings.Replace(f.read(info), `"status": "finished"`, `"status": "running"`, 1))
	before := s.times()
	f.run(0, "run", "app")
	if diff := cmp.Diff(before, s.times()); diff != "" {
		t.Errorf("searched again:\n%s", diff)
	}
	sameOutcome(t, unbroken, f)
}

// finished are the queries that have a ranking on disk.
func (f *folder) finished() []string {
	f.Helper()
	entries, err := os.ReadDir(f.path("runs"))
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		text := f.read("runs/" + e.Name() + "/results.jsonl")
		whole := text[:strings.LastIndexByte(text, '\n')+1]
		for line := range strings.Lines(whole) {
			_, rest, ok := strings.Cut(line, `{"query":"`)
			id, _, found := strings.Cut(rest, `"`)
			if !ok || !found {
				f.Fatalf("unexpected line %q", line)
			}
			if strings.HasSuffix(line, "\"error\":null}\n") {
				out = append(out, id)
			}
		}
	}
	return out
}

// sameOutcome checks that a project that was killed holds what an unbroken one does: one finished run with
// the same rankings, texts and scores, one line of history, and nothing torn or left over.
func sameOutcome(t *testing.T, unbroken, killed *folder) {
	t.Helper()
	a, b := unbroken.onlyRun(), killed.onlyRun()
	if diff := cmp.Diff(unbroken.rankings(a), killed.rankings(b)); diff != "" {
		t.Errorf("rankings (-unbroken +killed):\n%s", diff)
	}
	for _, file := range []string{"passages.jsonl", "scores.jsonl"} {
		if diff := cmp.Diff(sortedLines(unbroken.read(a+"/"+file)), sortedLines(killed.read(b+"/"+file))); diff != "" {
			t.Errorf("%s (-unbroken +killed):\n%s", file, diff)
		}
	}
	want, got := records[ledger.Record](unbroken, "eval_results.jsonl"), records[ledger.Record](killed, "eval_results.jsonl")
	if len(got) != 1 {
		t.Fatalf("%d lines of history, want one", len(got))
	}
	if diff := cmp.Diff(want[0].Metrics, got[0].Metrics); diff != "" {
		t.Errorf("metrics (-unbroken +killed):\n%s", diff)
	}
	if diff := cmp.Diff(want[0].Counts, got[0].Counts); diff != "" {
		t.Errorf("counts (-unbroken +killed):\n%s", diff)
	}
	entries, err := os.ReadDir(killed.path(b))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"lock", "passages.jsonl", "results.jsonl", "run.json", "scores.jsonl"}; !slices.Equal(names, want) {
		t.Errorf("the run's folder holds %v, want %v", names, want)
	}
}

func sortedLines(text string) []string {
	return slices.Sorted(strings.Lines(text))
}
