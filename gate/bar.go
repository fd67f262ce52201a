package gate

import (
	"cmp"
	"fmt"

	"github.com/assay-eval/assay/internal/plural"
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
	// excludes reports whether the data are bad at another confidence, for the correction of rules without a p-value.
	excludes func(confidence float64) (bool, error)
	grown    growth // what more queries of the same kind would show
	words    string // the numbers in words
}

// noData ends a rule that has nothing to look at.
func (b *bar) noData(format string, args ...any) {
	b.result.Outcome, b.result.Reason = NoData, fmt.Sprintf(format, args...)
}

func (b *bar) notComparable(reason string) {
	b.result.Outcome, b.result.Reason = NotComparable, reason
}

// holds compares with the limit of the rule so that rounding in the last bits cannot decide: 0.3 − 0.1 is not under 0.2.
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
	alpha, doubt := 1-b.confidence, b.doubt()
	switch {
	case (b.good || b.same) && doubt == "":
		r.Outcome, r.Reason = Pass, b.words+b.thin
		if b.same {
			r.Reason = fmt.Sprintf("the %s are the same on all %d queries", b.rule.kind(), r.N)
		}
	case b.bad && !b.good && *r.PHolm <= alpha: // what lies inside the margin is no regression, however few the queries
		r.Outcome, r.Reason = Regression, b.words+b.evidence()
	default:
		if b.bad && !b.good {
			doubt = fmt.Sprintf("; on the wrong side, but %s%s", probability(*r.PHolm), corrected(b.rules()))
		}
		r.Outcome, r.Reason = Inconclusive, b.words+doubt+b.settles()
	}
}

// doubt is what keeps a rule from passing whatever its interval is; "" for nothing.
func (b *bar) doubt() string {
	doubt := cmp.Or(b.few(b.result.N), b.shy(b.result.N))
	if doubt != "" {
		doubt = "; " + doubt
	}
	return doubt
}

// few says that n queries of this kind are too few for a pass; "" when they are not.
func (b *bar) few(n int) string {
	effective := int(share(b.result.NEff, n, b.result.N) + 1e-9)
	if effective >= stats.MinQueries {
		return ""
	}
	what := "queries"
	if effective < n {
		what = "independent queries (effective)"
	}
	return fmt.Sprintf("%d %s, and under %d nothing passes", effective, what, stats.MinQueries)
}

// shy says that n times are too few to bound a percentile: the limit of its interval is then the slowest query seen, and
// slower ones are to be expected. It is "" when they are not, and for a measure.
func (b *bar) shy(n int) string {
	q := b.rule.Quantile
	switch {
	case b.rule.Measure != nil:
		return ""
	case b.rule.Change && float64(n)*min(q, 1-q) < 5:
		return fmt.Sprintf("fewer than 5 of %s lie beyond p%s", plural.Count(n, "query"), plain(100*q))
	case !b.rule.Change && n < stats.ValuesEnough(q, b.confidence):
		return fmt.Sprintf("%s cannot bound p%s", plural.Count(n, "query"), plain(100*q))
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

// settles says how many queries would do.
func (b *bar) settles() string {
	n := b.needed()
	if n == 0 {
		return "; what was seen lies on the limit, and no number of queries would settle it"
	}
	b.result.Needed = &n
	return fmt.Sprintf("; about %s would settle it (%d now)", plural.Count(n, "query"), b.result.N)
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
