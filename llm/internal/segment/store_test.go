package segment

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func key(i int) Key { return sha256.Sum256(binary.LittleEndian.AppendUint64(nil, uint64(i))) }

// value is what belongs to key(i): of a length that varies, and checkable.
func value(i int) []byte { return bytes.Repeat([]byte(fmt.Sprintf("%d;", i)), i%50+1) }

func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func put(t testing.TB, s *Store, numbers ...int) {
	t.Helper()
	entries := make([]Entry, len(numbers))
	for n, i := range numbers {
		entries[n] = Entry{key(i), value(i)}
	}
	if err := s.Put(entries...); err != nil {
		t.Fatal(err)
	}
}

// has reports whether the store holds a number, and fails when what it holds is wrong.
func has(t testing.TB, s *Store, i int) bool {
	t.Helper()
	v, ok := s.Get(key(i))
	if ok && !bytes.Equal(v, value(i)) {
		t.Fatalf("%d has a wrong value %.40q", i, v)
	}
	return ok
}

func segments(t testing.TB, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestPutGetReopen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "cache")
	s := open(t, dir)
	if has(t, s, 1) {
		t.Error("an empty store holds something")
	}
	put(t, s, 1, 2, 3)
	put(t, s, 2)
	if err := s.Put(Entry{key(99), nil}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for i := 1; i <= 3; i++ {
			if !has(t, s, i) {
				t.Errorf("%d is gone", i)
			}
		}
		if v, ok := s.Get(key(99)); !ok || len(v) != 0 {
			t.Error("the empty value is gone")
		}
		if n := s.Stats().Entries; n != 4 {
			t.Errorf("%d entries", n)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, dir)
	}
	put(t, s, 4)
	if n := len(segments(t, dir)); n != 1 {
		t.Errorf("%d segments: the free one was not taken over", n)
	}
	for _, name := range []string{"CACHEDIR.TAG", ".gitignore"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// Two stores on one folder, as of two processes, write side by side and never wait.
func TestTwoAtOnce(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir), open(t, dir)
	for i := range 20 {
		put(t, a, i)
		put(t, b, 100+i)
	}
	if n := len(segments(t, dir)); n != 2 {
		t.Errorf("%d segments", n)
	}
	if has(t, a, 100) {
		t.Log("a sees b's entries while open; fine, but not promised")
	}
	c := open(t, dir)
	for i := range 20 {
		if !has(t, c, i) || !has(t, c, 100+i) {
			t.Errorf("%d or %d is gone", i, 100+i)
		}
	}
	if err := errors.Join(a.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	put(t, c, 7)
	if n := len(segments(t, dir)); n != 2 {
		t.Errorf("%d segments: a free one was not taken over", n)
	}
}

// What another process appended to a segment between our scan and our taking it over is kept.
func TestTakeoverRescans(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	put(t, a, 1)
	b := open(t, dir)
	put(t, a, 2, 3)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, b, 4)
	if len(segments(t, dir)) != 1 || !has(t, b, 2) {
		t.Fatalf("%d segments, sees 2: %v", len(segments(t, dir)), has(t, b, 2))
	}
	c := open(t, dir)
	for i := 1; i <= 4; i++ {
		if !has(t, c, i) {
			t.Errorf("%d is gone", i)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	s := open(t, t.TempDir())
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 50 {
				put(t, s, w*1000+i)
				if !has(t, s, w*1000+i) {
					t.Errorf("%d is not there after Put", w*1000+i)
				}
				has(t, s, (w+1)%8*1000+i)
			}
		})
	}
	wg.Wait()
}

// Whatever happens to the bytes of a file, no value is ever wrong, records away from the damage stay, and
// the store can be written again.
func TestDamageCostsOnlyWhatItHits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		const n = 30
		s := open(t, dir)
		for i := range n {
			put(t, s, i)
		}
		if err := s.Close(); err != nil {
			rt.Fatal(err)
		}
		file := segments(t, dir)[0]
		data, err := os.ReadFile(file)
		if err != nil {
			rt.Fatal(err)
		}
		at := rapid.IntRange(0, len(data)-1).Draw(rt, "at")
		length := rapid.IntRange(1, 200).Draw(rt, "length")
		end := min(len(data), at+length)
		switch rapid.SampledFrom([]string{"cut", "flip", "zero", "insert", "remove"}).Draw(rt, "damage") {
		case "cut":
			data, end = data[:at], len(data)
		case "flip":
			for i := at; i < end; i++ {
				data[i] ^= 0xff
			}
		case "zero":
			clear(data[at:end])
		case "insert":
			data = append(data[:at:at], append(bytes.Repeat([]byte("AsC1"), length), data[at:]...)...)
			end = at + 1
		case "remove":
			data = append(data[:at:at], data[end:]...)
			end = max(end, recordEnd(at)+end-at) // the record hit now reaches that far into the next ones
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			rt.Fatal(err)
		}
		s = open(t, dir)
		off := 0
		for i := range n {
			size := headerSize + len(value(i))
			untouched := off+size <= at || off >= end
			if !has(t, s, i) && untouched {
				rt.Fatalf("%d at %d to %d is lost; damaged are %d to %d of %d", i, off, off+size, at, end, len(data))
			}
			off += size
		}
		for i := range n {
			if !has(t, s, i) {
				put(t, s, i)
			}
		}
		if err := s.Close(); err != nil {
			rt.Fatal(err)
		}
		s = open(t, dir)
		for i := range n {
			if !has(t, s, i) {
				rt.Fatalf("%d is gone after it was put again", i)
			}
		}
		if err := s.Close(); err != nil {
			rt.Fatal(err)
		}
	})
}

// recordEnd is where the record that holds byte at ends, in a segment of the numbers from 0 on.
func recordEnd(at int) int {
	off := 0
	for i := 0; off <= at; i++ {
		off += headerSize + len(value(i))
	}
	return off
}

func FuzzScan(f *testing.F) {
	var good []byte
	for i := range 3 {
		good = appendRecord(good, key(i), value(i))
	}
	f.Add(good)
	f.Add(good[:len(good)-3])
	f.Add(append([]byte("AsC1AsC1"), good...))
	f.Add(bytes.Repeat([]byte("AsC"), 100))
	f.Fuzz(func(t *testing.T, data []byte) {
		last := int64(-1)
		end, skipped, err := scan(bytes.NewReader(data), 0, int64(len(data)), func(_ Key, off int64, n int) {
			if off <= last || off+headerSize+int64(n) > int64(len(data)) {
				t.Fatalf("record at %d, %d bytes, after one at %d, of %d", off, n, last, len(data))
			}
			last = off
		})
		if err != nil || end < 0 || end > int64(len(data)) || skipped < 0 {
			t.Fatalf("end %d, skipped %d of %d, %v", end, skipped, len(data), err)
		}
	})
}

func TestFailures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil {
		t.Error("a file was opened as a folder")
	}
	s := open(t, t.TempDir())
	if err := s.Put(Entry{key(1), make([]byte, maxValue+1)}); err == nil {
		t.Error("a value beyond the limit was taken")
	}
	put(t, s, 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Get(key(1)); ok {
		t.Error("a closed store answers")
	}
	fresh := open(t, t.TempDir())
	if err := fresh.Close(); err != nil {
		t.Fatal(err)
	}
	if err := fresh.Put(Entry{key(1), value(1)}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Put after Close: %v", err)
	}
}

// Entries that Put returned for survive the kill of their process at any moment.
func TestKill(t *testing.T) {
	if os.Getenv(childDir) != "" {
		t.Skip("child")
	}
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	acknowledged := 0
	for range 10 {
		cmd := child(t, dir, "forever")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// The child prints each number after Put has returned. Kill it after some.
		kill := 1 + rng.IntN(40)
		seen := make([]int, 0, kill)
		for len(seen) < kill {
			var i int
			if _, err := fmt.Fscan(out, &i); err != nil {
				t.Fatal(err)
			}
			seen = append(seen, i)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		s := open(t, dir)
		for _, i := range seen {
			if !has(t, s, i) {
				t.Errorf("%d was acknowledged and is gone", i)
			}
		}
		for i := range acknowledged {
			if !has(t, s, i) {
				t.Errorf("%d of an earlier process is gone", i)
			}
		}
		acknowledged = seen[len(seen)-1]
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(segments(t, dir)); n != 1 {
		t.Errorf("%d segments: a killed process kept its lock", n)
	}
}

const (
	childDir = "ASSAY_TEST_SEGMENT_DIR"
	childDo  = "ASSAY_TEST_SEGMENT_DO"
)

// fillUp writes to a full disk, where the system lets a test have one.
var fillUp = func(t *testing.T, _ *Store) { t.Skip("no way to fill a disk here") }

func child(t *testing.T, dir, what string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), childDir+"="+dir, childDo+"="+what)
	return cmd
}

// TestChild is the other process of the tests above and of TestFullDisk.
func TestChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("the other process of other tests")
	}
	s := open(t, dir)
	if os.Getenv(childDo) == "full" {
		fillUp(t, s)
		return
	}
	for i := 0; ; i++ {
		if !has(t, s, i) {
			put(t, s, i)
		}
		fmt.Println(i)
	}
}

func BenchmarkPut(b *testing.B) {
	s := open(b, b.TempDir())
	v := make([]byte, 1537) // a vector of 384 dimensions
	i := 0
	for b.Loop() {
		if err := s.Put(Entry{key(i), v}); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkOpenAndRead100k(b *testing.B) {
	dir := b.TempDir()
	s := open(b, dir)
	v := make([]byte, 1537)
	entries := make([]Entry, 1000)
	for i := range 100 {
		for j := range entries {
			entries[j] = Entry{key(1000*i + j), v}
		}
		if err := s.Put(entries...); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	var opened time.Duration
	for b.Loop() {
		t := time.Now()
		s, err := Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		opened += time.Since(t)
		for i := range 100_000 {
			if _, ok := s.Get(key(i)); !ok {
				b.Fatal(i)
			}
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(opened.Milliseconds())/float64(b.N), "open-ms")
	b.ReportMetric(float64(100_000*b.N)/b.Elapsed().Seconds(), "reads/s")
}
