package label

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-eval/assay"
)

// Candidate is an item that a judge graded and no person did.
type Candidate struct {
	Query, Item string
	// Value orders candidates: what people's time buys most with comes first. It depends on what judges said, and must not be
	// shown to those who label.
	Value float64
}

// Next proposes what people should grade next, the most valuable first: items on which judges disagree about relevance, or
// contradict what the query was written from; then what a judge calls relevant, where it errs most (it is right about half the
// time, and about nine in ten of the others); the less sure it is the earlier. Sampling by value bends a sample; Agree weights
// it straight again, as long as some of every grade are looked at: so each third proposal is drawn from the rest at random, by
// a hash of seed and item: with fewer, a handful of items would stand for nearly everything that the judge graded (Pair.NEff).
func Next(ratings []Rating, n int, seed uint64) []Candidate {
	said := map[itemKey][]Rating{}
	graded := map[itemKey]bool{}
	for _, r := range ratings {
		key := itemKey{r.Query, r.Item}
		if r.By == assay.ByHuman {
			graded[key] = true
		} else {
			said[key] = append(said[key], r)
		}
	}
	var all []Candidate
	for _, key := range sortedKeys(said) {
		if !graded[key] && slices.ContainsFunc(said[key], func(r Rating) bool { return r.By == assay.ByJudge }) {
			all = append(all, Candidate{key.query, key.item, value(said[key])})
		}
	}
	byHash := slices.Clone(all)
	slices.SortFunc(byHash, func(a, b Candidate) int {
		return cmp.Compare(hashOf(seed, a.Query, a.Item), hashOf(seed, b.Query, b.Item))
	})
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Compare(b.Value, a.Value) })
	taken := map[itemKey]bool{}
	var out []Candidate
	for len(out) < n && len(out) < len(all) {
		from := all
		if len(out)%3 == 2 {
			from = byHash
		}
		at := slices.IndexFunc(from, func(c Candidate) bool { return !taken[itemKey{c.Query, c.Item}] })
		taken[itemKey{from[at].Query, from[at].Item}] = true
		out = append(out, from[at])
	}
	return out
}

// value is 3 to 2 for a disagreement, 2 to 1 for a positive of a judge, below 1 for the rest; inside each, by how unsure the
// judges are.
func value(said []Rating) float64 {
	yes, no, positive := false, false, false
	unsure := 0.0
	for _, r := range said {
		rel := r.Grade >= assay.RelevantGrade
		yes, no = yes || rel, no || !rel
		positive = positive || rel && r.By == assay.ByJudge
		if len(r.P) == Grades {
			p := r.P[2] + r.P[3]
			unsure = max(unsure, 1-2*math.Abs(p-0.5))
		}
	}
	switch {
	case yes && no:
		return 2 + min(unsure, 0.999)
	case positive:
		return 1 + min(unsure, 0.999)
	}
	return min(unsure, 0.999)
}
