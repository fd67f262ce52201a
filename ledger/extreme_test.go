package ledger

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Numbers are seconds, as Python's time.time() gives them, or milliseconds, as JavaScript's Date.now() does.
func TestNumbersAsTimes(t *testing.T) {
	for text, want := range map[string]string{
		"1766000000": "2025-12-17T19:33:20Z", "1766000000.5": "2025-12-17T19:33:20.5Z", "1766000000000": "2025-12-17T19:33:20Z", "0": "1970-01-01T00:00:00Z",
		"-1766000000000": "1914-01-15T04:26:40Z",
	} {
		var got Time
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s is %v, %v; want %s", text, got, err, want)
		}
	}
	var got Time
	if err := json.Unmarshal([]byte("1766000000000000"), &got); err == nil || !strings.Contains(err.Error(), "neither a number of seconds nor one of milliseconds") {
		t.Errorf("microseconds are %v, %v", got, err)
	}
}

// Years beyond what nanoseconds can count stand where they belong.
func TestHistoryOrdersFarYears(t *testing.T) {
	dir := t.TempDir()
	var lines strings.Builder
	for _, year := range []string{"2300", "2026", "1500"} {
		lines.WriteString(`{"timestamp":"` + year + `-01-01T00:00:00Z","config":{},"metrics":{"recall@10":0.5}}` + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, HistoryFile), []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	h := OpenHistory(dir)
	index, err := h.Index(nil)
	if err != nil {
		t.Fatal(err)
	}
	var years []int
	for p, err := range index.Points([]string{"recall@10"}) {
		if err != nil {
			t.Fatal(err)
		}
		years = append(years, p.Timestamp.Year())
	}
	if len(years) != 3 || years[0] != 1500 || years[1] != 2026 || years[2] != 2300 {
		t.Errorf("in the order %v", years)
	}
}

// A long history is read in one go where the file is in the order of time, and one by one where it is not.
func TestLongHistoryInOrderOfTime(t *testing.T) {
	const n = fewEntries + 100
	for name, minute := range map[string]func(i int) int{
		"ordered":  func(i int) int { return i },
		"backward": func(i int) int { return n - 1 - i },
	} {
		dir := t.TempDir()
		var lines strings.Builder
		for i := range n {
			at := time.Date(2026, 1, 1, 0, minute(i), 0, 0, time.UTC)
			fmt.Fprintf(&lines, `{"timestamp":%q,"config":{},"metrics":{"recall@10":%d}}`+"\n", at.Format(time.RFC3339), minute(i))
		}
		if err := os.WriteFile(filepath.Join(dir, HistoryFile), []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		index, err := OpenHistory(dir).Index(nil)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for p, err := range index.Points([]string{"recall@10"}) {
			if err != nil || p.Values[0] != float64(at) {
				t.Fatalf("%s: record %d has %v, %v", name, at, p.Values, err)
			}
			at++
		}
		if at != n {
			t.Errorf("%s: %d records of %d", name, at, n)
		}
	}
}
