package score

import (
	"math"
	"slices"

	"github.com/assay-eval/assay"
)

// Unanswerable is what became of the queries that nothing in the corpus answers. No ranking is right for
// them, so they are in no mean; what can be measured is whether the system could know.
type Unanswerable struct {
	Queries int `json:"queries"` // that were run and did not fail
	Empty   int `json:"empty"`   // for which nothing was retrieved: the right answer
	// Separation is the probability that the best score of an answerable query is above that of an
	// unanswerable one, ties counting half: the area under the ROC curve. At 0.5 the score tells nothing, at 1
	// a threshold on it would refuse exactly the queries without an answer. An empty ranking counts as the
	// lowest score. nil when there are not queries of both kinds.
	Separation *float64 `json:"separation,omitempty"`
}

// unanswerable reports whether a query has no answer: it says so, and no label names one after all.
func unanswerable(q *assay.Query) bool { return slices.Contains(q.Tags, assay.TagUnanswerable) }

// best is the score of the first hit; -∞ when nothing was retrieved.
func best(hits []assay.RankedHit) float64 {
	if len(hits) == 0 {
		return math.Inf(-1)
	}
	return hits[0].Score
}

// apart sums up the unanswerable queries; nil when there are none.
func apart(s *sums) *Unanswerable {
	if len(s.none) == 0 {
		return nil
	}
	u := &Unanswerable{Queries: len(s.none), Empty: s.empty}
	if len(s.found) > 0 {
		auc := rocArea(s.found, s.none)
		u.Separation = &auc
	}
	return u
}

// rocArea is the Mann-Whitney statistic over the number of pairs: the share in which a member of high is
// above one of low, ties half.
func rocArea(high, low []float64) float64 {
	sorted := slices.Sorted(slices.Values(low))
	sum := 0.0
	for _, v := range high {
		below, _ := slices.BinarySearch(sorted, v)
		through, _ := slices.BinarySearchFunc(sorted, v, func(e, v float64) int {
			if e > v {
				return 1
			}
			return -1
		})
		sum += float64(below) + float64(through-below)/2
	}
	return sum / float64(len(high)*len(low))
}
