package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// Report says what became of the questions.
type Report struct {
	Requested int            `json:"requested"`
	Produced  int            `json:"produced"`          // in the test set now, earlier calls included
	Asked     int            `json:"asked"`             // questions asked by this call
	New       int            `json:"new"`               // accepted by this call
	Rejected  map[string]int `json:"rejected"`          // by rule, by this call
	Rules     []RuleCount    `json:"rules"`             // in the order of the chain, by this call
	Failed    int            `json:"failed"`            // calls without an answer; asked again next time
	Failure   string         `json:"failure,omitempty"` // what the first of them came to
	Exhausted bool           `json:"exhausted"`
	Stopped   string         `json:"stopped,omitempty"` // the budget that ended it: calls or minutes
}

// RuleCount is what one rule did.
type RuleCount struct {
	Rule    string `json:"rule"`
	Seen    int    `json:"seen"`              // questions that came to it
	Refused int    `json:"refused"`           // that it refused
	Flagged int    `json:"flagged,omitempty"` // that it marked with a tag and let pass
}

func (r *RuleCount) see(refused bool) {
	r.Seen++
	if refused {
		r.Refused++
	}
}

// ruleReply is the name under which replies are refused that hold no question.
const ruleReply = "reply"

func newReport(o *Options) Report {
	r := Report{Requested: o.Want, Produced: o.Have, Rejected: map[string]int{}, Rules: []RuleCount{{Rule: ruleReply}}}
	for _, rule := range o.Rules {
		r.rule(rule.Name)
	}
	for _, rule := range o.SetRules {
		r.rule(rule.Name)
	}
	return r
}

// rule finds the counts of a rule, by name, or begins them. Mixes share one name and count together.
func (r *Report) rule(name string) *RuleCount {
	i := slices.IndexFunc(r.Rules, func(c RuleCount) bool { return c.Rule == name })
	if i < 0 {
		i = len(r.Rules)
		r.Rules = append(r.Rules, RuleCount{Rule: name})
	}
	return &r.Rules[i]
}

// count books how far a question came.
func (r *Report) count(it *item) {
	r.rule(ruleReply).see(it.rule == ruleReply)
	for _, name := range it.cand.Passed {
		r.rule(name).see(false)
	}
	for _, name := range it.flagged {
		r.rule(name).Flagged++
	}
	if it.rule != "" && it.rule != ruleReply {
		r.rule(it.rule).see(true)
	}
}

// A rule that refuses more than 70 % of what it sees points at too weak a writer, one that refuses under
// 5 % may do nothing here. Neither is said of a handful.
const (
	lowYield     = 0.30
	highYield    = 0.95
	minYieldSeen = 20
)

// YieldWarnings are the doubts that the counts raise. Rules that mark and do not refuse are left out.
func (r *Report) YieldWarnings() []assay.Warning {
	var out []assay.Warning
	var idle []string
	for _, c := range r.Rules {
		if c.Seen < minYieldSeen || slices.Contains(marking, c.Rule) {
			continue
		}
		switch yield := 1 - float64(c.Refused)/float64(c.Seen); {
		case yield < lowYield:
			out = append(out, assay.Warning{Code: "low_yield", Text: fmt.Sprintf("rule %s let %d of %d questions pass: the writer is too weak for this corpus, or the rule does not fit it; "+
				"read them: assay generate --rejects", c.Rule, c.Seen-c.Refused, c.Seen)})
		case yield > highYield && c.Rule != ruleReply: // a schema can make every reply one
			idle = append(idle, fmt.Sprintf("%s %d of %d", c.Rule, c.Refused, c.Seen))
		}
	}
	if len(idle) > 0 {
		out = append(out, assay.Warning{Code: "high_yield", Text: "these rules refused next to nothing: a careful writer, or a filter that does nothing here: " + strings.Join(idle, ", ")})
	}
	return out
}
