package project

import (
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/testset"
)

// retrieved finds labelled chunks by key as runs retrieved them, in the first run that did. A label imported by its key alone
// does not know what it judges, and a live index is not asked again when a run is scored. The runs are read when the first
// chunk is asked for.
type retrieved struct {
	set      *testset.Set
	runs     []*seen
	borrowed map[string]bool // keys whose text another run than the one that is scored told
}

// seen is what one run retrieved of the chunks that labels name.
type seen struct {
	run    *ledger.Run
	texts  *ledger.Texts
	once   sync.Once
	hashes map[string]string // by key
}

// newRetrieved looks in the run that is scored and then in those that it is set against.
func newRetrieved(set *testset.Set, run *ledger.Run, beside []*ledger.Run) *retrieved {
	r := &retrieved{set: set, borrowed: map[string]bool{}, runs: []*seen{{run: run, texts: run.Texts()}}}
	for _, other := range beside {
		if other.Dir != run.Dir {
			r.runs = append(r.runs, &seen{run: other, texts: other.Texts()})
		}
	}
	return r
}

// own are the passages of the run that is scored.
func (r *retrieved) own() *ledger.Texts { return r.runs[0].texts }

// Lookup implements score.Index.
func (r *retrieved) Lookup(id string) (assay.Chunk, bool) {
	for i, s := range r.runs {
		s.once.Do(func() { s.read(r.labelled()) })
		if text, ok := s.texts.Text(s.hashes[id]); ok && text != "" {
			if i > 0 {
				r.borrowed[id] = true
			}
			return assay.Chunk{ID: id, Text: text}, true
		}
	}
	return assay.Chunk{}, false
}

// labelled are the keys that labels name.
func (r *retrieved) labelled() map[string]bool {
	out := map[string]bool{}
	for _, q := range r.set.Queries() {
		for _, l := range r.set.Labels(q.ID) {
			if l.Target.Chunk != "" {
				out[l.Target.Chunk] = true
			}
		}
	}
	return out
}

// read notes under which hash the run stores the text of each. A run that cannot be read is told of by whoever scores it.
func (s *seen) read(labelled map[string]bool) {
	s.hashes = map[string]string{}
	for res, err := range s.run.Results() {
		if err != nil {
			return
		}
		for i := range res.Hits {
			h := &res.Hits[i]
			if _, again := s.hashes[h.ID]; !again && h.TextHash != "" && labelled[h.ID] {
				s.hashes[h.ID] = h.TextHash
			}
		}
	}
}
