package measure

import "math"

// Direction says which way is better.
type Direction int

// The directions. Neutral measures describe a run and must never decide anything.
const (
	HigherIsBetter Direction = iota
	LowerIsBetter
	Neutral
)

// String is "higher", "lower" or "neutral".
func (d Direction) String() string { return [...]string{"higher", "lower", "neutral"}[d] }

// Gain says how a grade enters the value.
type Gain int

// The gain conventions. Two tools that both print "ndcg" and differ, differ here first.
const (
	NoGain          Gain = iota // grades do not enter
	BinaryGain                  // 1 from the relevance level on, else 0
	LinearGain                  // the grade itself, 0 for grades below 0
	ExponentialGain             // 2^grade - 1
)

// String is "none", "binary", "linear" or "exponential".
func (g Gain) String() string { return [...]string{"none", "binary", "linear", "exponential"}[g] }

// Average says how per-query values become one number.
type Average int

// The averages.
const (
	ArithmeticMean Average = iota
	GeometricMean          // exp of the mean of ln(max(value, 0.00001)), as trec_eval has it
	Sum
)

// String is "mean", "geometric mean" or "sum".
func (a Average) String() string { return [...]string{"mean", "geometric mean", "sum"}[a] }

// GeometricFloor is the smallest value that enters a GeometricMean.
const GeometricFloor = 0.00001

// Cutoff says what may follow the @ of a name.
type Cutoff int

// The kinds of cutoff.
const (
	NoCutoff       Cutoff = iota // map has optional ranks, bpref nothing
	OptionalRank                 // mrr or mrr@10
	RankCutoff                   // recall@10
	RecallCutoff                 // iprec@0.1: a share of the relevant items
	MultipleCutoff               // rprec_mult@0.2: a multiple of R
	SpanCutoff                   // span_recall, span_recall@10 or span_recall@2000tok
)

// String says what may follow the name; empty for NoCutoff.
func (c Cutoff) String() string {
	return [...]string{"", "[@k]", "@k", "@recall", "@multiple", "[@k|@Ntok]"}[c]
}

// Range is the closed interval a measure's per-query value lies in.
type Range struct{ Min, Max float64 }

// Unit is the range [0, 1].
var Unit = Range{0, 1}

// Unbounded is the range of counts, [0, ∞).
var Unbounded = Range{0, math.Inf(1)}

// Contains reports whether v lies in the range.
func (r Range) Contains(v float64) bool { return v >= r.Min && v <= r.Max }

// String writes the range as an interval: [0, 1].
func (r Range) String() string {
	left, right := "[", "]"
	end := func(x float64, bracket *string, open string) string {
		switch {
		case math.IsInf(x, 1):
			*bracket = open
			return "∞"
		case math.IsInf(x, -1):
			*bracket = open
			return "-∞"
		}
		return number(x)
	}
	lo, hi := end(r.Min, &left, "("), end(r.Max, &right, ")")
	return left + lo + ", " + hi + right
}

// Param is a named parameter, written name(key=value)@k.
type Param struct {
	Name    string
	Meaning string
	Default float64
	Range   Range // allowed values
}

// Definition describes a family of measures: one row of the table that `assay measures` prints and
// docs/metrics.md is generated from.
type Definition struct {
	Name      string    // canonical, lower case: "ndcg"
	Title     string    // in words: "normalised discounted cumulative gain"
	Formula   string    // exact definition in plain text, R the relevant items, n the ranked ones
	Undefined string    // when a query has no value: "no relevant item"; empty when it always has one
	Range     Range     // of a per-query value
	Direction Direction // which way is better
	Gain      Gain
	Average   Average
	Cutoff    Cutoff
	Params    []Param
	Aliases   []string // other spellings accepted, case-insensitively; trec_eval's first
	Source    string   // paper or program the definition is taken from
}

// Bounded reports whether values have a finite upper end, as most statistics on shares need.
func (d *Definition) Bounded() bool {
	return !math.IsInf(d.Range.Max, 1) && !math.IsInf(d.Range.Min, -1)
}

// Usage is how a measure of the family is written: "recall@k", "rbp[@k]".
func (d *Definition) Usage() string { return d.Name + d.Cutoff.String() }
