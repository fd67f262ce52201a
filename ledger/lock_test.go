package ledger_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
)

func TestLockNamesItsHolder(t *testing.T) {
	s := ledger.OpenStore(t.TempDir())
	r, lock, err := s.Create(ledger.RunInfo{System: "one"})
	if err != nil {
		t.Fatal(err)
	}
	other, err := ledger.OpenRun(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	pid := fmt.Sprint(os.Getpid())
	_, err = other.Lock()
	if err == nil || !strings.Contains(err.Error(), "another assay process (pid "+pid+")") || !strings.Contains(assay.Hint(err), "kill -INT "+pid) {
		t.Errorf("a second lock: %v, hint %q", err, assay.Hint(err))
	}
	if err := s.Remove(other); err == nil {
		t.Error("a run was removed under its writer")
	}
	r.Info.Status = ledger.Finished
	if err := r.Save(); err != nil {
		t.Fatal(err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	// What was read before the lock may be old by the time it is had.
	lock, err = other.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if other.Info.Status != ledger.Finished {
		t.Errorf("after the lock the run is %s, and on disk it is finished", other.Info.Status)
	}
}

// TestLeftoversOfKilledProcesses: a process killed while it made a run, or while it replaced a file of one,
// leaves hidden files. They are no run, and the next writer removes them.
func TestLeftoversOfKilledProcesses(t *testing.T) {
	dir := t.TempDir()
	s := ledger.OpenStore(dir)
	r, lock, err := s.Create(ledger.RunInfo{System: "one"})
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{".run.json123", ".scores.jsonl45"} {
		if err := os.WriteFile(filepath.Join(r.Dir, f), []byte("{"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, fresh := filepath.Join(dir, "runs", ".20260101-000000.000-abcdef"), filepath.Join(dir, "runs", ".20260101-000000.001-abcdef")
	mine := filepath.Join(dir, "runs", ".git")
	for _, d := range []string{old, fresh, mine} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{old, mine} {
		if err := os.Chtimes(d, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if runs, bad := s.List(); len(runs) != 1 || len(bad) != 0 {
		t.Errorf("%d runs, errors %v", len(runs), bad)
	}
	_, second, err := s.Create(ledger.RunInfo{System: "two"})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	for path, want := range map[string]bool{old: false, fresh: true, mine: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", path, err == nil, want)
		}
	}
	if lock, err = r.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if got := names(t, r.Dir); !slices.Equal(got, []string{"lock", "run.json"}) {
		t.Errorf("the run's folder holds %v", got)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
