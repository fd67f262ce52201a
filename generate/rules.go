package generate

import "slices"

// DefaultRules are the filters every written question passes, in order: rules 2 to 6 of a chain that begins
// with the choice of chunks (Ineligible) and ends with what looks at the whole set (SetRules). None needs a
// model; further are those that do (Checks). p is what the questions are to be; nil for anything.
func DefaultRules(p *Planner, further ...Rule) []Rule {
	rules := QuestionRules()
	at := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == "language" })
	rules = slices.Insert(rules, at, RuleEvidence())
	if p == nil || len(p.Styles)+len(p.Lengths) == 0 {
		return append(rules, further...)
	}
	// Slips of the fingers come last: every other rule reads the question as it was meant.
	return append(append(append(rules, RuleForm()), further...), ruleTypo(p.Seed))
}

// QuestionRules are those that look at the question and the text it was written from, and not at the
// evidence.
func QuestionRules() []Rule {
	return []Rule{RuleQuestion(), RulePreamble(), RuleQuiz(), RuleSingle(), RuleExample(), RuleLanguage(), RuleContext(), RuleCopy()}
}

// marking are the rules that mark a query with a tag and refuse none.
var marking = []string{ruleTypoName, ruleClosedBook, ruleRoundTrip, ruleAmbiguity}

// The names of rules that are referred to elsewhere.
const (
	ruleTypoName   = "typo"
	ruleClosedBook = "closed-book"
	ruleRoundTrip  = "round-trip"
	ruleAmbiguity  = "ambiguity"
)
