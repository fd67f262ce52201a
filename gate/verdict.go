package gate

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/stats"
)

// Schema is the kind and version of a Verdict as JSON.
const Schema = "assay/gate/v1"

// Outcome is what became of a rule or of the whole gate.
type Outcome string

// The outcomes. Where the rules differ the gate takes the first of them in this order; pass needs them all.
const (
	NoData        Outcome = "no data"        // nothing to judge by: an empty test set, a stage that did not happen
	NotComparable Outcome = "not comparable" // no baseline, another machine, other queries
	Incomplete    Outcome = "incomplete"     // too many queries failed, or the run is not finished
	Regression    Outcome = "regression"
	Inconclusive  Outcome = "inconclusive"
	Pass          Outcome = "pass"
)

// Policy says what an inconclusive rule does to the exit code.
type Policy string

// The policies.
const (
	Default Policy = "default" // a code of its own
	Strict  Policy = "strict"  // failure
	Lenient Policy = "lenient" // success
)

// Verdict is the whole gate.
type Verdict struct {
	Schema  string  `json:"schema"`
	Outcome Outcome `json:"outcome"`
	// Reason is one sentence for a person.
	Reason    string            `json:"reason"`
	Hint      string            `json:"hint,omitempty"` // a command that gets further
	Policy    Policy            `json:"policy"`
	ExitCode  int               `json:"exit_code"`
	Candidate compare.SideInfo  `json:"candidate"`
	Baseline  *compare.SideInfo `json:"baseline,omitempty"`
	Rules     []RuleResult      `json:"rules"`
	// Changes names what differs between the fingerprints of baseline and candidate.
	Changes []ledger.Change `json:"changes,omitempty"`
	// Compared counts the queries with a score on both sides, LeftOut those that only one side has.
	Compared int             `json:"compared"`
	LeftOut  int             `json:"left_out,omitempty"`
	Caveats  []assay.Warning `json:"caveats,omitempty"`
	Warnings []assay.Warning `json:"warnings,omitempty"`
	// Moves are the queries that lost most by the measure Headline, when something regressed.
	Moves    []compare.Move `json:"moves,omitempty"`
	Headline string         `json:"headline,omitempty"`
	Settings Settings       `json:"settings"`
}

// Settings are how the verdict was made.
type Settings struct {
	Confidence float64 `json:"confidence"`
	Flips      int     `json:"flips"`
	Draws      int     `json:"draws"`
	Seed       uint64  `json:"seed"`
	MinQueries int     `json:"min_queries"` // under which nothing passes
	MaxFailed  float64 `json:"max_failed"`  // share of failed queries beyond which a run is incomplete
}

// RuleResult is one rule held against the data.
type RuleResult struct {
	Rule    string  `json:"rule"`            // canonical spelling
	Where   string  `json:"where,omitempty"` // file:line
	Outcome Outcome `json:"outcome"`
	// Reason is one sentence with the numbers that decided, with enough digits to see why.
	Reason string `json:"reason"`
	// Baseline and Candidate are the values of the two sides, over the queries that the rule looks at.
	Baseline  *float64 `json:"baseline,omitempty"`
	Candidate *float64 `json:"candidate,omitempty"`
	// Estimate is what Limit is held against: the drop, the rise or the value itself; Interval is its interval.
	Estimate *float64        `json:"estimate,omitempty"`
	Interval *stats.Interval `json:"interval,omitempty"`
	Limit    float64         `json:"limit"`
	Unit     string          `json:"unit,omitempty"` // "ms" or "%" (a limit of 20 % is 0.2); "" for scores
	Method   stats.Method    `json:"method,omitempty"`
	Test     stats.Test      `json:"test,omitempty"`
	// P is the p-value of a drop, PHolm the same corrected over the rules. Of a rule that has no test P is the
	// smallest of α, α/2, α/3, … at which the interval still excludes the limit.
	P     *float64 `json:"p,omitempty"`
	PHolm *float64 `json:"p_holm,omitempty"`
	N     int      `json:"n"`
	NEff  float64  `json:"n_eff,omitempty"`
	MDD   *float64 `json:"mdd,omitempty"` // smallest true difference this many queries find
	// Needed is about how many queries would settle an inconclusive rule if the truth is what was seen.
	Needed   *int            `json:"queries_needed,omitempty"`
	Warnings []stats.Warning `json:"warnings,omitempty"`
}
