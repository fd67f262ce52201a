package score

import (
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

// Scored is a run, scored.
type Scored struct {
	Queries []Query // in the order in which the results first named them; nil when only sums were asked for
	Means   []Mean  // by gold item: the headline, in the order of the measures
	// Raw are the means by plain chunk ids over the same queries; nil when a scored query has labels
	// without ids, so that the two would not be about the same thing.
	Raw      []Mean
	Beside   []Mean // by gold item, of Options.Beside
	Counts   Counts
	Resolved Resolution // hits of scored queries, by how they were matched
	// Judged is the mean share of the top Depth hits that have a label: below 1, every score is a lower
	// bound that more labels may raise. ok is false when no scored query has a hit.
	Judged   Share
	Failures []Failures
	// Unanswerable are the queries that nothing answers, apart; nil when there are none.
	Unanswerable *Unanswerable
	Timings      []Latency
	Notes        []assay.Note // what systems repaired, summed over the queries
	Warnings     []assay.Warning
	// Uncalibrated: some of the labels are those of a language model that was not measured against people, or not found
	// good enough. Every number says so, and none of them passes a gate.
	Uncalibrated bool
	Version      testset.Version // of the labels used

	rows  []*row         // of all queries, for the means of strata
	place map[string]int // query id → index in rows
	by    averager
}

// Counts say what the means are means of.
type Counts struct {
	Queries      int `json:"queries"`       // results seen
	Scored       int `json:"scored"`        // in the means, empty results included
	Failed       int `json:"failed"`        // no ranking
	Unlabelled   int `json:"unlabelled"`    // run, not scored
	NoGold       int `json:"no_gold"`       // labelled, but nothing is relevant: excluded
	EmptyResults int `json:"empty_results"` // scored 0 because nothing was retrieved
	BadQuery     int `json:"bad_query,omitempty"`
	Unanswerable int `json:"unanswerable,omitempty"` // in no mean: nothing answers them
}

// Share is a mean share of the top hits.
type Share struct {
	Depth   int     `json:"depth"`
	Value   float64 `json:"value"`
	Queries int     `json:"queries"` // that had hits; with 0 there is no value
}

// Failures counts the failed queries of one kind, with one of them as an example.
type Failures struct {
	Kind    assay.Kind `json:"kind"`
	Count   int        `json:"count"`
	Query   string     `json:"query"`
	Message string     `json:"message"`
}

// finish sums up what was streamed.
func (s *scorer) finish() (*Scored, error) {
	for i := range s.queries {
		s.sums.add(&s.queries[i])
	}
	t := s.sums
	out := &Scored{Queries: s.queries, Counts: t.counts, Resolved: t.resolved, Version: s.set.Version(),
		Judged: Share{Depth: s.depth, Queries: t.hadHits}, rows: t.rows, place: s.place}
	if t.hadHits > 0 {
		out.Judged.Value = t.judged / float64(t.hadHits)
	}
	for _, kind := range slices.Sorted(maps.Keys(t.failures)) {
		out.Failures = append(out.Failures, *t.failures[kind])
	}
	for _, code := range slices.Sorted(maps.Keys(t.notes)) {
		out.Notes = append(out.Notes, assay.Note{Code: code, Count: t.notes[code]})
	}
	out.Timings, out.Unanswerable = latencies(t.times), apart(t)
	if err := s.summarize(out); err != nil {
		return nil, err
	}
	out.Warnings = s.warnings(out)
	return out, nil
}

func (c *Counts) add(s Status) {
	c.Queries++
	switch s {
	case StatusScored:
		c.Scored++
	case StatusEmpty:
		c.Scored++
		c.EmptyResults++
	case StatusFailed:
		c.Failed++
	case StatusUnlabelled:
		c.Unlabelled++
	case StatusNoGold:
		c.NoGold++
	case StatusBadQuery:
		c.BadQuery++
	case StatusUnanswerable:
		c.Unanswerable++
	}
}

// Has reports whether the run has a result of a query, be it a failure.
func (s *Scored) Has(query string) bool {
	_, ok := s.place[query]
	return ok
}

// Mean returns the mean of a measure by its canonical name.
func (s *Scored) Mean(name string) (Mean, bool) { return find(s.Means, name) }

// RawMean returns the mean of a measure by plain ids.
func (s *Scored) RawMean(name string) (Mean, bool) { return find(s.Raw, name) }

func find(means []Mean, name string) (Mean, bool) {
	for _, m := range means {
		if m.Measure == name {
			return m, true
		}
	}
	return Mean{}, false
}
