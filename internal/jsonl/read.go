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
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonerr"
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

// Where renders "file:line", or the file alone where no line was read.
func (l *Line) Where() string {
	if l.Number == 0 {
		return l.File
	}
	return fmt.Sprintf("%s:%d", l.File, l.Number)
}

// mark is a byte order mark, with which editors on Windows begin a file.
var mark = []byte("\ufeff")

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
			end := line.Offset + int64(len(buf))
			line.Torn = err == io.EOF
			line.Bytes = bytes.TrimRight(buf, "\r\n")
			if line.Number == 1 && bytes.HasPrefix(line.Bytes, mark) {
				line.Bytes, line.Offset = line.Bytes[len(mark):], int64(len(mark))
			}
			if len(bytes.TrimSpace(line.Bytes)) > 0 && !yield(line, nil) {
				return
			}
			if err == io.EOF {
				return
			}
			line.Offset = end
		}
	}
}

// Malformed is the error of a line that is not what its file promises; err says why. Where the line is torn,
// it is an ErrTorn.
func (l *Line) Malformed(err error) error {
	if l.Torn && unfinished(l.Bytes) {
		return assay.Classify(assay.Errorf(assay.KindMalformed, "read", l.Where(), "the last line is not whole: %s", shown(l.Bytes)), ErrTorn)
	}
	return assay.Errorf(assay.KindMalformed, "read", l.Where(), "not the expected JSON: %w", jsonerr.Plain(err))
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
		for r, err := range ReadEdited[T](path) {
			if err != nil && r.Line.Torn && !json.Valid(r.Line.Bytes) {
				return
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// ErrTorn marks the error of a last line that begins a record and does not end it.
var ErrTorn = errors.New("torn")

// ReadEdited is Read for a file that people edit: a torn last line may be theirs and is an ErrTorn. One that
// no record begins with was never torn off, and is an error like that of any other line.
func ReadEdited[T any](path string) iter.Seq2[Record[T], error] {
	return func(yield func(Record[T], error) bool) {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(Record[T]{Line: Line{File: path}}, err)
			return
		}
		defer f.Close()
		for line, err := range Lines(f, path) {
			rec := Record[T]{Line: line}
			if err == nil {
				if err = json.Unmarshal(line.Bytes, &rec.Value); err != nil {
					err = line.Malformed(err)
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// unfinished reports whether a record may begin with line: a writer was stopped in the middle of it, or the
// machine lost its power and the rest was never more than zeros.
func unfinished(line []byte) bool {
	if bytes.IndexByte(line, 0) >= 0 {
		return true
	}
	var v json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(line)).Decode(&v), io.ErrUnexpectedEOF)
}

// shown is the beginning of a line, to be recognised by.
func shown(line []byte) string {
	const most = 80
	if len(line) <= most {
		return string(line)
	}
	return strings.ToValidUTF8(string(line[:most]), "") + "…"
}
