package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/assay-eval/assay"
)

// Torn is a last line that was moved out of a file, because its record was never finished. What a crash has
// cut off is worth nothing; what a person has cut off by mistake is.
type Torn struct {
	Where string // file:line
	Text  string // how the line begins
	Kept  string // the file that has it now
}

// Warning is what a person should be told.
func (t Torn) Warning() assay.Warning {
	return assay.Warning{Code: "torn_line", Text: fmt.Sprintf("%s: the last line was not whole and was moved to %s: %s", t.Where, filepath.Base(t.Kept), t.Text)}
}

// LeftOut is what a person should be told of an ErrTorn whose line is passed over.
func LeftOut(err error) assay.Warning {
	return assay.Warning{Code: "torn_line", Text: err.Error() + "; it is left out"}
}

// Torn lists the lines that were moved aside since the file was opened.
func (a *Appender) Torn() []Torn {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.torn
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
	switch {
	// A number or word that is valid JSON may still be the beginning of a longer one.
	case json.Valid(tail) && bytes.HasPrefix(bytes.TrimSpace(tail), []byte("{")), !a.owned && !unfinished(tail):
		_, err = a.file.Write([]byte("\n"))
		return err
	case !a.owned:
		if err := a.moveAside(tail, start); err != nil {
			return err
		}
	}
	return a.file.Truncate(start)
}

// moveAside keeps a torn line, which begins at an offset, in a file beside.
func (a *Appender) moveAside(tail []byte, start int64) (err error) {
	kept := a.path + ".torn"
	feeds, err := countFeeds(io.NewSectionReader(a.file, 0, start))
	if err != nil {
		return err
	}
	f, err := os.OpenFile(kept, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("keep the torn last line of %s: %w", a.path, err)
	}
	_, err = f.Write(append(bytes.Clone(tail), '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("keep the torn last line of %s: %w", a.path, err)
	}
	a.torn = append(a.torn, Torn{Where: fmt.Sprintf("%s:%d", a.path, feeds+1), Text: shown(tail), Kept: kept})
	return nil
}

func countFeeds(r io.Reader) (n int, err error) {
	buf := make([]byte, 64<<10)
	for {
		got, err := r.Read(buf)
		n += bytes.Count(buf[:got], []byte{'\n'})
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
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
