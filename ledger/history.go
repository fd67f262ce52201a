package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonl"
	"github.com/assay-eval/assay/internal/plural"
)

// HistoryFile is the name of the history in a project.
const HistoryFile = "eval_results.jsonl"

// History is the file eval_results.jsonl of a project.
type History struct {
	Warn func(assay.Warning) // is told of a torn line, left out in reading and moved aside in writing; nil for nobody
	path string
}

// OpenHistory names the history of a project folder; the file need not exist yet.
func OpenHistory(dir string) *History { return &History{path: filepath.Join(dir, HistoryFile)} }

// Path is where the file is.
func (h *History) Path() string { return h.path }

// Append adds one record, whole or not at all, whatever other processes do.
func (h *History) Append(r Record) error {
	a, err := jsonl.Open(h.path)
	if err != nil {
		return err
	}
	err = errors.Join(a.Append(r), a.Close())
	for _, t := range a.Torn() {
		h.tell(t.Warning())
	}
	return err
}

func (h *History) tell(w assay.Warning) {
	if h.Warn != nil {
		h.Warn(w)
	}
}

// All yields the records in the order of the file, without holding them. A line that is no record is
// yielded as an error with its place, and reading goes on.
func (h *History) All() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		f, err := os.Open(h.path)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				yield(Record{}, err)
			}
			return
		}
		defer f.Close()
		for line, err := range jsonl.Lines(f, h.path) {
			var r Record
			if err == nil {
				err = h.decode(&line, &r)
			}
			if errors.Is(err, jsonl.ErrTorn) {
				h.tell(jsonl.LeftOut(err))
				continue
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// decode reads a record from its line. A metric of a script that is no number is no reason to lose the others.
func (h *History) decode(line *jsonl.Line, r *Record) error {
	unknown, err := line.DecodeKnown(r)
	if err != nil {
		return line.Malformed(err)
	}
	if unknown > 0 {
		h.tell(assay.Warning{Code: "not_a_number", Text: fmt.Sprintf("%s: %s NaN or infinite and left out; write null for what is unknown", line.Where(), plural.Count(unknown, "value is", "values are"))})
	}
	return nil
}

// Sorted reads the records that keep accepts, ordered by instant; records of one instant stay in the
// order of the file. Unreadable lines are returned beside.
func (h *History) Sorted(keep func(*Record) bool) (records []Record, bad []error) {
	for r, err := range h.All() {
		switch {
		case err != nil:
			bad = append(bad, err)
		case keep == nil || keep(&r):
			records = append(records, r)
		}
	}
	slices.SortStableFunc(records, func(a, b Record) int { return a.Timestamp.Compare(b.Timestamp.Time) })
	return records, bad
}

// OfRun yields the records of one run, in the order of the file: that of its end, and one for each time it was rescored. Lines
// that do not name the run are passed without decoding them.
func (h *History) OfRun(id string) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		f, err := os.Open(h.path)
		if err != nil {
			return // no history has no record
		}
		defer f.Close()
		name := []byte(id)
		for line, err := range jsonl.Lines(f, h.path) {
			if err != nil || !bytes.Contains(line.Bytes, name) {
				continue
			}
			var r Record
			if _, err := line.DecodeKnown(&r); err == nil && r.Run == id && !yield(r) {
				return
			}
		}
	}
}

// Newest is the newest record of a run, by the order of the file; nil when there is none.
func (h *History) Newest(id string) *Record {
	var last *Record
	for r := range h.OfRun(id) {
		last = &r
	}
	return last
}
