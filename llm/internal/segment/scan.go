package segment

import (
	"bufio"
	"bytes"
	"io"
)

// found is called for every record with a sound header; off is where the record starts.
type found func(key Key, off int64, length int)

// scan walks the records of a segment from offset start up to size and returns the end of the last whole
// one and the bytes skipped as damaged. Values are not read here: Get checks them when they are wanted.
//
// A header that does not check out is skipped up to the next one that does, so that damage in the middle
// of a file costs the records it hit and no others. A record that reaches beyond size is a torn tail.
func scan(r io.ReaderAt, start, size int64, each found) (end, skipped int64, err error) {
	off, end := start, start
	br := bufio.NewReaderSize(io.NewSectionReader(r, start, size-start), 256<<10)
	for size-off >= headerSize {
		h, err := br.Peek(headerSize)
		if err != nil {
			return end, skipped, err
		}
		key, n, err := parseHeader(h)
		if err == nil && off+headerSize+int64(n) <= size {
			each(key, off, n)
			off += headerSize + int64(n)
			end = off
			if _, err := br.Discard(headerSize + n); err != nil {
				return end, skipped, err
			}
			continue
		}
		step, err := nextMagic(br)
		if err != nil {
			return end, skipped, err
		}
		skipped += int64(step)
		off += int64(step)
	}
	return end, skipped + size - off, nil
}

// nextMagic moves br on to the next place after its first byte where a record may start, or to where
// fewer bytes than a magic are left, and says how far that was.
func nextMagic(br *bufio.Reader) (int, error) {
	step := 0
	for {
		if _, err := br.Discard(1); err != nil {
			return step, err
		}
		step++
		window, err := br.Peek(64 << 10)
		if err != nil && err != io.EOF {
			return step, err
		}
		if i := bytes.Index(window, magic[:]); i >= 0 {
			_, err := br.Discard(i)
			return step + i, err
		}
		n := max(0, len(window)-len(magic))
		if _, err := br.Discard(n); err != nil {
			return step + n, err
		}
		step += n
		if err == io.EOF {
			return step, nil
		}
	}
}
