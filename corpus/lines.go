package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

var errLongLine = errors.New("line too long")

// lineReader reads lines of bounded length. It goes on after a longer one, which the reader of files that
// are not our own must be able to do.
type lineReader struct {
	in     *bufio.Reader
	limit  int
	number int // of the line last read, from 1
	buf    []byte
}

// next is the next line without its end, valid until the next call; errLongLine for one above the limit,
// which is passed over without being held; io.EOF after the last.
func (l *lineReader) next() ([]byte, error) {
	l.buf = l.buf[:0]
	long := false
	for started := false; ; started = true {
		part, err := l.in.ReadSlice('\n')
		if !started {
			if err != nil && len(part) == 0 && !errors.Is(err, bufio.ErrBufferFull) {
				return nil, err
			}
			l.number++
		}
		if long = long || len(l.buf)+len(part) > l.limit+1; long {
			l.buf = l.buf[:0]
		} else {
			l.buf = append(l.buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case long:
			return nil, errLongLine
		}
		return bytes.TrimRight(l.buf, "\r\n"), nil
	}
}
