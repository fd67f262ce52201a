package compare

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/stats"
)

// Schema is the kind and version of a Result as JSON.
const Schema = "assay/compare/v1"

// Result is what a comparison found.
type Result struct {
	Schema   string     `json:"schema"`
	Sides    []SideInfo `json:"sides"` // the first is what the others are held against
	Matching Matching   `json:"matching"`
	// Caveats are what makes the sides unlike in more than the one thing a person means to compare. They
	// are said before any number.
	Caveats []assay.Warning `json:"caveats,omitempty"`
	Pairs   []Pair          `json:"pairs"` // every further side against the first
	// Warnings are doubts about the numbers, each once.
	Warnings []assay.Warning `json:"warnings,omitempty"`
	Settings Settings        `json:"settings"`
	// Queries are all compared queries, where a caller has asked for them with Rows.
	Queries []Row `json:"queries,omitempty"`

	in      *Input
	matched *matched
}

// Settings are how the numbers were made, enough to make them again.
type Settings struct {
	Confidence float64 `json:"confidence"`
	Power      float64 `json:"power"` // of the minimum detectable difference
	Flips      int     `json:"flips"` // random sign assignments of the test, where it is not exact
	Draws      int     `json:"draws"` // bootstrap draws
	Seed       uint64  `json:"seed"`
	Family     int     `json:"family"` // p-values that are corrected together (Holm)
}

// Matching says which queries are compared and which are not.
type Matching struct {
	Compared int   `json:"compared"` // queries with a score on every side
	Only     []Gap `json:"only,omitempty"`
	// Failed counts queries that some side failed on; no side's score of them is used.
	Failed   int `json:"failed"`
	Unjudged int `json:"unjudged"` // on all sides, but not to be scored
}

// LeftOut counts the queries that not every side has.
func (m *Matching) LeftOut() int {
	n := 0
	for _, g := range m.Only {
		n += g.Queries
	}
	return n
}

// Gap is a set of queries that some sides have and others lack.
type Gap struct {
	In      []string `json:"in"` // names of the sides that have them
	Queries int      `json:"queries"`
	Sample  []string `json:"sample"` // a few of their ids
}

// Pair is one side, B, against the first, A. Every difference is B − A.
type Pair struct {
	A string `json:"a"`
	B string `json:"b"`
	// Changes names every key in which the fingerprints differ; Known is false where a side has none.
	Changes []ledger.Change `json:"changes"`
	Known   bool            `json:"fingerprints_known"`
	// SameRankings counts the compared queries on which both returned the same ids in the same order.
	SameRankings int        `json:"same_rankings"`
	Measures     []Measured `json:"measures"` // the headline table, in the order of the measures
	Strata       []Stratum  `json:"strata,omitempty"`
	SmallStrata  int        `json:"small_strata,omitempty"` // parts left out because they have fewer than LeastStratum queries
	Latency      *Latency   `json:"latency,omitempty"`
	Moves        []Move     `json:"moves,omitempty"` // by the first measure, the largest first
}

// Finding is what may be said about one difference.
type Finding string

// The findings. Better and worse take a p-value that holds after correction and an interval without 0.
const (
	Better   Finding = "better"
	Worse    Finding = "worse"
	NotShown Finding = "no difference shown" // which is not: no difference
	Changed  Finding = "changed"             // of a measure without a better side, such as a count
	Untested Finding = "not tested"
)

// Measured is one measure of a pair.
type Measured struct {
	Measure string `json:"measure"`
	// Better is "higher", "lower" or "neutral".
	Better string  `json:"better"`
	N      int     `json:"n"`     // matched queries for which both sides have a value
	Units  int     `json:"units"` // of these, independent: queries from one document count once
	NEff   float64 `json:"n_eff"`
	// MeanA and MeanB are over the N queries; absent without any.
	MeanA *float64 `json:"mean_a,omitempty"`
	MeanB *float64 `json:"mean_b,omitempty"`
	// Test is absent where the summary is no mean or no query has a value; Why says which.
	*Test
	Why     string  `json:"why,omitempty"`
	Finding Finding `json:"finding"`
}

// Test is the statistics of one difference B − A.
type Test struct {
	Diff     float64        `json:"diff"`
	Interval stats.Interval `json:"interval"`
	Method   stats.Method   `json:"method"`
	P        float64        `json:"p"`
	PHolm    float64        `json:"p_holm"` // corrected over the table
	Name     stats.Test     `json:"test"`
	SD       float64        `json:"sd"`           // of the differences
	Dz       *float64       `json:"dz,omitempty"` // effect size: mean over SD of the differences
	// Wins counts the queries on which B is better in the direction of the measure, Losses those on which A is.
	Wins   int `json:"wins"`
	Ties   int `json:"ties"`
	Losses int `json:"losses"`
	// MDD is the smallest true difference that this many queries find with the power of Settings; absent without spread, and
	// where it is more than two systems can differ.
	MDD      *float64        `json:"mdd,omitempty"`
	Warnings []stats.Warning `json:"warnings,omitempty"`

	differ int // independent queries on which the two differ
}

// Stratum is the first measure over a part of the queries. Strata are for looking: there are many of them, and their
// intervals are not corrected for that.
type Stratum struct {
	Facet    string         `json:"facet"` // tag, filter, length, leakage
	Value    string         `json:"value"`
	N        int            `json:"n"`
	MeanA    float64        `json:"mean_a"`
	MeanB    float64        `json:"mean_b"`
	Diff     float64        `json:"diff"`
	Interval stats.Interval `json:"interval"`
	Wins     int            `json:"wins"`
	Ties     int            `json:"ties"`
	Losses   int            `json:"losses"`
}

// Latency compares the time of whole queries, in milliseconds, over those that both sides answered.
type Latency struct {
	N         int             `json:"n"`
	Quantiles []QuantileShift `json:"quantiles"`
	// Comparable is false when the machines or the number of queries at once differ or are unknown; Why says how.
	Comparable bool   `json:"comparable"`
	Why        string `json:"why,omitempty"`
}

// QuantileShift is one percentile on both sides and its difference B − A.
type QuantileShift struct {
	Q        float64        `json:"q"`
	A        float64        `json:"a"`
	B        float64        `json:"b"`
	Diff     float64        `json:"diff"`
	Interval stats.Interval `json:"interval"` // of the difference
}

// Move is a query whose first measure changed much.
type Move struct {
	Query string   `json:"query"`
	Text  string   `json:"text"`
	Tags  []string `json:"tags,omitempty"`
	A     float64  `json:"a"`
	B     float64  `json:"b"`
	Diff  float64  `json:"diff"`
	Gold  []string `json:"gold"` // what is relevant, in short
	// FirstA and FirstB are the ranks of the first relevant hit; 0 for none.
	FirstA   int     `json:"first_a,omitempty"`
	FirstB   int     `json:"first_b,omitempty"`
	RankingA Ranking `json:"ranking_a"`
	RankingB Ranking `json:"ranking_b"`
}
