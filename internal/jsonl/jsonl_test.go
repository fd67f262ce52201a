package jsonl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay/internal/jsonl"
)

type rec struct {
	N    int    `json:"n"`
	Text string `json:"text,omitempty"`
}

func readAll(t *testing.T, path string) []rec {
	t.Helper()
	var out []rec
	for r, err := range jsonl.Read[rec](path) {
		if err != nil {
			t.Fatalf("read: %v", err)
		}
		out = append(out, r.Value)
	}
	return out
}

// TestTornAtEveryByte kills a writer at every offset of an append, in effect: every earlier line stays,
// the torn one is mended or dropped, and the next append is whole.
func TestTornAtEveryByte(t *testing.T) {
	for name, open := range map[string]func(string) (*jsonl.Appender, error){"shared": jsonl.Open, "owned": jsonl.OpenOwned} {
		t.Run(name, func(t *testing.T) { tornAtEveryByte(t, open) })
	}
}

func tornAtEveryByte(t *testing.T, open func(string) (*jsonl.Appender, error)) {
	first := `{"n":1,"text":"line\u2028separator"}` + "\n"
	second := `{"n":2,"text":"<b>"}` + "\n"
	for cut := 0; cut <= len(second); cut++ {
		path := filepath.Join(t.TempDir(), "f.jsonl")
		if err := os.WriteFile(path, []byte(first+second[:cut]), 0o644); err != nil {
			t.Fatal(err)
		}
		a, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Append(rec{N: 3}); err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		want := "1 3"
		if cut >= len(second)-1 {
			want = "1 2 3"
		}
		var got []string
		for _, r := range readAll(t, path) {
			got = append(got, fmt.Sprint(r.N))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("cut at %d: got %v, want %s", cut, got, want)
		}
	}
}

func TestConcurrentWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "f.jsonl")
	long := strings.Repeat("x", 70_000)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			a, err := jsonl.Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			defer a.Close()
			for i := range 25 {
				if err := a.Append(rec{N: w*25 + i, Text: long}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	seen := map[int]bool{}
	for _, r := range readAll(t, path) {
		if len(r.Text) != len(long) {
			t.Fatalf("line %d holds %d bytes", r.N, len(r.Text))
		}
		seen[r.N] = true
	}
	if len(seen) != 100 {
		t.Errorf("read %d different records, want 100", len(seen))
	}
}

// TestLineTooLongToBeReadIsRefused: what is written must be read again.
func TestLineTooLongToBeReadIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	a, err := jsonl.OpenOwned(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.AppendAll([]any{rec{N: 1}, rec{N: 2, Text: strings.Repeat("x", jsonl.MaxLine)}}); err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Errorf("err = %v", err)
	}
	if err := a.Append(rec{N: 3}); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, path); len(got) != 1 || got[0].N != 3 {
		t.Errorf("read %v", got)
	}
}

func TestReadReportsPlaceAndGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	if err := os.WriteFile(path, []byte("{\"n\":1}\n\nnot json\r\n{\"n\":2}\r\n{\"n\":3}"), 0o644); err != nil {
		t.Fatal(err)
	}
	var sum int
	var errs []string
	for r, err := range jsonl.Read[rec](path) {
		if err != nil {
			errs = append(errs, err.Error())
			continue
		}
		sum += r.Value.N
	}
	if sum != 6 || len(errs) != 1 || !strings.Contains(errs[0], "f.jsonl:3") {
		t.Errorf("sum %d, errors %q", sum, errs)
	}
}

func TestReadMissingFileIsEmpty(t *testing.T) {
	if got := readAll(t, filepath.Join(t.TempDir(), "none.jsonl")); got != nil {
		t.Errorf("got %v", got)
	}
}
