//go:build unix

package segment

import (
	"bytes"
	"os"
	"syscall"
	"testing"
)

func init() {
	fillUp = func(t *testing.T, s *Store) {
		put(t, s, 1)
		limit(t, 200)
		if err := s.Put(Entry{key(2), bytes.Repeat([]byte("x"), 1000)}); err == nil {
			t.Error("a write beyond the limit did not fail")
		}
		limit(t, 10_000)
		put(t, s, 3)
	}
}

// A write that does not fit, as on a full disk, leaves the segment as it was.
func TestFullDisk(t *testing.T) {
	if os.Getenv(childDir) != "" {
		t.Skip("child")
	}
	dir := t.TempDir()
	out, err := child(t, dir, "full").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := open(t, dir)
	if !has(t, s, 1) || has(t, s, 2) || !has(t, s, 3) {
		t.Errorf("1: %v, 2: %v, 3: %v; want all but 2", has(t, s, 1), has(t, s, 2), has(t, s, 3))
	}
}

// limit makes writes beyond a file size fail half-way, as a full disk does.
func limit(t *testing.T, size uint64) {
	t.Helper()
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
		t.Fatal(err)
	}
	l.Cur = size
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
		t.Fatal(err)
	}
}
