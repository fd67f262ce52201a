package project

import (
	"math"
	"sort"

	"github.com/assay-eval/assay/stats"
)

// Precision is what a number of queries can tell, before anything was measured.
type Precision struct {
	Queries    int     `json:"queries"`
	HalfWidth  float64 `json:"recall_half_width"`     // of the 95 % interval of a recall of TypicalRecall
	Detectable float64 `json:"detectable_difference"` // between two systems, found in four of five trials
}

// What is assumed until a run has shown it. The spread is that of per-query differences between two systems
// in TREC DL 2023: 0.18 in the middle of all pairs, 0.09 between similar ones, 0.23 between different ones.
const (
	TypicalRecall = 0.8
	TypicalSpread = 0.2
)

// PrecisionOf says what n queries, at least 2, can tell.
func PrecisionOf(n int) Precision {
	i := stats.Wilson(TypicalRecall*float64(n), float64(n), 0.95)
	return Precision{n, (i.Hi - i.Lo) / 2, stats.MinimumDetectable(TypicalSpread, n, 0.05, 0.8)}
}

// mostQueries bounds what PrecisionNeeds looks through.
const mostQueries = 10_000_000

// PrecisionNeeds is the least number of queries with an interval of at most ± half; ok is false where
// millions would not do.
func PrecisionNeeds(half float64) (n int, ok bool) {
	n = 2 + sort.Search(mostQueries, func(n int) bool { return PrecisionOf(n+2).HalfWidth <= half })
	return n, n < mostQueries && !math.IsNaN(half)
}

func precision(n int) *Precision {
	if n < 2 {
		return nil
	}
	p := PrecisionOf(n)
	return &p
}
