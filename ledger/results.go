package ledger

import (
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonl"
)

// Passage is the text of a retrieved chunk, kept once a run by its hash.
type Passage struct {
	Hash  string `json:"hash"`
	Title string `json:"title,omitempty"`
	Text  string `json:"text"`
}

// Writer appends results to a run. It is safe for concurrent use; a result that Write has taken
// survives the death of the process.
type Writer struct {
	mu       sync.Mutex
	results  *jsonl.Appender
	passages *jsonl.Appender
	seen     map[string]bool
}

// Writer opens the run for more results; the caller holds the run's Lock.
func (r *Run) Writer() (*Writer, error) {
	results, err := jsonl.OpenOwned(r.path(resultsFile))
	if err != nil {
		return nil, err
	}
	passages, err := jsonl.OpenOwned(r.path(passagesFile))
	if err != nil {
		return nil, errors.Join(err, results.Close())
	}
	w := &Writer{results: results, passages: passages, seen: map[string]bool{}}
	for p, err := range r.Passages() {
		if err != nil {
			return nil, errors.Join(err, w.Close())
		}
		w.seen[p.Hash] = true
	}
	return w, nil
}

// Write keeps a result and those texts of its hits that the run does not hold yet. Passages go first,
// so that a result never points at a text that is not there.
func (w *Writer) Write(res assay.Result, passages []Passage) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var fresh []any
	for _, p := range passages {
		if !w.seen[p.Hash] {
			w.seen[p.Hash] = true
			fresh = append(fresh, p)
		}
	}
	if len(fresh) > 0 {
		if err := w.passages.AppendAll(fresh); err != nil {
			return err
		}
	}
	if res.Hits == nil {
		res.Hits = []assay.RankedHit{}
	}
	return w.results.Append(res)
}

// Close flushes everything to stable storage.
func (w *Writer) Close() error { return errors.Join(w.passages.Close(), w.results.Close()) }

// Results yields the run's results, the last line of a query winning: a failed query that was tried
// again has two lines. One pass finds the lines that count, a second yields them, so that memory holds
// ids and not rankings. A finished run that holds fewer results than it was finished with yields an error,
// and a line that is no result yields one with its place; both are ErrUsage.
func (r *Run) Results() iter.Seq2[assay.Result, error] {
	return func(yield func(assay.Result, error) bool) {
		type head struct {
			Query string `json:"query"`
		}
		last := map[string]int{}
		for rec, err := range jsonl.Read[head](r.path(resultsFile)) {
			if err == nil {
				last[rec.Value.Query] = rec.Line.Number
			}
		}
		if err := r.lost(len(last)); err != nil {
			yield(assay.Result{}, err)
			return
		}
		for rec, err := range jsonl.Read[assay.Result](r.path(resultsFile)) {
			if err == nil && last[rec.Value.Query] != rec.Line.Number {
				continue
			}
			if err != nil {
				err = r.unreadable(err)
			}
			if !yield(rec.Value, err) {
				return
			}
		}
	}
}

// lost is the error of a finished run that holds fewer results than it was finished with; nil where it has all.
func (r *Run) lost(have int) error {
	want := r.Info.Counts["queries"]
	if r.Info.Status != Finished || have >= want {
		return nil
	}
	return r.unreadable(fmt.Errorf("%s has results of %d queries, and the run was finished with %d: some were lost", r.path(resultsFile), have, want))
}

// unreadable is an error in the files of a run, with the way out.
func (r *Run) unreadable(err error) error {
	return assay.WithHint(assay.Classify(err, assay.ErrUsage), "bring %s back from a copy, or make the run anew: assay run --new %s", r.Dir, r.Info.System)
}

// Done lists the queries that have a result: true for a ranking, false for a failure.
func (r *Run) Done() (map[string]bool, error) {
	type head struct {
		Query string         `json:"query"`
		Error *assay.Failure `json:"error"`
	}
	done := map[string]bool{}
	for rec, err := range jsonl.Read[head](r.path(resultsFile)) {
		if err != nil {
			return nil, err
		}
		done[rec.Value.Query] = rec.Value.Error == nil
	}
	return done, nil
}

// Passages yields the texts that the run retrieved.
func (r *Run) Passages() iter.Seq2[Passage, error] {
	return func(yield func(Passage, error) bool) {
		for rec, err := range jsonl.Read[Passage](r.path(passagesFile)) {
			if !yield(rec.Value, err) {
				return
			}
		}
	}
}
