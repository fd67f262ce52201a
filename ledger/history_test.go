package ledger_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/ledger"
)

// TestC17 is the ledger as the field leaves it: a plain script's lines, a last line torn or without its
// line feed, U+2028 in a text, a line of 70,000 bytes.
func TestC17(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 70_000)
	lines := []string{
		`{"timestamp":"2026-08-18T17:00:00Z","config":{"note":"a` + "\u2028" + `b"},"metrics":{"recall@10":0.5,"bad":null}}`,
		`{"timestamp":"2026-08-18T18:00:00Z","config":{"note":"` + long + `"},"metrics":{"recall@10":0.6,"text":"n/a"}}`,
		`{"timest`,
	}
	path := filepath.Join(dir, ledger.HistoryFile)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	h := ledger.OpenHistory(dir)
	if got, bad := h.Sorted(nil); len(got) != 2 || len(bad) != 0 {
		t.Fatalf("before the repair: %d records, errors %v", len(got), bad)
	}
	if err := h.Append(ledger.Record{Timestamp: ledger.Now(), Metrics: map[string]float64{"recall@10": 0.7}}); err != nil {
		t.Fatal(err)
	}
	got, bad := h.Sorted(nil)
	if len(bad) != 0 {
		t.Fatal(bad)
	}
	var values []float64
	for _, r := range got {
		values = append(values, r.Metrics["recall@10"])
	}
	if diff := cmp.Diff([]float64{0.5, 0.6, 0.7}, values); diff != "" {
		t.Error(diff)
	}
	if len(got[0].Metrics) != 1 || got[0].Config["note"] != "a\u2028b" || got[1].Config["note"] != long {
		t.Errorf("records changed: %v", got[0])
	}
}

func TestBadLineIsNamedAndPassed(t *testing.T) {
	dir := t.TempDir()
	text := "{\"timestamp\":\"2026-01-01\",\"config\":{},\"metrics\":{\"map\":0.1}}\n{\"foo\":1}\n{\"timestamp\":\"soon\",\"metrics\":{}}\n{\"timestamp\":\"2026-01-02\",\"metrics\":{\"map\":0.2}}\n"
	if err := os.WriteFile(filepath.Join(dir, ledger.HistoryFile), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got, bad := ledger.OpenHistory(dir).Sorted(nil)
	if len(got) != 2 || len(bad) != 2 || !strings.Contains(bad[0].Error(), ledger.HistoryFile+":2") {
		t.Errorf("%d records, errors %v", len(got), bad)
	}
}

// TestC18 orders by instant, whatever the zone; a time without a zone is UTC.
func TestC18(t *testing.T) {
	dir := t.TempDir()
	text := `{"timestamp":"2026-08-19T00:30:00+08:00","config":{},"metrics":{"n":1}}
{"timestamp":"2026-08-18T17:00:00Z","config":{},"metrics":{"n":3}}
{"timestamp":"2026-08-18T16:45:00","config":{},"metrics":{"n":2}}
{"timestamp":1787076000.5,"config":{},"metrics":{"n":4}}
`
	if err := os.WriteFile(filepath.Join(dir, ledger.HistoryFile), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got, bad := ledger.OpenHistory(dir).Sorted(nil)
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	for i, r := range got {
		if r.Metrics["n"] != float64(i+1) {
			t.Errorf("place %d holds record %v at %s", i, r.Metrics["n"], r.Timestamp)
		}
	}
	if out, _ := json.Marshal(got[0].Timestamp); string(out) != `"2026-08-18T16:30:00Z"` {
		t.Errorf("written as %s", out)
	}
}

// TestPlainKeysComeFirst holds the promise that a reader of the plain form sees its three keys first.
func TestPlainKeysComeFirst(t *testing.T) {
	data, err := json.Marshal(ledger.Record{Run: "r", System: "s"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(data), `{"timestamp":"0001-01-01T00:00:00Z","config":null,"metrics":null,"run":"r"`) {
		t.Errorf("got %s", data)
	}
}

// TestOfRun finds the lines of a run, and no other that only speaks of it.
func TestOfRun(t *testing.T) {
	h := history(t, `{"timestamp":"2026-01-01","config":{"note":"r1"},"metrics":{"map":0.1},"run":"r2"}
{"timestamp":"2026-01-02","config":{},"metrics":{"map":0.2},"run":"r1"}
{"timestamp":"2026-01-03","config":{},"metrics":{"map":0.3},"run":"r1","rescored":true}
{"timestamp":"2026-01-04","config":{},"metrics":{"map":0.4},"run":"r10"}
{"run":"r1","metr`)
	var got []float64
	for r := range h.OfRun("r1") {
		got = append(got, r.Metrics["map"])
	}
	if diff := cmp.Diff([]float64{0.2, 0.3}, got); diff != "" {
		t.Error(diff)
	}
	if r := h.Newest("r1"); r == nil || r.Metrics["map"] != 0.3 || !r.Rescored {
		t.Errorf("%+v", r)
	}
	if r := h.Newest("r3"); r != nil {
		t.Errorf("%+v", r)
	}
	if r := ledger.OpenHistory(t.TempDir()).Newest("r1"); r != nil {
		t.Errorf("%+v", r)
	}
}
