package gate

import (
	"errors"
	"slices"

	"github.com/assay-eval/assay"
)

// gravest lists the outcomes, the one that decides first.
var gravest = []Outcome{NoData, NotComparable, Incomplete, Regression, Inconclusive, Pass}

func (o Outcome) rank() int { return slices.Index(gravest, o) }

// Code is the exit code of an outcome under a policy, as the contract has it: no data 2, not comparable 6, incomplete 5,
// regression 3, inconclusive 4 (3 when strict, 0 when lenient), pass 0.
func (o Outcome) Code(p Policy) int {
	switch o {
	case NoData:
		return 2
	case NotComparable:
		return 6
	case Incomplete:
		return 5
	case Regression:
		return 3
	case Inconclusive:
		return map[Policy]int{Strict: 3, Lenient: 0, Default: 4}[p]
	}
	return 0
}

// class is the sentinel that ends a command with an exit code; nil for success.
func class(code int) error {
	return map[int]error{2: assay.ErrUsage, 3: assay.ErrRegression, 4: assay.ErrUndecided, 5: assay.ErrIncomplete, 6: assay.ErrStale}[code]
}

// Failed reports whether a rule's outcome is one that fails the gate under the policy.
func (o Outcome) Failed(p Policy) bool { return o.Code(p) != 0 }

// Err is the verdict as the error that ends a command with ExitCode; nil for success.
func (v *Verdict) Err() error {
	if v.ExitCode == 0 {
		return nil
	}
	return assay.WithHint(assay.Classify(errors.New(string(v.Outcome)+": "+v.Reason), class(v.ExitCode)), "%s", v.Hint)
}
