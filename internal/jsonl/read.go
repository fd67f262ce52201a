package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/assay-eval/assay"
)

// MaxLine bounds one line in bytes; a longer one is an error, not an allocation.
const MaxLine = 64 << 20

// Line is one line of a file, without its line feed.
type Line struct {
	File   string
	Number int   // from 1, blank lines counted
	Offset int64 // of the line's first byte
	Bytes  []byte
	Torn   bool // the last line, without a line feed
}

// Where renders "file:line".
func (l *Line) Where() string { return fmt.Sprintf("%s:%d", l.File, l.Number) }

// Lines yields the non-blank lines of r. Bytes is valid until the next step. The last error, if any, is
// yielded with the line it happened on.
func Lines(r io.Reader, name string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		br := bufio.NewReaderSize(r, 256<<10)
		line := Line{File: name}
		var buf []byte
		for {
			line.Number++
			buf = buf[:0]
			var chunk []byte
			var err error
			for {
				chunk, err = br.ReadSlice('\n')
				buf = append(buf, chunk...)
				if !errors.Is(err, bufio.ErrBufferFull) {
					break
				}
				if len(buf) > MaxLine {
					yield(line, assay.Errorf(assay.KindInvalid, "read", line.Where(), "line is longer than %d MiB", MaxLine>>20))
					return
				}
			}
			if err != nil && err != io.EOF {
				yield(line, fmt.Errorf("read %s: %w", line.Where(), err))
				return
			}
			size := int64(len(buf))
			line.Torn = err == io.EOF
			line.Bytes = bytes.TrimRight(buf, "\r\n")
			if len(bytes.TrimSpace(line.Bytes)) > 0 && !yield(line, nil) {
				return
			}
			if err == io.EOF {
				return
			}
			line.Offset += size
		}
	}
}

// Malformed is the error of a line that is not what its file promises.
func (l *Line) Malformed(err error) error {
	return assay.Errorf(assay.KindMalformed, "read", l.Where(), "not the expected JSON: %w", err)
}

// Record is a decoded line.
type Record[T any] struct {
	Line  Line
	Value T
}

// Read decodes every line of a file. A file that does not exist yields nothing. A line that does not
// decode is yielded as an error with its place and reading goes on, so that the caller decides; a torn
// last line that does not decode is skipped, because its record was never finished.
func Read[T any](path string) iter.Seq2[Record[T], error] {
	return func(yield func(Record[T], error) bool) {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(Record[T]{}, err)
			return
		}
		defer f.Close()
		for line, err := range Lines(f, path) {
			rec := Record[T]{Line: line}
			if err == nil {
				if err = json.Unmarshal(line.Bytes, &rec.Value); err != nil {
					if line.Torn && !json.Valid(line.Bytes) {
						return
					}
					err = line.Malformed(err)
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}
