package generate

// DefaultRules are the filters every written question passes, in order: rules 2 to 6 of a chain that begins
// with the choice of chunks (Ineligible) and ends with what looks at the whole set (Quotas). None needs a
// model.
func DefaultRules() []Rule {
	return append(QuestionRules(), RuleEvidence())
}

// QuestionRules are those that look at the question and the text it was written from, and not at the
// evidence.
func QuestionRules() []Rule {
	return []Rule{RuleQuestion(), RulePreamble(), RuleQuiz(), RuleSingle(), RuleExample(), RuleLanguage(), RuleContext(), RuleCopy()}
}
