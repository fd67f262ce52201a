package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"
)

// Appender appends records to a file, one line each. It is safe for concurrent use, and several
// processes may append to one file: each append holds the file's advisory lock.
type Appender struct {
	mu    sync.Mutex
	path  string
	file  *os.File
	lock  *flock.Flock
	buf   bytes.Buffer
	owned bool  // nobody else appends
	size  int64 // of the file, where it is owned
	torn  []Torn
}

// OpenOwned is Open for a file that nobody else appends to, because the caller keeps others away by a
// lock of its own: an append is then a single write. No person edits such a file, so a torn line is dropped.
func OpenOwned(path string) (*Appender, error) {
	a, err := open(path, true)
	if err != nil {
		return nil, err
	}
	if a.size, err = a.file.Seek(0, io.SeekEnd); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// Open opens path for appending, creating it and its folder, and mends a torn last line: one that is
// valid JSON, or that no record begins with, gets its line feed; any other was never finished and is moved
// into a file of its own beside, path.torn. Torn tells what was moved.
func Open(path string) (*Appender, error) { return open(path, false) }

func open(path string, owned bool) (*Appender, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	a := &Appender{path: path, file: f, lock: flock.New(path), owned: owned}
	if err := a.locked(a.repair); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return a, nil
}

// Append writes v as one line. When the write fails half-way (a full disk), the file is cut back to
// where it was, so that the earlier lines and the next append stay whole.
func (a *Appender) Append(v any) error { return a.AppendAll([]any{v}) }

// AppendAll writes all records or none.
func (a *Appender) AppendAll(records []any) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.buf.Reset()
	enc := json.NewEncoder(&a.buf)
	enc.SetEscapeHTML(false)
	for _, v := range records {
		before := a.buf.Len()
		if err := enc.Encode(v); err != nil {
			return fmt.Errorf("append to %s: %w", a.path, err)
		}
		if n := a.buf.Len() - before; n > MaxLine {
			return fmt.Errorf("append to %s: a record of %d bytes is more than a line may have, %d MiB", a.path, n, MaxLine>>20)
		}
	}
	if a.owned {
		return a.write(a.size)
	}
	return a.locked(func() error {
		// Another process may have been killed since Open.
		if err := a.repair(); err != nil {
			return err
		}
		size, err := a.file.Seek(0, io.SeekEnd)
		if err != nil {
			return err
		}
		return a.write(size)
	})
}

// write writes the buffer behind the first size bytes.
func (a *Appender) write(size int64) error {
	if _, err := a.file.Write(a.buf.Bytes()); err != nil {
		return errors.Join(fmt.Errorf("append to %s: %w", a.path, err), a.file.Truncate(size))
	}
	a.size = size + int64(a.buf.Len())
	return nil
}

// Sync flushes the file to stable storage. A killed process loses nothing without it; a machine that
// loses power may.
func (a *Appender) Sync() error { return a.file.Sync() }

// Close syncs and closes the file.
func (a *Appender) Close() error {
	return errors.Join(a.file.Sync(), a.file.Close(), a.lock.Close())
}

func (a *Appender) locked(do func() error) (err error) {
	if err := a.lock.Lock(); err != nil {
		return fmt.Errorf("lock %s: %w", a.path, err)
	}
	defer func() { err = errors.Join(err, a.lock.Unlock()) }()
	return do()
}
