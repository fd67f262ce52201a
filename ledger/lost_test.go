package ledger_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
)

// TestLostResults: a finished run whose results are gone, in part or all, or not readable is neither scored nor made a baseline.
func TestLostResults(t *testing.T) {
	for name, c := range map[string]struct {
		results string
		want    string
	}{
		"gone":    {"", "results of 0 queries, and the run was finished with 1"},
		"garbage": {"{\"query\":\"q1\",\"hits\":[]}\ngarbage\n", "results.jsonl:2"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			r := withResults(t, ledger.OpenStore(dir), "docs", "q1")
			r.Info.Counts = map[string]int{"queries": 1}
			for _, err := range r.Results() {
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(r.Dir, "results.jsonl"), []byte(c.results), 0o644); err != nil {
				t.Fatal(err)
			}
			var read error
			for _, err := range r.Results() {
				read = errors.Join(read, err)
			}
			for what, err := range map[string]error{"read": read, "baseline": ledger.OpenBaselines(dir).Set(r, nil)} {
				if err == nil || !errors.Is(err, assay.ErrUsage) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v, want one of usage with %q", what, err, c.want)
				}
			}
		})
	}
}
