package ledger

import "iter"

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
	// Fingerprint is equal for records with the same text of a fingerprint, or of a config where there is none, within one
	// process; 0 without either.
	Fingerprint uint64
}

// Points yields the records that keep accepts, ordered by instant (those of one instant in the order of the file), with the
// values of the given measures. It reads only what a Point holds and keeps a few words of every line, so that a
// history of any length is shown in flat memory. What is yielded is valid until the next step. A line that is no record is yielded
// as an error with its place, before all others.
func (h *History) Points(measures []string, keep func(*Point) bool) iter.Seq2[*Point, error] {
	return func(yield func(*Point, error) bool) {
		x, err := h.Index(keep)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, err := range x.Bad {
			if !yield(nil, err) {
				return
			}
		}
		for p, err := range x.Points(measures) {
			if !yield(p, err) {
				return
			}
		}
	}
}
