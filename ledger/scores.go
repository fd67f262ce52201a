package ledger

import (
	"encoding/json"
	"io"
	"sync"
)

// SaveScores writes scores.jsonl, a line a query, renamed into place when it is whole: each is given a
// function that adds a line. When each fails, what was there stays. The file is a cache: scores follow from
// the rankings and the labels as they are.
func (r *Run) SaveScores(each func(save func(any) error) error) error {
	return r.replace(scoresFile, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return each(enc.Encode)
	})
}

// Texts gives the passages of a run by hash. They are read when the first one is asked for.
func (r *Run) Texts() *Texts { return &Texts{run: r} }

// Texts is the passages of a run in memory.
type Texts struct {
	run   *Run
	once  sync.Once
	texts map[string]Passage
	err   error
}

// Text is the text of a hash, and whether the run has it.
func (t *Texts) Text(hash string) (string, bool) {
	p, ok := t.Passage(hash)
	return p.Text, ok
}

// Passage is the passage of a hash, and whether the run has it.
func (t *Texts) Passage(hash string) (Passage, bool) {
	t.once.Do(func() {
		t.texts = map[string]Passage{}
		for p, err := range t.run.Passages() {
			if err != nil {
				t.err = err
				continue
			}
			t.texts[p.Hash] = p
		}
	})
	p, ok := t.texts[hash]
	return p, ok
}

// Err is what went wrong in reading them.
func (t *Texts) Err() error { return t.err }
