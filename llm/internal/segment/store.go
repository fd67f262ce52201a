package segment

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Entry is a value under its key.
type Entry struct {
	Key   Key
	Value []byte
}

// Store is an open folder of segments. It is safe for concurrent use.
type Store struct {
	dir string

	mu      sync.RWMutex
	index   map[Key]place
	files   []*os.File // files[i] is the segment that place.file i means
	ends    []int64    // end of the last whole record of files[i] when it was scanned
	names   []string
	damaged int // records found unusable
	closed  bool

	write sync.Mutex // held while appending; taken before mu
	own   *writer
}

// place is where a record starts and how long its value is.
type place struct {
	off    int64
	length uint32
	file   uint32
}

const suffix = ".seg"

// Open reads the segments in dir, which is made when it is missing. A segment that cannot be read is an
// error; damage inside one is not.
func Open(dir string) (*Store, error) {
	if err := prepare(dir); err != nil {
		return nil, err
	}
	s := &Store{dir: dir, index: map[Key]place{}}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), suffix) {
			if err := s.load(e.Name()); err != nil {
				return nil, errors.Join(err, s.Close())
			}
		}
	}
	return s, nil
}

// prepare makes the folder, private to its user since it holds their text, and marks it as a cache for
// backup tools and for git.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	marks := map[string]string{
		"CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n# Replies of models, kept by assay. Safe to delete.\n",
		".gitignore":   "*\n",
	}
	for _, name := range []string{"CACHEDIR.TAG", ".gitignore"} {
		// Best effort: a folder that is only readable still serves what it holds, and a full disk shows
		// itself at the first Put.
		if f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			_, _ = f.WriteString(marks[name])
			_ = f.Close()
		}
	}
	return nil
}

// load opens and scans one segment.
func (s *Store) load(name string) error {
	f, err := os.Open(filepath.Join(s.dir, name))
	if err != nil {
		return err
	}
	s.files = append(s.files, f)
	s.ends = append(s.ends, 0)
	s.names = append(s.names, name)
	return s.rescan(len(s.files)-1, f)
}

// rescan reads what was appended to a segment since its last scan.
func (s *Store) rescan(i int, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	end, _, err := scan(f, s.ends[i], info.Size(), func(key Key, off int64, n int) {
		s.index[key] = place{off, uint32(n), uint32(i)}
	})
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	s.ends[i] = end
	return nil
}

// Get returns the value of a key. A record that does not check out is forgotten and reported as missing.
func (s *Store) Get(key Key) ([]byte, bool) {
	s.mu.RLock()
	p, ok := s.index[key]
	if !ok || s.closed {
		s.mu.RUnlock()
		return nil, false
	}
	buf := make([]byte, headerSize+int(p.length))
	_, err := s.files[p.file].ReadAt(buf, p.off)
	s.mu.RUnlock()
	if err == nil {
		var value []byte
		if value, err = parseRecord(buf, key); err == nil {
			return value, true
		}
	}
	s.Forget(key)
	return nil, false
}

// Forget drops a key whose value turned out to be unusable, so that it can be put again.
func (s *Store) Forget(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.index[key]; ok {
		delete(s.index, key)
		s.damaged++
	}
}

// Put writes entries so that they outlive the process, and only then makes them visible to Get. When it
// fails, none of them is.
func (s *Store) Put(entries ...Entry) error {
	s.write.Lock()
	defer s.write.Unlock()
	if s.own == nil {
		if err := s.acquire(); err != nil {
			return err
		}
	}
	var buf []byte
	places := make([]place, len(entries))
	for i, e := range entries {
		if len(e.Value) > maxValue {
			return fmt.Errorf("a value of %d bytes is larger than the cache takes", len(e.Value))
		}
		places[i] = place{s.own.end + int64(len(buf)), uint32(len(e.Value)), uint32(s.own.file)}
		buf = appendRecord(buf, e.Key, e.Value)
	}
	if err := s.own.append(buf); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, e := range entries {
		s.index[e.Key] = places[i]
	}
	return nil
}

// Stats says what the store holds.
type Stats struct {
	Entries int
	Damaged int // records found unusable since Open
}

// Stats counts entries.
func (s *Store) Stats() Stats {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return Stats{len(s.index), s.damaged}
}

// Close syncs what was written and lets go of the segments. Get finds nothing afterwards.
func (s *Store) Close() error {
	s.write.Lock()
	defer s.write.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var errs []error
	if s.own != nil {
		errs = append(errs, s.own.close())
	}
	for i, f := range s.files {
		if s.own == nil || i != s.own.file {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// syncDelay is how long a written record may wait for the disk.
const syncDelay = time.Second

// firstFree is the number of the segment to make when none is free.
func (s *Store) firstFree() int {
	n := 1
	for slices.Contains(s.names, segmentName(n)) {
		n++
	}
	return n
}

func segmentName(n int) string { return fmt.Sprintf("%04d%s", n, suffix) }
