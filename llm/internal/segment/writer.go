package segment

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// maxSegment is the size from which a segment is no longer appended to.
const maxSegment = 2 << 30

// writer is the segment that this process appends to.
type writer struct {
	f    *os.File
	lock *flock.Flock
	file int   // index in Store.files
	end  int64 // where the next record goes

	mu      sync.Mutex
	timer   *time.Timer // pending sync
	syncErr error       // of a sync in the background
}

// acquire takes over the first segment that no other process holds, or makes a new one. Called with
// s.write held.
func (s *Store) acquire() error {
	s.mu.RLock()
	names, closed := s.names, s.closed
	s.mu.RUnlock()
	if closed {
		return fs.ErrClosed
	}
	for i, name := range names {
		if info, err := os.Stat(filepath.Join(s.dir, name)); err != nil || info.Size() >= maxSegment {
			continue
		}
		if ok, err := s.take(i, name); ok || err != nil {
			return err
		}
	}
	for n := s.firstFree(); ; n++ {
		name := segmentName(n)
		f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.files, s.ends, s.names = append(s.files, f), append(s.ends, 0), append(s.names, name)
		i := len(s.files) - 1
		s.mu.Unlock()
		if ok, err := s.take(i, name); ok || err != nil {
			return err
		}
	}
}

// take locks segment i, reads what others appended to it, cuts a torn tail and opens it for writing. It
// is false when another process holds the segment.
func (s *Store) take(i int, name string) (bool, error) {
	path := filepath.Join(s.dir, name)
	lock := flock.New(strings.TrimSuffix(path, suffix) + ".lock")
	if ok, err := lock.TryLock(); err != nil || !ok {
		return false, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return false, errors.Join(err, lock.Unlock())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.rescan(i, f)
	if err == nil {
		err = f.Truncate(s.ends[i])
	}
	if err != nil {
		return false, errors.Join(err, f.Close(), lock.Unlock())
	}
	_ = s.files[i].Close() // it was open for reading only
	s.files[i] = f
	s.own = &writer{f: f, lock: lock, file: i, end: s.ends[i]}
	return true, nil
}

// append writes whole records. Of a write that fails half-way, as on a full disk, nothing stays: the rest
// is cut off, or where even that fails, written over by the next record and skipped by the next scan.
func (w *writer) append(buf []byte) error {
	if _, err := w.f.WriteAt(buf, w.end); err != nil {
		return errors.Join(err, w.f.Truncate(w.end))
	}
	w.end += int64(len(buf))
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer == nil {
		w.timer = time.AfterFunc(syncDelay, w.sync)
	}
	err := w.syncErr
	w.syncErr = nil
	return err
}

func (w *writer) sync() {
	w.mu.Lock()
	w.timer = nil
	w.mu.Unlock()
	if err := w.f.Sync(); err != nil && !errors.Is(err, fs.ErrClosed) {
		w.mu.Lock()
		w.syncErr = err
		w.mu.Unlock()
	}
}

func (w *writer) close() error {
	w.mu.Lock()
	if w.timer != nil {
		w.timer.Stop()
	}
	w.mu.Unlock()
	return errors.Join(w.f.Sync(), w.f.Close(), w.lock.Unlock())
}
