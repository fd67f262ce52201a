package score

import (
	"encoding/json"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
)

// Status is what became of a query.
type Status string

// The statuses. Only scored and empty queries enter a mean.
const (
	StatusScored     Status = "scored"
	StatusEmpty      Status = "empty"      // scored: nothing was retrieved, which is 0
	StatusFailed     Status = "failed"     // no ranking: no score, and never 0
	StatusUnlabelled Status = "unlabelled" // run, but nothing says what it should find
	StatusNoGold     Status = "no_gold"    // labelled, but nothing was found relevant to it
	StatusBadQuery   Status = "bad_query"  // raters called it unclear or not a real question

	StatusUnanswerable Status = "unanswerable" // nothing in the corpus answers it, as its tag says: summed up apart
)

// Scored reports whether the query enters the means.
func (s Status) Scored() bool { return s == StatusScored || s == StatusEmpty }

// Outcome is the status in the words of package measure.
func (s Status) Outcome() measure.Outcome {
	switch s {
	case StatusScored:
		return measure.Scored
	case StatusEmpty:
		return measure.Empty
	case StatusFailed:
		return measure.Failed
	}
	return measure.Unjudged
}

// Query is one query's scores. It is a line of scores.jsonl.
type Query struct {
	ID     string
	Status Status
	Error  *assay.Failure // why it failed
	// Values and Raw are in the order of the measures, NaN where a measure is undefined for the query;
	// nil when the query is not scored. Raw is by plain ids, nil where the labels have none.
	Values, Raw []float64
	Gold        int // relevant items
	Found       int // of these, retrieved in full
	First       int // rank of the first relevant hit, from 1; 0 when there is none
	Hits        int // after duplicates were taken out
	Resolved    Resolution

	names   []string
	cluster string
	weight  float64
	facts   facts
}

// Judged is the share of its top hits, as deep as Scored.Judged, that have a label; ok is false without hits or labels.
func (q *Query) Judged() (share float64, ok bool) {
	return q.facts.judged, (q.Status == StatusScored || q.Status == StatusNoGold) && !math.IsNaN(q.facts.judged)
}

// facts are what warnings and summaries are made from, kept per query because a later result of a query
// takes the place of an earlier one.
type facts struct {
	timings    assay.Timings
	notes      []assay.Note
	ceilings   []float64
	judged     float64 // share of the top hits that are judged; NaN without hits
	best       float64 // score of the first hit; -∞ without hits
	sparse     bool    // one judged item, which is relevant
	short      bool
	unindexed  string // a relevant target that the index does not hold
	stale      int
	broken     int
	duplicates int
	disordered bool
	otherText  int
	shared     int
	wide       int // relevant items that no single chunk of the index can cover
	relevant   int // items they are of
	rawMatched int // hits whose id is a label's
	known      bool
	judges     []string // whose labels count, by language models; each once
	digest     [16]byte // of the ids in their order

	beside, besideCeilings []float64 // of the measures that are scored beside
}

// QueryLine is a Query as a line of scores.jsonl has it: measures by name, undefined values left out.
type QueryLine struct {
	ID       string             `json:"query"`
	Status   Status             `json:"status"`
	Error    *assay.Failure     `json:"error,omitempty"`
	Scores   map[string]float64 `json:"scores,omitempty"`
	Raw      map[string]float64 `json:"scores_raw,omitempty"`
	Gold     int                `json:"gold"`
	Found    int                `json:"found"`
	First    int                `json:"first_rank,omitempty"`
	Hits     int                `json:"hits"`
	Resolved Resolution         `json:"resolved"`
}

// MarshalJSON writes a QueryLine.
func (q Query) MarshalJSON() ([]byte, error) {
	return json.Marshal(QueryLine{q.ID, q.Status, q.Error, named(q.names, q.Values), named(q.names, q.Raw), q.Gold, q.Found, q.First, q.Hits, q.Resolved})
}

func named(names []string, values []float64) map[string]float64 {
	if values == nil {
		return nil
	}
	out := make(map[string]float64, len(values))
	for i, v := range values {
		if !math.IsNaN(v) {
			out[names[i]] = v
		}
	}
	return out
}

// Timings are those of the query's result; all zero when it failed.
func (q *Query) Timings() assay.Timings { return q.facts.timings }

// Digest is equal for equal lists of ids in equal order, whatever their scores; zero when the query failed.
func (q *Query) Digest() [16]byte { return q.facts.digest }
