package ledger_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
)

// withResults is a finished run with one result of a query.
func withResults(t *testing.T, s *ledger.Store, system, query string) *ledger.Run {
	t.Helper()
	r, lock, err := s.Create(ledger.RunInfo{System: system})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	w, err := r.Writer()
	if err != nil {
		t.Fatal(err)
	}
	err = w.Write(assay.Result{Query: query, Hits: []assay.RankedHit{{ID: "c1", TextHash: "h"}}}, []ledger.Passage{{Hash: "h", Text: "text"}})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	r.Info.Status = ledger.Finished
	if err := r.Save(); err != nil {
		t.Fatal(err)
	}
	return r
}

// queries are the ids of a run's results.
func queries(t *testing.T, r *ledger.Run) (out []string) {
	t.Helper()
	for res, err := range r.Results() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, res.Query)
	}
	return out
}

func TestBaseline(t *testing.T) {
	dir := t.TempDir()
	s, b := ledger.OpenStore(dir), ledger.OpenBaselines(dir)
	if _, ok, err := b.Get("docs"); ok || err != nil {
		t.Errorf("a baseline before one was set: %v %v", ok, err)
	}
	if was, err := b.Clear("docs"); was || err != nil {
		t.Errorf("cleared what was not: %v %v", was, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "baseline")); err == nil {
		t.Error("looking made a folder")
	}
	first, second := withResults(t, s, "docs", "q1"), withResults(t, s, "docs", "q2")
	odd := withResults(t, s, `../"><b>/x`, "q3")
	rec := &ledger.Record{Timestamp: ledger.Now(), Config: map[string]any{}, Metrics: map[string]float64{"recall@10": 0.5}, Run: second.Info.ID}
	for _, set := range []struct {
		run *ledger.Run
		rec *ledger.Record
	}{{first, nil}, {second, rec}, {odd, nil}} {
		if err := b.Set(set.run, set.rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Remove(second); err != nil { // the copy outlives the run
		t.Fatal(err)
	}
	run, ok, err := b.Get("docs")
	if err != nil || !ok || run.Info.ID != second.Info.ID || !slices.Equal(queries(t, run), []string{"q2"}) {
		t.Fatalf("%v %v %v", run, ok, err)
	}
	if got, err := run.Record(); err != nil || got.Metrics["recall@10"] != 0.5 {
		t.Errorf("record %v, %v", got, err)
	}
	if text, ok := run.Texts().Text("h"); !ok || text != "text" {
		t.Errorf("passage %q %v", text, ok)
	}
	runs, bad := b.List()
	if len(runs) != 2 || len(bad) != 0 || runs[0].Info.System != odd.Info.System || filepath.Dir(runs[0].Dir) != filepath.Join(dir, "baseline") {
		t.Errorf("%v %v", runs, bad)
	}
	if got := names(t, filepath.Join(dir, "baseline", "docs")); !slices.Equal(got, []string{"passages.jsonl", "record.json", "results.jsonl", "run.json"}) {
		t.Errorf("the folder holds %v", got)
	}
	if was, err := b.Clear("docs"); !was || err != nil {
		t.Errorf("%v %v", was, err)
	}
	if _, ok, err := b.Get("docs"); ok || err != nil {
		t.Errorf("a baseline after it was cleared: %v %v", ok, err)
	}
}

func TestUnfinishedRunIsNoBaseline(t *testing.T) {
	dir := t.TempDir()
	r, lock, err := ledger.OpenStore(dir).Create(ledger.RunInfo{System: "docs"})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := ledger.OpenBaselines(dir).Set(r, nil); !errors.Is(err, assay.ErrUsage) {
		t.Errorf("%v", err)
	}
}

// TestBaselineAfterEveryCrash takes the steps of a replacement one by one: a process that dies behind any of them leaves the old
// baseline or the new one, whole, and nothing else after the next look.
func TestBaselineAfterEveryCrash(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps func(at, fresh, old string) error
		want  string
	}{
		{"half a copy", func(_, fresh, _ string) error { return os.Remove(filepath.Join(fresh, "run.json")) }, "q1"},
		{"copied", func(_, _, _ string) error { return nil }, "q2"},
		{"the old one moved away", func(at, _, old string) error { return os.Rename(at, old) }, "q2"},
		{"the new one in place", func(at, fresh, old string) error { return errors.Join(os.Rename(at, old), os.Rename(fresh, at)) }, "q2"},
		{"the old one half removed", func(at, fresh, old string) error {
			return errors.Join(os.Rename(at, old), os.Rename(fresh, at), os.Remove(filepath.Join(old, "run.json")))
		}, "q2"},
		{"moved away to be cleared", func(at, fresh, old string) error { return errors.Join(os.RemoveAll(fresh), os.Rename(at, old)) }, "q1"},
		{"half cleared", func(at, fresh, old string) error {
			return errors.Join(os.RemoveAll(fresh), os.Rename(at, old), os.Remove(filepath.Join(old, "run.json")))
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s, b := ledger.OpenStore(dir), ledger.OpenBaselines(dir)
			fresh, old := crashed(t, s, b, c.steps)
			run, ok, err := b.Get("docs")
			if err != nil || ok != (c.want != "") {
				t.Fatalf("%v %v", ok, err)
			}
			if ok && !slices.Equal(queries(t, run), []string{c.want}) {
				t.Errorf("holds %v, want %s", queries(t, run), c.want)
			}
			for _, left := range []string{fresh, old} {
				if _, err := os.Stat(left); err == nil {
					t.Errorf("%s is still there", filepath.Base(left))
				}
			}
		})
		t.Run(c.name+", then set anew", func(t *testing.T) {
			dir := t.TempDir()
			s, b := ledger.OpenStore(dir), ledger.OpenBaselines(dir)
			crashed(t, s, b, c.steps)
			if err := b.Set(withResults(t, s, "docs", "q3"), nil); err != nil {
				t.Fatal(err)
			}
			run, ok, err := b.Get("docs")
			if err != nil || !ok || !slices.Equal(queries(t, run), []string{"q3"}) {
				t.Errorf("%v %v", ok, err)
			}
		})
	}
}

// crashed leaves behind what a process does that dies after some steps of replacing q1 by q2.
func crashed(t *testing.T, s *ledger.Store, b *ledger.Baselines, steps func(at, fresh, old string) error) (fresh, old string) {
	t.Helper()
	at := b.Dir("docs")
	fresh, old = filepath.Join(filepath.Dir(at), ".new-docs"), filepath.Join(filepath.Dir(at), ".old-docs")
	if err := b.Set(withResults(t, s, "docs", "q2"), nil); err != nil {
		t.Fatal(err)
	}
	other := ledger.OpenBaselines(t.TempDir())
	if err := other.Set(withResults(t, s, "docs", "q1"), nil); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{os.Rename(at, fresh), os.CopyFS(at, os.DirFS(other.Dir("docs"))), steps(at, fresh, old)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return fresh, old
}

// TestBaselineSetByManyAtOnce: whoever looks meanwhile finds one of the runs, whole.
func TestBaselineSetByManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	s := ledger.OpenStore(dir)
	var runs []*ledger.Run
	for i := range 4 {
		runs = append(runs, withResults(t, s, "docs", fmt.Sprint("q", i)))
	}
	if err := ledger.OpenBaselines(dir).Set(runs[0], nil); err != nil {
		t.Fatal(err)
	}
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	for _, run := range runs {
		writers.Go(func() {
			for range 10 {
				if err := ledger.OpenBaselines(dir).Set(run, nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	readers.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if run, ok, err := ledger.OpenBaselines(dir).Get("docs"); err != nil || !ok || run.Info.System != "docs" {
				t.Errorf("%v %v", ok, err)
				return
			}
		}
	})
	writers.Wait()
	close(done)
	readers.Wait()
	run, ok, err := ledger.OpenBaselines(dir).Get("docs")
	if err != nil || !ok || len(queries(t, run)) != 1 {
		t.Errorf("%v %v", ok, err)
	}
	if got := names(t, filepath.Join(dir, "baseline")); !slices.Equal(got, []string{".gitignore", ".lock", "docs"}) {
		t.Errorf("left behind: %v", got)
	}
}
