package score

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/assay-eval/assay"
)

// sums are what is known of all queries together. A query is added once and not needed after: what stays of
// it is a row of its values, since intervals are made from those of all queries.
type sums struct {
	counts   Counts
	failures map[assay.Kind]*Failures
	notes    map[string]int
	resolved Resolution
	judged   float64 // sum of the judged shares
	hadHits  int     // queries in it
	judges   map[string]int
	times    map[string][]time.Duration // of each stage

	found, none []float64 // best scores of queries with an answer, and of those that have none
	empty       int       // of the latter, those for which nothing was retrieved

	differs []int // by measure: queries whose raw value is another
	tallies tallies

	rows []*row // in the order of the results
	free []row  // room for more
}

// row is what is kept of a query.
type row struct {
	id, cluster string
	status      Status
	weight      float64
	// In the order of the measures; values is nil when the query is not scored, raw where its labels have
	// no plain ids. Equal lists are one list.
	values, raw, ceilings []float64
	// The same of the measures that are scored beside; nil without any.
	beside, besideCeilings []float64
}

// roomFor is how many rows are allocated at once: a list that grows by copying leaves as much garbage
// as it holds.
const roomFor = 1024

func newSums(measures int) *sums {
	return &sums{failures: map[assay.Kind]*Failures{}, notes: map[string]int{}, judges: map[string]int{},
		times: map[string][]time.Duration{}, differs: make([]int, measures)}
}

func (s *sums) add(q *Query) {
	s.counts.add(q.Status)
	if q.Error != nil {
		f := s.failures[q.Error.Kind]
		if f == nil {
			f = &Failures{Kind: q.Error.Kind, Query: q.ID, Message: q.Error.Message}
			s.failures[q.Error.Kind] = f
		}
		f.Count++
	}
	f := &q.facts
	for _, n := range f.notes {
		s.notes[n.Code] += n.Count
	}
	for _, who := range f.judges {
		s.judges[who]++
	}
	for _, stage := range f.timings.Stages() {
		if stage.Time > 0 {
			s.times[stage.Name] = append(s.times[stage.Name], stage.Time)
		}
	}
	s.tallies.add(q)
	s.keep(q)
	if q.Status == StatusUnanswerable {
		s.none = append(s.none, f.best)
		if q.Hits == 0 {
			s.empty++
		}
	}
	if !q.Status.Scored() {
		return
	}
	s.found = append(s.found, f.best)
	for w, n := range q.Resolved {
		s.resolved[w] += n
	}
	if !math.IsNaN(f.judged) {
		s.judged += f.judged
		s.hadHits++
	}
	for i := range q.Raw {
		if !same(q.Values[i], q.Raw[i]) {
			s.differs[i]++
		}
	}
}

// keep adds the row of a query.
func (s *sums) keep(q *Query) {
	if len(s.free) == 0 {
		s.free = make([]row, roomFor)
	}
	r := &s.free[0]
	s.free = s.free[1:]
	*r = row{id: q.ID, cluster: q.cluster, status: q.Status, weight: q.weight, values: q.Values, raw: q.Raw, ceilings: q.facts.ceilings,
		beside: q.facts.beside, besideCeilings: q.facts.besideCeilings}
	if slices.EqualFunc(r.values, r.raw, same) {
		r.raw = r.values
	}
	if n := len(s.rows); n > 0 && slices.EqualFunc(r.ceilings, s.rows[n-1].ceilings, same) {
		r.ceilings = s.rows[n-1].ceilings
	}
	s.rows = append(s.rows, r)
}

// same compares values, of which NaN means undefined.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// add counts the doubts about one query.
func (t *tallies) add(q *Query) {
	f := &q.facts
	t.unknown.count(!f.known, q.ID)
	t.stale += f.stale
	t.broken += f.broken
	if !q.Status.Scored() {
		return
	}
	t.short.count(f.short, q.ID)
	if f.unindexed != "" {
		t.unindexed.count(true, fmt.Sprintf("query %s, %q", q.ID, f.unindexed))
	}
	t.disordered.count(f.disordered, q.ID)
	t.sparse.count(f.sparse, q.ID)
	t.duplicates += f.duplicates
	t.otherText += f.otherText
	t.shared += f.shared
	t.wide += f.wide
	t.relevant += f.relevant
	t.rawMatched += f.rawMatched
	t.hits += q.Hits
}
