package trec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/assay-eval/assay"
)

// source is an input that can be read from its beginning at least once.
type source struct {
	name string   // as the user wrote it
	file *os.File // open for the life of the source
	size int64    // of a plain regular file, else -1

	kept []byte // what was read of a pipe, which cannot be read twice
	pipe bool
	text []byte // the whole text, once it was read at one go
}

// Stdin is the name that stands for standard input.
const Stdin = "-"

// openSource opens a file, or standard input for "-", and looks at its first bytes.
func openSource(name string) (*source, error) {
	s := &source{name: name, size: -1}
	if name == Stdin {
		s.file = os.Stdin
	} else {
		f, err := os.Open(name)
		if err != nil {
			return nil, usage(err)
		}
		s.file = f
	}
	info, err := s.file.Stat()
	if err != nil {
		return nil, usage(err)
	}
	switch {
	case info.IsDir():
		return nil, usage(errors.Join(fmt.Errorf("%s is a folder, not a file", name), s.close()))
	case !info.Mode().IsRegular():
		s.pipe = true
		return s, nil
	}
	var magic [4]byte
	n, err := s.file.ReadAt(magic[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, usage(errors.Join(err, s.close()))
	}
	if packing(magic[:n]) == plain {
		s.size = info.Size()
	}
	return s, nil
}

func (s *source) close() error {
	if s.name == Stdin {
		return nil
	}
	return s.file.Close()
}

// plainFile reports whether the bytes of the file are the text itself, at any offset.
func (s *source) plainFile() bool { return s.size >= 0 }

// The packings a file may have.
const (
	plain = iota
	gzipped
	zstandard
)

// packing tells how a file is compressed by its first bytes.
func packing(magic []byte) int {
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return gzipped
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return zstandard
	}
	return plain
}

// stream returns the text from its beginning. A pipe is kept in memory as it is read, so that it can be
// read once more.
func (s *source) stream() (io.ReadCloser, error) {
	var r io.Reader
	switch {
	case s.pipe:
		r = io.MultiReader(bytes.NewReader(s.kept), io.TeeReader(s.file, (*keeper)(s)))
	default:
		r = io.NewSectionReader(s.file, 0, 1<<62)
	}
	return unpack(r)
}

// keeper collects what passes through a pipe.
type keeper source

func (k *keeper) Write(p []byte) (int, error) {
	k.kept = append(k.kept, p...)
	return len(p), nil
}

// unpack decompresses r if its first bytes say so.
func unpack(r io.Reader) (io.ReadCloser, error) {
	magic := make([]byte, 4)
	n, err := io.ReadFull(r, magic)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	all := io.MultiReader(bytes.NewReader(magic[:n]), r)
	switch packing(magic[:n]) {
	case gzipped:
		return gzip.NewReader(all)
	case zstandard:
		d, err := zstd.NewReader(all)
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return io.NopCloser(all), nil
}

// bytes reads the whole text, padded.
func (s *source) bytes() ([]byte, error) {
	var data []byte
	if s.plainFile() {
		data = make([]byte, s.size, s.size+1+padding)
		if _, err := s.file.ReadAt(data, 0); err != nil && err != io.EOF {
			return nil, s.readError(err)
		}
	} else {
		r, err := s.stream()
		if err != nil {
			return nil, s.readError(err)
		}
		if data, err = io.ReadAll(r); err != nil {
			return nil, s.readError(err)
		}
	}
	if len(data) == 0 {
		return nil, s.empty()
	}
	s.text = pad(data)
	return s.text, nil
}

// pad appends a missing last line feed, and behind it the padding, which is not part of the text.
func pad(data []byte) []byte {
	if data[len(data)-1] != '\n' {
		data = append(data, '\n')
	}
	for range padding {
		data = append(data, '\n')
	}
	return data
}

// label is the name for error messages.
func (s *source) label() string {
	if s.name == Stdin {
		return "standard input"
	}
	return s.name
}

// readError explains a failure to read or decompress.
func (s *source) readError(err error) error {
	what := "cannot be read"
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		what, err = "the compressed file is truncated", nil
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zstd.ErrMagicMismatch):
		what = "the compressed file is damaged"
	}
	if err == nil {
		return usage(assay.Errorf(assay.KindTruncated, "read", s.label(), "%s", what))
	}
	return usage(assay.Errorf(assay.KindMalformed, "read", s.label(), "%s: %w", what, err))
}

func (s *source) empty() error {
	return usage(assay.Errorf(assay.KindEmpty, "read", s.label(), "the file is empty"))
}

// usage marks an error of the input, exit code 2.
func usage(err error) error { return assay.Classify(err, assay.ErrUsage) }
