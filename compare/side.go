package compare

import (
	"cmp"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/measure"
)

// Side is one run, scored with today's labels.
type Side struct {
	SideInfo
	// Selection is what part of the test set was run, as RunInfo has it; "" is all of it.
	Selection string
	// Selectivity is the share of the index that each filter lets through, 0 to 1, by the filter's canonical form; nil where
	// it was not counted.
	Selectivity map[string]float64
	// Queries are all queries of the run, those without a score included, each id once.
	Queries []Query
	// Explain gives the rankings of a few queries, for the largest moves. Nil where they are not kept.
	Explain func(queries []string) (map[string]Ranking, error)
}

// SideInfo says what a side is. What is unknown (of a run file, say) is absent.
type SideInfo struct {
	// Name is the shortest name that tells the side from the others: that of its system where the systems
	// differ, else the run's.
	Name   string `json:"name"`
	Ref    string `json:"ref"` // as the person asked for it: last~1, an id, a file
	Kind   Kind   `json:"kind"`
	Run    string `json:"run,omitempty"`
	Label  string `json:"label,omitempty"` // the name that a person gave the run
	System string `json:"system,omitempty"`
	// Finished is false for a run with queries still to come.
	Finished    bool               `json:"finished"`
	K           int                `json:"k,omitempty"` // hits asked for
	Workers     int                `json:"workers,omitempty"`
	Started     *ledger.Time       `json:"started,omitempty"`
	Environment map[string]string  `json:"environment,omitempty"` // the machine
	Fingerprint ledger.Fingerprint `json:"fingerprint,omitempty"`
	Counts      Counts             `json:"counts"`
	Drift       []Drift            `json:"differs_from_recorded,omitempty"`
	Warnings    []assay.Warning    `json:"warnings,omitempty"` // of its scores
}

// SetNames gives every side the shortest name that tells it from the others: its system; else baseline for the one that is
// and the system for the other; else the name that the run was given; else what the person called it, its id, or its number.
func SetNames(sides ...*Side) {
	for _, of := range []func(i int, s *SideInfo) string{
		func(_ int, s *SideInfo) string { return s.System },
		func(_ int, s *SideInfo) string {
			if s.Kind == KindBaseline {
				return "baseline"
			}
			return s.System
		},
		func(_ int, s *SideInfo) string { return s.Label },
		func(_ int, s *SideInfo) string { return s.Ref },
		func(_ int, s *SideInfo) string { return cmp.Or(s.Run, s.Ref) },
		func(i int, s *SideInfo) string { return fmt.Sprintf("%s (%d)", s.Ref, i+1) },
	} {
		seen := map[string]bool{"": true}
		unique := true
		for i, s := range sides {
			s.Name = of(i, &s.SideInfo)
			unique = unique && !seen[s.Name]
			seen[s.Name] = true
		}
		if unique {
			return
		}
	}
}

// Kind says where a side came from.
type Kind string

// The kinds of side.
const (
	KindRun      Kind = "run"      // runs/<id>
	KindBaseline Kind = "baseline" // baseline/<system>
	KindTREC     Kind = "trec"     // a TREC run file
	KindPlain    Kind = "plain"    // JSON lines of a script
)

// Counts say what became of the queries of a side.
type Counts struct {
	Queries  int `json:"queries"`
	Scored   int `json:"scored"` // empty results included, at 0
	Failed   int `json:"failed"`
	Unjudged int `json:"unjudged"` // no labels, nothing relevant, or no real question
}

// Drift is a recorded mean that today's labels no longer give.
type Drift struct {
	Measure  string  `json:"measure"`
	Recorded float64 `json:"recorded"`
	Now      float64 `json:"now"`
}

// Query is what one side did on one query.
type Query struct {
	ID      string
	Outcome measure.Outcome
	Why     string // why there is no score, or why it is empty
	// Values are in the order of the measures, NaN where one is undefined; nil when the query is not scored.
	Values  []float64
	First   int           // rank of the first relevant hit; 0 when there is none or it is unknown
	Timings assay.Timings // all zero when unknown
	// Digest is equal for equal lists of ids; the zero value is unknown.
	Digest [16]byte
}

// Scored reports whether the query has values.
func (q *Query) Scored() bool { return q.Values != nil }

// Ranking is what came back for one query, as far as it is shown.
type Ranking struct {
	Hits    []Hit    `json:"hits"`
	Omitted int      `json:"omitted,omitempty"` // hits further down that are not shown
	Missed  []string `json:"missed,omitempty"`  // relevant texts that no hit holds
}

// Hit is one rank.
type Hit struct {
	ID       string `json:"id"`
	Document string `json:"document,omitempty"`
	Text     string `json:"text,omitempty"` // the beginning, untrusted
	Cut      bool   `json:"cut,omitempty"`  // Text goes on
	Judged   bool   `json:"judged"`
	Grade    int    `json:"grade"`            // what it earns
	Repeat   bool   `json:"repeat,omitempty"` // holds what a hit further up holds, and earns nothing for it
}
