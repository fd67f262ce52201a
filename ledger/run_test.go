package ledger_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
)

func finished(t *testing.T, s *ledger.Store, system, name string) *ledger.Run {
	t.Helper()
	r, lock, err := s.Create(ledger.RunInfo{System: system, Name: name, Fingerprint: ledger.Fingerprint{"a": "1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	r.Info.Status = ledger.Finished
	if err := r.Save(); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFind(t *testing.T) {
	s := ledger.OpenStore(t.TempDir())
	a := finished(t, s, "one", "first")
	b := finished(t, s, "one", "")
	c := finished(t, s, "two", "")
	for _, tc := range []struct{ ref, system, want string }{
		{a.Info.ID, "", a.Info.ID}, {"first", "", a.Info.ID}, {"last", "one", b.Info.ID}, {"last~1", "one", a.Info.ID},
		{"last", "two", c.Info.ID}, {c.Info.ID[:len(c.Info.ID)-1], "", c.Info.ID},
		{"last", "", "error: several systems"}, {"last~2", "one", "error: only 2"}, {"2", "", "error: beginning of 3"},
		{"nope", "", "error: no run is called"}, {"last", "three", "error: no run of system three"}, {"", "one", "error: "},
	} {
		got, err := s.Find(tc.ref, tc.system)
		want, isErr := strings.CutPrefix(tc.want, "error: ")
		switch {
		case isErr && (err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, assay.ErrUsage)):
			t.Errorf("Find(%q, %q) = %v, %v; want error %q", tc.ref, tc.system, got, err, want)
		case !isErr && (err != nil || got.Info.ID != want):
			t.Errorf("Find(%q, %q) = %v, %v; want %s", tc.ref, tc.system, got, err, want)
		}
	}
}

func TestUnfinishedIsFoundByRankings(t *testing.T) {
	s := ledger.OpenStore(t.TempDir())
	fp := ledger.Fingerprint{"testset.queries": "q1", "testset.labels": "l1", "index.count": "10"}
	r, lock, err := s.Create(ledger.RunInfo{System: "one", Fingerprint: fp})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Lock(); err == nil || !strings.Contains(err.Error(), "another assay process") {
		t.Errorf("a second lock: %v", err)
	}
	lock.Close()
	got, why := s.Unfinished("one", "", ledger.Fingerprint{"testset.queries": "q1", "testset.labels": "l2", "index.count": "10"})
	if got == nil || got.Info.ID != r.Info.ID {
		t.Errorf("other labels: got %v, why %q", got, why)
	}
	got, why = s.Unfinished("one", "", ledger.Fingerprint{"testset.queries": "q1", "index.count": "11"})
	if got != nil || !strings.Contains(why, "index.count") || !strings.Contains(why, `"10"`) {
		t.Errorf("other index: got %v, why %q", got, why)
	}
	if got, _ = s.Unfinished("one", "limit=3", fp); got != nil {
		t.Errorf("other selection: got %v", got)
	}
}

func TestResultsLastLineWins(t *testing.T) {
	s := ledger.OpenStore(t.TempDir())
	r, lock, err := s.Create(ledger.RunInfo{System: "one"})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	w, err := r.Writer()
	if err != nil {
		t.Fatal(err)
	}
	hit := []assay.RankedHit{{ID: "2637283987631399372", Score: 0.5, TextHash: "h"}}
	for _, res := range []assay.Result{
		{Query: "a", Error: &assay.Failure{Kind: assay.KindTimeout, Message: "late"}},
		{Query: "b", Hits: hit},
		{Query: "a", Hits: hit},
		{Query: "c", Error: &assay.Failure{Kind: assay.KindTimeout, Message: "late"}},
	} {
		if err := w.Write(res, []ledger.Passage{{Hash: "h", Text: "<b>"}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for res, err := range r.Results() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, res.Query)
		if len(res.Hits) > 0 && res.Hits[0].ID != "2637283987631399372" {
			t.Errorf("id lost digits: %s", res.Hits[0].ID)
		}
	}
	if diff := cmp.Diff([]string{"b", "a", "c"}, got); diff != "" {
		t.Error(diff)
	}
	done, err := r.Done()
	if diff := cmp.Diff(map[string]bool{"a": true, "b": true, "c": false}, done); diff != "" || err != nil {
		t.Error(diff, err)
	}
	data, _ := os.ReadFile(filepath.Join(r.Dir, "passages.jsonl"))
	if strings.Count(string(data), "\n") != 1 || !strings.Contains(string(data), "<b>") {
		t.Errorf("passages = %s", data)
	}
}

func TestFingerprintDiff(t *testing.T) {
	f := ledger.Fingerprint{}
	f.Add("system", map[string]any{"k": 10, "params": map[string]any{"hnsw_ef": 128, "list": []any{1, "x"}}, "none": nil})
	g := ledger.Fingerprint{}
	g.Add("system", map[string]any{"k": 10, "params": map[string]any{"hnsw_ef": 64, "list": []any{1, "x"}}})
	want := []ledger.Change{{Key: "system.params.hnsw_ef", From: "128", To: "64"}}
	if diff := cmp.Diff(want, f.Diff(g)); diff != "" {
		t.Error(diff)
	}
	if f.Hash() == g.Hash() || f.Hash() != f.Hash() {
		t.Error("hash does not follow the content")
	}
}
