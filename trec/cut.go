package trec

import (
	"bytes"
	"io"
)

// chunkSize is how much text a worker takes at a time: small enough for the second-level cache, large
// enough that finding the cuts costs nothing.
const chunkSize = 768 << 10

// chunk is a piece of a run that begins and ends between two queries.
type chunk struct {
	offset int64
	size   int
	data   []byte // padded text, when it comes from a stream; the worker reads a file itself
}

// cutFile finds chunks of about size bytes of a plain file by looking at the lines around each cut only.
func (s *source) cutFile(size int, emit func(chunk) bool) error {
	for start := int64(0); start < s.size; {
		end := s.size
		if next := start + int64(size); next < s.size {
			var err error
			if end, err = s.queryEnd(next); err != nil {
				return err
			}
		}
		if !emit(chunk{offset: start, size: int(end - start)}) {
			return nil
		}
		start = end
	}
	return nil
}

// queryEnd finds the first line start behind offset where the query changes.
func (s *source) queryEnd(offset int64) (int64, error) {
	window := make([]byte, 0, 32<<10)
	var query []byte
	at, whole := 0, false // the first piece may be the end of a line
	for from := offset; ; {
		n, err := s.file.ReadAt(window[len(window):cap(window)], from)
		window, from = window[:len(window)+n], from+int64(n)
		for {
			nl := bytes.IndexByte(window[at:], '\n')
			if nl < 0 {
				break
			}
			line := window[at : at+nl]
			if q := firstField(line); q != nil && whole {
				if query == nil {
					query = bytes.Clone(q)
				} else if !bytes.Equal(q, query) {
					return offset + int64(at), nil
				}
			}
			at, whole = at+nl+1, true
		}
		if err == io.EOF {
			return s.size, nil
		}
		if err != nil {
			return 0, err
		}
		window = window[:copy(window, window[at:])]
		offset, at = offset+int64(at), 0
		if len(window) == cap(window) { // a line longer than the window
			window = append(window, make([]byte, cap(window))...)[:len(window)]
		}
	}
}

// firstField is the query id of a line, nil if the line is blank.
func firstField(line []byte) []byte {
	i := 0
	for i < len(line) && blank(line[i]) {
		i++
	}
	j := i
	for j < len(line) && !blank(line[j]) {
		j++
	}
	if i == j {
		return nil
	}
	return line[i:j]
}

// cutStream reads a stream and cuts it in front of the last query of each buffer, which is kept until
// the rest of it has come. Buffers come back through free.
func cutStream(r io.Reader, size int, free <-chan []byte, emit func(chunk) bool) error {
	var rest, buf []byte
	offset := int64(0)
	for last := false; !last; {
		more := max(size, len(rest)) // a query larger than a buffer doubles it
		if buf == nil {
			buf = <-free
		}
		if need := len(rest) + more + 1 + padding; cap(buf) < need {
			buf = make([]byte, 0, need)
		}
		buf = append(buf[:0], rest...)
		for full := len(buf) + more; len(buf) < full && !last; {
			n, err := r.Read(buf[len(buf):full])
			buf = buf[:len(buf)+n]
			if err != nil && err != io.EOF {
				return err
			}
			last = err == io.EOF
		}
		end := len(buf)
		if !last {
			end = lastQuery(buf)
		}
		rest = append(rest[:0], buf[end:]...)
		if end == 0 {
			continue
		}
		if !emit(chunk{offset: offset, size: end, data: pad(buf[:end])}) {
			return nil
		}
		offset, buf = offset+int64(end), nil
	}
	return nil
}

// lastQuery is the start of the last query in a buffer, 0 if there is only one.
func lastQuery(buf []byte) int {
	end := bytes.LastIndexByte(buf, '\n') + 1 // what follows is half a line
	var query []byte
	start := end
	for start > 0 {
		begin := bytes.LastIndexByte(buf[:start-1], '\n') + 1
		if q := firstField(buf[begin : start-1]); q != nil {
			if query != nil && !bytes.Equal(q, query) {
				return start
			}
			query = q
		}
		start = begin
	}
	return 0
}
