package gate

import (
	"fmt"
	"strconv"

	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// Rule is one line of gate.rules, parsed and checked. Either Measure is set or Stage is.
type Rule struct {
	Where   string          // file:line, "" when unknown
	Measure measure.Measure // what a rule on scores looks at
	// Stage and Quantile are what a rule on latency looks at, 0.95 for p95.
	Stage    compare.Stage
	Quantile float64
	// Change says that the rule is about the difference to the baseline (a drop of a score, a rise of a latency or of a
	// score that is better when lower) and not about the value itself.
	Change bool
	Op     Op
	// Limit is the margin of a change or the bound of a value: a score, milliseconds, or a share of the baseline
	// where Relative is set.
	Limit    float64
	Relative bool
}

// Op is how a value stands to its limit when the rule holds.
type Op string

// The operators.
const (
	Less         Op = "<"
	LessEqual    Op = "<="
	Greater      Op = ">"
	GreaterEqual Op = ">="
)

// upper reports whether the limit is one from above.
func (o Op) upper() bool { return o == Less || o == LessEqual }

// Subject is what the rule looks at: recall@10, latency_p95_ms.
func (r *Rule) Subject() string {
	if r.Measure != nil {
		return r.Measure.Name()
	}
	stage := string(r.Stage)
	if r.Stage == compare.StageTotal {
		stage = "latency"
	}
	return stage + "_p" + plain(100*r.Quantile) + "_ms"
}

// change is the word for a change to the worse.
func (r *Rule) change() string {
	if r.Measure != nil && r.Measure.Definition().Direction == measure.HigherIsBetter {
		return "drop"
	}
	return "rise"
}

// kind is what is compared.
func (r *Rule) kind() string {
	if r.Measure != nil {
		return "rankings"
	}
	return "times"
}

// sides reports whether an interval lies wholly where the rule holds, and wholly where something is wrong: beyond the bound of
// a value, above 0 for a change. A change that is real and inside its margin is both.
func (r *Rule) sides(i stats.Interval) (good, bad bool) {
	switch {
	case r.Change:
		return r.Op.holds(i.Hi, r.Limit), i.Lo > 0
	case r.Op.upper():
		return r.Op.holds(i.Hi, r.Limit), !r.Op.holds(i.Lo, r.Limit)
	}
	return r.Op.holds(i.Lo, r.Limit), !r.Op.holds(i.Hi, r.Limit)
}

// unit is how Limit and the values beside it are written.
func (r *Rule) unit() string {
	switch {
	case r.Relative:
		return "%"
	case r.Measure == nil:
		return "ms"
	}
	return ""
}

// String is the canonical spelling.
func (r *Rule) String() string {
	limit := plain(r.Limit)
	if r.Relative {
		limit = plain(100*r.Limit) + "%"
	}
	if r.Change {
		return fmt.Sprintf("%s %s %s %s", r.Subject(), r.change(), r.Op, limit)
	}
	return fmt.Sprintf("%s %s %s", r.Subject(), r.Op, limit)
}

// plain is the shortest decimal of a number that a person wrote; 14 digits hide what binary fractions add to it.
func plain(x float64) string {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 14, 64), 64)
	return strconv.FormatFloat(y, 'f', -1, 64)
}
