package gate

import (
	"errors"
	"slices"

	"github.com/assay-eval/assay"
)

// gravest lists the outcomes, the one that decides first.
var gravest = []Outcome{NoData, NotComparable, Incomplete, Regression, Inconclusive, Pass}

func (o Outcome) rank() int { return slices.Index(gravest, o) }

// class is the sentinel that decides the exit code; nil for success.
func (o Outcome) class(p Policy) error {
	switch o {
	case NoData:
		return assay.ErrUsage
	case NotComparable:
		return assay.ErrStale
	case Incomplete:
		return assay.ErrIncomplete
	case Regression:
		return assay.ErrRegression
	case Inconclusive:
		switch p {
		case Strict:
			return assay.ErrRegression
		case Lenient:
			return nil
		}
		return assay.ErrUndecided
	}
	return nil
}

// Code is the exit code of an outcome under a policy, as the contract has it: no data 2, not comparable 6, incomplete 5,
// regression 3, inconclusive 4 (3 when strict, 0 when lenient), pass 0.
func (o Outcome) Code(p Policy) int {
	switch o.class(p) {
	case assay.ErrUsage:
		return 2
	case assay.ErrRegression:
		return 3
	case assay.ErrUndecided:
		return 4
	case assay.ErrIncomplete:
		return 5
	case assay.ErrStale:
		return 6
	}
	return 0
}

// Failed reports whether a rule's outcome is one that fails the gate under the policy.
func (o Outcome) Failed(p Policy) bool { return o.class(p) != nil }

// Err is the verdict as the error that ends a command with ExitCode; nil for success.
func (v *Verdict) Err() error {
	class := v.Outcome.class(v.Policy)
	if class == nil {
		return nil
	}
	return assay.WithHint(assay.Classify(errors.New(string(v.Outcome)+": "+v.Reason), class), "%s", v.Hint)
}
