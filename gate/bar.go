package gate

import (
	"fmt"

	"github.com/assay-eval/assay/stats"
)

// bar is one rule while it is held against the data.
type bar struct {
	*judge
	rule   *Rule
	result RuleResult
	// good and bad say that the whole interval lies on that side of what the rule is about: for a change, below its
	// margin and above 0.
	good, bad bool
	// same says that candidate and baseline returned the same, so that no sample is needed to know.
	same bool
	// thin says that a pass rests on little.
	thin string
	// shy, when set, is why the interval must not make the rule pass.
	shy string
	// excludes reports whether the data are bad at another confidence, for the correction of rules without a p-value.
	excludes func(confidence float64) (bool, error)
	words    string // the numbers in words
	need     int    // queries that would settle it, 0 when unknown
}

// noData ends a rule that has nothing to look at.
func (b *bar) noData(format string, args ...any) {
	b.result.Outcome, b.result.Reason = NoData, fmt.Sprintf(format, args...)
}

func (b *bar) notComparable(reason string) {
	b.result.Outcome, b.result.Reason = NotComparable, reason
}

// below compares with the limit of the rule so that rounding in the last bits cannot decide: 0.3 − 0.1 is not under 0.2.
func (o Op) holds(x, limit float64) bool {
	tolerance := 1e-9 * max(1, limit)
	switch o {
	case Less:
		return x < limit-tolerance
	case LessEqual:
		return x <= limit+tolerance
	case Greater:
		return x > limit+tolerance
	}
	return x >= limit-tolerance
}

// judged fills in what every tested rule has.
func (b *bar) judged(estimate float64, i stats.Interval) {
	b.result.Estimate, b.result.Interval = &estimate, &i
}

// settle says what became of the rule, after the correction.
func (b *bar) settle() {
	r := &b.result
	if r.Outcome != "" {
		return
	}
	few := b.few()
	alpha := 1 - b.confidence
	switch {
	case (b.good || b.same) && few == "" && b.shy == "":
		r.Outcome, r.Reason = Pass, b.words+b.thin
		if b.same {
			r.Reason = fmt.Sprintf("the %s are the same on all %d queries", b.rule.kind(), r.N)
		}
	case b.bad && r.PHolm != nil && *r.PHolm <= alpha:
		r.Outcome, r.Reason = Regression, b.words+b.evidence()
	default:
		r.Outcome, r.Reason = Inconclusive, b.words+b.doubt(few)
	}
}

// few says that there are too few queries for a pass.
func (b *bar) few() string {
	if n := int(b.result.NEff + 1e-9); n < stats.MinQueries {
		what := "queries"
		if n < b.result.N {
			what = "independent queries (effective)"
		}
		return fmt.Sprintf("%d %s, and under %d nothing passes", n, what, stats.MinQueries)
	}
	return ""
}

// evidence is the p-value behind a regression.
func (b *bar) evidence() string {
	r := &b.result
	if r.Test != "" {
		return fmt.Sprintf("; %s (%s)%s", probability(*r.PHolm), r.Test, corrected(b.rules()))
	}
	return "; beyond chance" + corrected(b.rules())
}

func (b *bar) rules() int { return len(b.Rules) }

func corrected(rules int) string {
	if rules < 2 {
		return ""
	}
	return fmt.Sprintf(", corrected for %d rules", rules)
}

// doubt says why a rule is inconclusive and what would settle it.
func (b *bar) doubt(few string) string {
	r := &b.result
	if few != "" || b.shy != "" {
		b.need = max(b.need, stats.MinQueries)
	}
	switch {
	case few != "":
		return "; " + few + b.settles()
	case b.good:
		return "; " + b.shy + b.settles()
	case b.bad && r.PHolm != nil:
		return fmt.Sprintf("; on the wrong side, but %s%s", probability(*r.PHolm), corrected(b.rules())) + b.settles()
	}
	return b.settles()
}

// settles says how many queries would do.
func (b *bar) settles() string {
	r := &b.result
	if b.need <= 0 {
		return ""
	}
	if b.need = max(b.need, r.N+1); b.result.NEff > 0 && float64(b.need) < float64(stats.MinQueries)*float64(r.N)/b.result.NEff {
		b.need = int(float64(stats.MinQueries)*float64(r.N)/b.result.NEff) + 1 // that many independent ones
	}
	n := b.need
	r.Needed = &n
	return fmt.Sprintf("; about %d queries would settle it (%d now)", n, r.N)
}

// hint is what to do next about a rule that decided.
func (v *Verdict) hint(o Outcome) string {
	switch o {
	case Regression:
		if v.Baseline != nil {
			return fmt.Sprintf("`assay compare %s %s` shows which queries moved", v.Baseline.Ref, v.Candidate.Ref)
		}
		return fmt.Sprintf("`assay report %s` shows the queries that did worst", v.Candidate.Ref)
	case Inconclusive:
		return "more queries with labels (`assay generate`, `assay import`), a wider margin, or --lenient to let it pass"
	case NoData:
		return "take the rule out of gate.rules, or measure what it is about"
	case NotComparable:
		return "run both on one machine with the same run.workers, or use an absolute limit"
	}
	return ""
}
