package ledger

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"

	"github.com/assay-eval/assay/internal/jsonl"
)

// Point is a record as far as a table or a trend needs it.
type Point struct {
	Timestamp Time
	Run       string
	Name      string
	System    string // Record.Label
	Rescored  bool
	// Values are those of the measures asked for, in their order, NaN where the record has none; Bounds are the
	// intervals of their means, NaN where there is none.
	Values []float64
	Bounds [][2]float64
	// Fingerprint is equal for records with the same text of a fingerprint, within one process; 0 without one.
	Fingerprint uint64

	offset int64
}

// Points yields the records that keep accepts, ordered by instant (those of one instant in the order of the file), with the
// values of the given measures. It reads only what a Point holds and keeps a few words of every line, so that a
// history of any length is shown in flat memory. What is yielded is valid until the next step. A line that is no record is yielded
// as an error with its place, before all others.
func (h *History) Points(measures []string, keep func(*Point) bool) iter.Seq2[*Point, error] {
	return func(yield func(*Point, error) bool) {
		index, bad, err := h.index(keep)
		for _, err := range bad {
			if !yield(nil, err) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
			return
		}
		r := pointReader{measures: measures}
		if slices.IsSortedFunc(index, func(a, b entry) int { return cmp.Compare(a.offset, b.offset) }) {
			err = h.inOrder(index, &r, yield)
		} else {
			err = h.scattered(index, &r, yield)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// inOrder reads the points of the index in one go: a history is nearly always in the order of time.
func (h *History) inOrder(index []entry, r *pointReader, yield func(*Point, error) bool) error {
	f, err := os.Open(h.path)
	if err != nil || len(index) == 0 {
		return err
	}
	defer f.Close()
	for line, err := range jsonl.Lines(f, h.path) {
		if err != nil {
			return err
		}
		if line.Offset != index[0].offset {
			continue
		}
		if err = r.read(line.Bytes); err != nil {
			err = line.Malformed(err)
		}
		r.point.offset = line.Offset
		if index = index[1:]; !yield(&r.point, err) || len(index) == 0 {
			return nil
		}
	}
	return nil
}

// scattered reads the points of the index one by one.
func (h *History) scattered(index []entry, r *pointReader, yield func(*Point, error) bool) error {
	f, err := os.Open(h.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var buf []byte
	for _, e := range index {
		if cap(buf) < e.size {
			buf = make([]byte, e.size)
		}
		buf = buf[:e.size]
		if _, err = f.ReadAt(buf, e.offset); err == nil {
			err = r.read(buf)
		}
		if err != nil {
			err = fmt.Errorf("read %s at byte %d: %w", h.path, e.offset, err)
		}
		r.point.offset = e.offset
		if !yield(&r.point, err) {
			return nil
		}
	}
	return nil
}

// entry is where a record stands, and when it was made.
type entry struct {
	nano   int64
	offset int64
	size   int
}

// index finds the records that keep accepts, by instant.
func (h *History) index(keep func(*Point) bool) (index []entry, bad []error, err error) {
	f, err := os.Open(h.path)
	if os.IsNotExist(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	var r pointReader
	for line, err := range jsonl.Lines(f, h.path) {
		r.instant = keep == nil && !line.Torn
		if err == nil {
			if err = r.read(line.Bytes); err != nil {
				err = line.Malformed(err)
			}
		}
		switch {
		case errors.Is(err, jsonl.ErrTorn):
			h.tell(jsonl.LeftOut(err))
		case err != nil:
			bad = append(bad, err)
		case keep == nil || keep(&r.point):
			index = append(index, entry{r.point.Timestamp.UnixNano(), line.Offset, len(line.Bytes)})
		}
	}
	slices.SortStableFunc(index, func(a, b entry) int { return cmp.Compare(a.nano, b.nano) })
	return index, bad, nil
}

// Record reads the whole record of a point.
func (h *History) Record(p *Point) (Record, error) {
	var r Record
	f, err := os.Open(h.path)
	if err != nil {
		return r, err
	}
	defer f.Close()
	for line, err := range jsonl.Lines(io.NewSectionReader(f, p.offset, math.MaxInt64-p.offset), h.path) {
		if err != nil {
			return r, err
		}
		return r, json.Unmarshal(line.Bytes, &r)
	}
	return r, io.ErrUnexpectedEOF
}
