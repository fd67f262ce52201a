package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"

	"github.com/assay-eval/assay/internal/jsonl"
)

// Index is where the records of a history stand, ordered by instant; those of one instant in the order of the file. It
// holds a few words a record, so that a history can be gone through several times without being held.
type Index struct {
	Bad     []error // lines that are no records, each with its place
	history *History
	entries []entry
}

// entry is where a record stands, and when it was made.
type entry struct {
	micro  int64 // since 1970; nanoseconds end in the year 2262
	offset int64
	size   int
	line   int
}

// Index finds the records that keep accepts; nil accepts all. keep is given what tells a record apart: its instant and its
// system, and no values.
func (h *History) Index(keep func(*Point) bool) (*Index, error) {
	x := &Index{history: h}
	f, err := os.Open(h.path)
	if os.IsNotExist(err) {
		return x, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r pointReader
	for line, err := range jsonl.Lines(f, h.path) {
		r.instant, r.label = keep == nil && !line.Torn, keep != nil && !line.Torn
		if err == nil {
			if err = r.read(line.Bytes); err != nil {
				err = line.Malformed(err)
			}
		}
		switch {
		case errors.Is(err, jsonl.ErrTorn):
			h.tell(jsonl.LeftOut(err))
		case err != nil:
			x.Bad = append(x.Bad, err)
		case keep == nil || keep(&r.point):
			x.entries = append(x.entries, entry{r.point.Timestamp.UnixMicro(), line.Offset, len(line.Bytes), line.Number})
		}
	}
	slices.SortStableFunc(x.entries, func(a, b entry) int { return cmp.Compare(a.micro, b.micro) })
	return x, nil
}

// fewEntries are read one by one: that is cheaper than passing over all lines before them.
const fewEntries = 1000

// Len is the number of records.
func (x *Index) Len() int { return len(x.entries) }

// Newest is the index of the newest n records.
func (x *Index) Newest(n int) *Index {
	return &Index{Bad: x.Bad, history: x.history, entries: x.entries[max(0, len(x.entries)-n):]}
}

// Record reads the whole of a record by its place, 0 being the oldest. A line with a fault in a member that no Point
// holds is found here first.
func (x *Index) Record(i int) (Record, error) {
	var r Record
	f, err := os.Open(x.history.path)
	if err != nil {
		return r, err
	}
	defer f.Close()
	e := x.entries[i]
	line := jsonl.Line{File: x.history.path, Number: e.line, Offset: e.offset, Bytes: make([]byte, e.size)}
	if _, err := f.ReadAt(line.Bytes, e.offset); err != nil {
		return r, fmt.Errorf("read %s: %w", line.Where(), err)
	}
	return r, x.history.decode(&line, &r)
}

// Latest is the newest record that can be read in full; ok is false when there is none. Those that cannot be are told of
// and leave the index.
func (x *Index) Latest(tell func(error)) (r Record, ok bool) {
	for n := len(x.entries); n > 0; n-- {
		r, err := x.Record(n - 1)
		if err == nil {
			return r, true
		}
		tell(err)
		x.entries = x.entries[:n-1]
	}
	return Record{}, false
}

// Points yields the records with the values of the given measures. What is yielded is valid until the next step.
func (x *Index) Points(measures []string) iter.Seq2[*Point, error] {
	return func(yield func(*Point, error) bool) {
		r := pointReader{measures: measures}
		read := x.scattered
		// A history is nearly always in the order of time, and then read in one go, unless little of it is wanted.
		if len(x.entries) > fewEntries && slices.IsSortedFunc(x.entries, func(a, b entry) int { return cmp.Compare(a.offset, b.offset) }) {
			read = x.inOrder
		}
		if err := read(&r, yield); err != nil {
			yield(nil, err)
		}
	}
}

func (x *Index) inOrder(r *pointReader, yield func(*Point, error) bool) error {
	left := x.entries
	if len(left) == 0 {
		return nil
	}
	f, err := os.Open(x.history.path)
	if err != nil {
		return err
	}
	defer f.Close()
	for line, err := range jsonl.Lines(f, x.history.path) {
		if err != nil {
			return err
		}
		if line.Offset != left[0].offset {
			continue
		}
		if err = r.read(line.Bytes); err != nil {
			err = line.Malformed(err)
		}
		if left = left[1:]; !yield(&r.point, err) || len(left) == 0 {
			return nil
		}
	}
	return nil
}

// scattered reads the points one by one.
func (x *Index) scattered(r *pointReader, yield func(*Point, error) bool) error {
	f, err := os.Open(x.history.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var buf []byte
	for _, e := range x.entries {
		if cap(buf) < e.size {
			buf = make([]byte, e.size)
		}
		buf = buf[:e.size]
		if _, err = f.ReadAt(buf, e.offset); err == nil {
			err = r.read(buf)
		}
		if err != nil {
			err = fmt.Errorf("read %s:%d: %w", x.history.path, e.line, err)
		}
		if !yield(&r.point, err) {
			return nil
		}
	}
	return nil
}
