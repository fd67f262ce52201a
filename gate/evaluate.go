package gate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// judge carries what the rules are held against.
type judge struct {
	*Input
	confidence float64
	pair       *compare.Pair // nil when there is nothing to compare with
	why        *Problem      // then, why
	compared   int
	tested     []*bar         // those whose p-values are corrected together
	column     map[string]int // measure → index in Measures
}

// Evaluate holds the rules against the candidate and its baseline. An error is a failure of the program or of the caller; whatever
// is wrong with the runs is part of the verdict.
func Evaluate(in Input) (*Verdict, error) {
	if len(in.Rules) == 0 {
		return nil, NoRules()
	}
	if in.Policy == "" {
		in.Policy = Default
	}
	j := &judge{Input: &in, confidence: in.Stats.Confidence, column: map[string]int{}}
	if j.confidence == 0 {
		j.confidence = stats.DefaultConfidence
	}
	for i, m := range in.Measures {
		j.column[m.Name()] = i
	}
	v := &Verdict{Schema: Schema, Policy: in.Policy, Candidate: in.Candidate.SideInfo, Rules: []RuleResult{}, Settings: j.settings(), Warnings: in.Candidate.Warnings}
	if in.Baseline != nil {
		v.Baseline = &in.Baseline.SideInfo
	}
	if err := j.compare(v); err != nil {
		return nil, err
	}
	bars, err := j.bars()
	if err != nil {
		return nil, err
	}
	for i := range bars {
		v.Rules = append(v.Rules, bars[i].result)
	}
	j.conclude(v)
	return v, nil
}

// NoRules is the error of a gate without rules: it would pass whatever was run.
func NoRules() error {
	return assay.WithHint(assay.Usagef("there is no rule to hold"), `add some to assay.yaml: gate: {rules: ["recall@10 drop < 0.03"]}`)
}

func (j *judge) settings() Settings {
	s := Settings{Confidence: j.confidence, Flips: j.Stats.Flips, Draws: j.Stats.Draws, Seed: j.Stats.Seed, MinQueries: stats.MinQueries, MaxFailed: j.MaxFailed}
	if s.Flips == 0 {
		s.Flips = stats.DefaultFlips
	}
	if s.Draws == 0 {
		s.Draws = stats.DefaultDraws
	}
	return s
}

// compare sets the candidate against the baseline, where a rule asks for it.
func (j *judge) compare(v *Verdict) error {
	switch {
	case !changes(j.Rules):
		return nil
	case j.Baseline == nil:
		if j.why = j.NoBaseline; j.why == nil {
			j.why = &Problem{NotComparable, "there is no baseline to hold the run against", "`assay baseline set RUN` makes a run the one to hold others against"}
		}
		return nil
	}
	base, candidate := *j.Baseline, j.Candidate
	base.Warnings, candidate.Warnings = nil, nil // those of the candidate are in the verdict already
	res, err := compare.Run(compare.Input{
		Measures: j.Measures, Sides: []compare.Side{base, candidate}, Query: j.Query, Gold: j.Gold,
		Options: compare.Options{Intersection: j.Intersection, Stats: j.Stats},
	})
	if errors.Is(err, assay.ErrStale) {
		j.why = &Problem{Outcome: NotComparable, Reason: err.Error(),
			Hint: "run baseline and candidate on the same test set and set the baseline anew, or take what both have: `" + cmp.Or(j.Shared, "assay gate --intersection") + "`"}
		return nil
	}
	if err != nil {
		return err
	}
	j.pair, j.compared = &res.Pairs[0], res.Matching.Compared
	v.Changes, v.Compared, v.LeftOut = j.pair.Changes, res.Matching.Compared, res.Matching.LeftOut()
	v.Caveats, v.Warnings = res.Caveats, append(res.Warnings, v.Warnings...)
	v.Moves, v.Headline = j.pair.Moves, j.Measures[0].Name()
	return nil
}

// bars holds every rule against the data, and then corrects those that failed for how many there are.
func (j *judge) bars() ([]bar, error) {
	out := make([]bar, len(j.Rules))
	for i := range j.Rules {
		b := bar{judge: j, rule: &j.Rules[i]}
		b.result = RuleResult{Rule: b.rule.String(), Where: b.rule.Where, Limit: b.rule.Limit, Unit: b.rule.unit()}
		var err error
		switch {
		case b.rule.Measure == nil && b.rule.Change:
			err = b.latencyRise()
		case b.rule.Measure == nil:
			err = b.latency()
		case b.rule.Change:
			b.change()
		default:
			err = b.value()
		}
		if err != nil {
			return nil, fmt.Errorf("rule %q: %w", b.result.Rule, err)
		}
		out[i] = b
	}
	var err error
	if j.tested, err = correct(out, 1-j.confidence); err != nil {
		return nil, err
	}
	for i := range out {
		out[i].settle()
	}
	return out, nil
}

// problems are what rules out a pass, besides the rules.
func (j *judge) problems() []Problem {
	out := slices.Clone(j.Problems)
	if j.why != nil {
		out = append(out, *j.why)
	}
	out = append(out, j.health(&j.Candidate.SideInfo, "")...)
	if j.Baseline != nil && changes(j.Rules) {
		out = append(out, j.health(&j.Baseline.SideInfo, "the baseline ")...)
	}
	return out
}

// health says whether too much of a run is missing.
func (j *judge) health(s *compare.SideInfo, whose string) []Problem {
	c := s.Counts
	again := fmt.Sprintf("run it again: `assay run %s`", s.System)
	var out []Problem
	if !s.Finished {
		out = append(out, Problem{Incomplete, fmt.Sprintf("%s%s is not finished: %s so far", whose, s.Name, plural.Count(c.Queries, "query")), again})
	}
	if share := float64(c.Failed) / float64(max(1, c.Queries)); c.Failed > 0 && share > j.MaxFailed {
		out = append(out, Problem{Incomplete, fmt.Sprintf("%d of %d queries of %s%s failed, more than run.max_failed (%s) allows", c.Failed, c.Queries, whose, s.Name, plain(j.MaxFailed)), again})
	}
	if c.Scored == 0 && c.Failed < max(1, c.Queries) {
		out = append(out, Problem{NoData, fmt.Sprintf("no query of %s%s has a score: there is nothing to judge by", whose, s.Name),
			"`assay import` or `assay generate` makes queries with labels"})
	}
	return append(out, j.judged(s, whose)...)
}

// judged says whether the scores of a run rest on a language model that was not measured against people: it passes no gate, since
// nobody knows what its numbers are worth.
func (j *judge) judged(s *compare.SideInfo, whose string) []Problem {
	i := slices.IndexFunc(s.Warnings, func(w assay.Warning) bool { return w.Code == assay.WarnUncalibratedJudge })
	if i < 0 || !j.scores() {
		return nil
	}
	reason := s.Warnings[i].Text
	if whose != "" {
		reason = whose + s.Name + ": " + reason
	}
	return []Problem{{NotComparable, reason, "label some queries yourself (`assay label`) and measure the judge by them: `assay agree`"}}
}

// scores reports whether some rule is about scores, which rest on labels; a latency does not.
func (j *judge) scores() bool {
	return slices.ContainsFunc(j.Rules, func(r Rule) bool { return r.Measure != nil })
}

// conclude takes the gravest outcome of problems and rules.
func (j *judge) conclude(v *Verdict) {
	problems := j.problems()
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Outcome.rank() - b.Outcome.rank() })
	if len(problems) > 0 {
		p := problems[0]
		v.Outcome, v.Reason, v.Hint = p.Outcome, p.Reason, p.Hint
		for i := range v.Rules { // what holds over a part of the data does not pass
			if r := &v.Rules[i]; r.Outcome == Pass {
				r.Outcome, r.Reason = p.Outcome, r.Reason+"; but "+p.Reason
			}
		}
	}
	worst := gravestOf(v.Rules)
	if v.Outcome == "" || worst.rank() < v.Outcome.rank() {
		v.Outcome, v.Hint, v.Reason = worst, v.hint(worst), reasonOf(v.Rules, worst)
	}
	if v.Outcome != Regression {
		v.Moves = nil
	}
	v.Moves = slices.DeleteFunc(v.Moves, func(m compare.Move) bool { return !j.lost(&m) })
	if v.ExitCode = v.Outcome.Code(j.Policy); v.ExitCode == 0 {
		v.Hint = ""
	}
}

func gravestOf(rules []RuleResult) Outcome {
	worst := Pass
	for i := range rules {
		if rules[i].Outcome.rank() < worst.rank() {
			worst = rules[i].Outcome
		}
	}
	return worst
}

// reasonOf says which rules decided.
func reasonOf(rules []RuleResult, o Outcome) string {
	var names []string
	reason := ""
	for i := range rules {
		if rules[i].Outcome == o {
			names, reason = append(names, rules[i].Rule), rules[i].Reason
		}
	}
	switch {
	case o == Pass:
		return "every rule holds"
	case len(names) == 1:
		return names[0] + ": " + reason
	}
	return fmt.Sprintf("%d of %d rules: %s", len(names), len(rules), strings.Join(names, "; "))
}

// lost reports whether a move is one for the worse.
func (j *judge) lost(m *compare.Move) bool {
	return (m.Diff < 0) == (j.Measures[0].Definition().Direction != measure.LowerIsBetter)
}

// values are the candidate's values of a measure with the ids of their queries, in byte order of the ids.
func (j *judge) values(m int) (values []float64, ids []string) {
	rows := make([]*compare.Query, 0, len(j.Candidate.Queries))
	for i := range j.Candidate.Queries {
		if q := &j.Candidate.Queries[i]; q.Scored() && !math.IsNaN(q.Values[m]) {
			rows = append(rows, q)
		}
	}
	slices.SortFunc(rows, func(a, b *compare.Query) int { return strings.Compare(a.ID, b.ID) })
	for _, q := range rows {
		values, ids = append(values, q.Values[m]), append(ids, q.ID)
	}
	return values, ids
}
