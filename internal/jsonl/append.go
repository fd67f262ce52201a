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
}

// OpenOwned is Open for a file that nobody else appends to, because the caller keeps others away by a
// lock of its own: an append is then a single write.
func OpenOwned(path string) (*Appender, error) {
	a, err := Open(path)
	if err != nil {
		return nil, err
	}
	if a.size, err = a.file.Seek(0, io.SeekEnd); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.owned = true
	return a, nil
}

// Open opens path for appending, creating it and its folder, and mends a torn last line: one that is
// valid JSON gets its line feed, any other is cut off, since its record was never finished.
func Open(path string) (*Appender, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	a := &Appender{path: path, file: f, lock: flock.New(path)}
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

// repair mends a last line without line feed; the caller holds the lock.
func (a *Appender) repair() error {
	size, err := a.file.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := a.file.ReadAt(last, size-1); err != nil {
		return err
	}
	if last[0] == '\n' {
		return nil
	}
	start, err := lastLineStart(a.file, size)
	if err != nil {
		return err
	}
	tail := make([]byte, size-start)
	if _, err := a.file.ReadAt(tail, start); err != nil {
		return err
	}
	// A number or word that is valid JSON may still be the beginning of a longer one.
	if json.Valid(tail) && bytes.HasPrefix(bytes.TrimSpace(tail), []byte("{")) {
		_, err = a.file.Write([]byte("\n"))
		return err
	}
	return a.file.Truncate(start)
}

// lastLineStart finds the offset after the last line feed before end.
func lastLineStart(f *os.File, end int64) (int64, error) {
	buf := make([]byte, 64<<10)
	for end > 0 {
		n := min(int64(len(buf)), end)
		if _, err := f.ReadAt(buf[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return 0, nil
}
