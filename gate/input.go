package gate

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// Input is what is judged.
type Input struct {
	Rules    []Rule
	Measures []measure.Measure // of the values of both sides; they hold those of all rules
	// Candidate is the run under judgment.
	Candidate compare.Side
	// Baseline is what drops and rises are against; where it is nil NoBaseline says why, and what to do.
	Baseline   *compare.Side
	NoBaseline *Problem
	Query      func(id string) (assay.Query, bool)
	Gold       func(id string) []string
	// Problems are found by the caller and rule out a pass: an empty test set, a run older than the queries.
	Problems []Problem
	// MaxFailed is the share of failed queries, 0 to 1, beyond which a run is incomplete.
	MaxFailed    float64
	Policy       Policy
	Intersection bool
	// Shared is the command that judges by the queries that all have, for the hint where not all are the same.
	Shared string
	// Stats steers intervals and tests. Its Range is ignored: every measure has its own.
	Stats stats.Options
}

// Problem is what keeps a gate from passing whatever the rules say.
type Problem struct {
	Outcome Outcome
	Reason  string
	Hint    string
}

// changes reports whether some rule is held against the baseline.
func changes(rules []Rule) bool {
	for i := range rules {
		if rules[i].Change {
			return true
		}
	}
	return false
}
