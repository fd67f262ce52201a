package stats

import "fmt"

// Assumption is what the caller is ready to take for granted about the scores.
// The package chooses interval and test from it.
type Assumption uint8

const (
	// AssumeNothing takes queries (or the clusters of a [Design]) as an
	// independent sample and asks nothing of the shape of the scores: BCa bootstrap
	// and paired randomization; Wilson, exact binomial and Newcombe for 0/1 scores.
	AssumeNothing Assumption = iota
	// AssumeNormal takes means and mean differences as normally distributed:
	// Student's t interval and the paired t-test. 0/1 scores are treated as
	// under AssumeNothing, since they contradict the assumption.
	AssumeNormal
	// AssumeSymmetric takes paired differences as symmetric about their centre:
	// the Wilcoxon signed-rank test and the Hodges–Lehmann interval that inverts
	// it. Without symmetry that test says nothing about means. Summaries of one
	// system are made as under AssumeNothing.
	AssumeSymmetric
)

// String returns "nothing", "normal" or "symmetric".
func (a Assumption) String() string {
	switch a {
	case AssumeNothing:
		return "nothing"
	case AssumeNormal:
		return "normal"
	case AssumeSymmetric:
		return "symmetric"
	}
	return fmt.Sprintf("assumption(%d)", uint8(a))
}

// The defaults of [Options].
const (
	DefaultConfidence = 0.95
	DefaultPower      = 0.80
	DefaultDraws      = 10_000
	DefaultFlips      = 100_000
)

// Options steer a calculation. The zero value is the recommended setting.
type Options struct {
	// Assume is what may be taken for granted about the scores.
	Assume Assumption
	// Confidence is the level of intervals, inside [0.5, 1); 0 means 0.95. The
	// level of tests, for minimum detectable differences, is 1 − Confidence.
	Confidence float64
	// Power is the power of the minimum detectable difference, inside [0.5, 1);
	// 0 means 0.80.
	Power float64
	// Draws is the number of bootstrap draws, 100 to 10,000,000; 0 means 10,000.
	Draws int
	// Flips is the number of random sign assignments of the randomization test
	// where enumeration is out of reach, 100 to 10,000,000; 0 means 100,000.
	Flips int
	// Range is the range a single score can take, for example [0, 1]. It bounds
	// intervals, and it is what an interval has left to say when every score is equal.
	// Zero means: [0, 1] if every score lies in it, else unknown.
	Range Interval
	// Seed starts the random streams. Equal seeds give equal bytes.
	Seed uint64
}

// withDefaults returns o with zero fields filled in, or an error naming the
// field that is out of its range.
func (o Options) withDefaults() (Options, error) {
	if o.Confidence == 0 {
		o.Confidence = DefaultConfidence
	}
	if o.Power == 0 {
		o.Power = DefaultPower
	}
	if o.Draws == 0 {
		o.Draws = DefaultDraws
	}
	if o.Flips == 0 {
		o.Flips = DefaultFlips
	}
	const least, most = 100, 10_000_000
	switch {
	case o.Assume > AssumeSymmetric:
		return o, fmt.Errorf("stats: unknown assumption %d", uint8(o.Assume))
	case !(o.Confidence >= 0.5 && o.Confidence < 1):
		return o, fmt.Errorf("stats: confidence %v: want a share inside [0.5, 1), for example 0.95", o.Confidence)
	case !(o.Power >= 0.5 && o.Power < 1):
		return o, fmt.Errorf("stats: power %v: want a share inside [0.5, 1), for example 0.8", o.Power)
	case o.Draws < least || o.Draws > most:
		return o, fmt.Errorf("stats: %d bootstrap draws: want %d to %d", o.Draws, least, most)
	case o.Flips < least || o.Flips > most:
		return o, fmt.Errorf("stats: %d sign flips: want %d to %d", o.Flips, least, most)
	case !o.Range.finite() || o.Range.Hi < o.Range.Lo:
		return o, fmt.Errorf("stats: score range [%v, %v]: want finite bounds in order", o.Range.Lo, o.Range.Hi)
	}
	return o, nil
}

// alpha is the two-sided error level that goes with the confidence.
func (o Options) alpha() float64 { return 1 - o.Confidence }
