package project

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/internal/shell"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/testset"
)

// GateRequest says what is judged.
type GateRequest struct {
	Run          string // as ledger.Store.Find takes it; "" and last mean the newest, finished or not
	System       string
	Baseline     string // a side to stand against; "" is that of `baseline set`
	Policy       gate.Policy
	Intersection bool
}

// Baselines is the folder of baselines.
func (p *Project) Baselines() *ledger.Baselines { return ledger.OpenBaselines(p.Config.Dir) }

// Rules are the gate's rules, parsed.
func (p *Project) Rules() ([]gate.Rule, error) {
	var lines []gate.Line
	for i, r := range p.Config.Gate.Rules {
		lines = append(lines, gate.Line{Text: r, Where: p.Config.Where(fmt.Sprintf("gate.rules[%d]", i))})
	}
	return gate.ParseAll(lines)
}

// Gate holds the configured rules against a run. What is wrong with the runs is part of the verdict; an error is about the
// question itself.
func (p *Project) Gate(ctx context.Context, req GateRequest) (*gate.Verdict, error) {
	rules, err := p.Rules()
	if err != nil {
		return nil, err
	}
	if len(rules) == 0 {
		return nil, gate.NoRules()
	}
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	run, err := p.candidate(req)
	if err != nil {
		return nil, err
	}
	in := gate.Input{Rules: rules, MaxFailed: p.Config.Run.MaxFailed, Policy: req.Policy, Intersection: req.Intersection}
	in.Query, in.Gold = source(set)
	if in.Measures, err = p.gated(rules); err != nil {
		return nil, err
	}
	sides := []named{{run.Info.ID, compare.KindRun, run}}
	base, err := p.baseline(req, run, &in)
	if err != nil {
		return nil, err
	}
	if in.NoBaseline == nil {
		sides = append(sides, base)
	}
	candidate, err := p.scoreSide(ctx, sides[0], in.Measures, sides...)
	if err != nil {
		return nil, err
	}
	if in.NoBaseline == nil {
		if in.Baseline, err = p.scoreSide(ctx, base, in.Measures, sides...); err != nil {
			return nil, err
		}
		if err := p.stillBaseline(req, base.run); err != nil {
			return nil, err
		}
	}
	var against *compare.SideInfo
	if in.Baseline != nil {
		against = &in.Baseline.SideInfo
	}
	if err := gate.CheckDepth(rules, &candidate.SideInfo, against); err != nil {
		return nil, err
	}
	compare.SetNames(sidesOf(candidate, in.Baseline)...)
	in.Candidate = *candidate
	in.Shared = shared(run, req)
	in.Problems = stale(set, run, &in)
	return gate.Evaluate(in)
}

// gated are the measures that rules look at, each once; a gate over latencies alone gets the headline.
func (p *Project) gated(rules []gate.Rule) ([]measure.Measure, error) {
	var out []measure.Measure
	for i := range rules {
		m := rules[i].Measure
		if m != nil && !slices.ContainsFunc(out, func(o measure.Measure) bool { return o.Name() == m.Name() }) {
			out = append(out, m)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	all, err := p.Measures()
	return all[:min(1, len(all))], err
}

// candidate finds the run under judgment. The newest counts even where it is not finished: a gate that went back to an older
// run would pass a build whose own run broke. Of several systems the one with a baseline is meant.
func (p *Project) candidate(req GateRequest) (*ledger.Run, error) {
	if req.Run != "" && req.Run != "last" {
		return p.Runs().Find(req.Run, req.System)
	}
	runs, bad := p.Runs().List()
	newest := map[string]*ledger.Run{} // by system
	for _, r := range runs {
		if req.System == "" || r.Info.System == req.System {
			newest[r.Info.System] = r
		}
	}
	if len(newest) > 1 {
		based, _ := p.Baselines().List()
		if len(based) == 1 && newest[based[0].Info.System] != nil {
			return known(newest[based[0].Info.System], bad)
		}
		return nil, assay.WithHint(assay.Usagef("there are runs of several systems, so the gate needs to know which"), "assay gate --system %s", runs[len(runs)-1].Info.System)
	}
	for _, r := range newest {
		return known(r, bad)
	}
	return p.Runs().Find("last", req.System) // says that there is none
}

// known is the run, unless a newer one cannot be read: the gate never goes back to an older run in silence.
func known(run *ledger.Run, bad []error) (*ledger.Run, error) {
	if err := ledger.Newer(bad, run); err != nil {
		return nil, assay.WithHint(err, "assay gate %s judges the newest that can be read; %s", run.Info.ID, assay.Hint(err))
	}
	return run, nil
}

// baseline finds what the candidate stands against.
func (p *Project) baseline(req GateRequest, run *ledger.Run, in *gate.Input) (named, error) {
	if req.Baseline != "" {
		return p.side(req.Baseline, run.Info.System, "") // last~1 is one of the candidate's system
	}
	base, ok, err := p.Baselines().Get(run.Info.System)
	if err == nil && !ok {
		in.NoBaseline = &gate.Problem{Outcome: gate.NotComparable, Reason: fmt.Sprintf("system %s has no baseline to hold the run against", run.Info.System),
			Hint: "assay baseline set last --system " + run.Info.System + " makes its newest finished run the one"}
	}
	return named{run.Info.System, compare.KindBaseline, base}, err
}

// stillBaseline makes sure that the baseline of a system was not replaced while it was read.
func (p *Project) stillBaseline(req GateRequest, base *ledger.Run) error {
	if req.Baseline != "" {
		return nil
	}
	now, ok, err := p.Baselines().Get(base.Info.System)
	if err != nil || !ok || now.Info.ID != base.Info.ID {
		return assay.WithHint(errors.Join(fmt.Errorf("the baseline of %s was replaced while it was read", base.Info.System), err), "run the same command again")
	}
	return nil
}

// stale says whether the run lacks labelled queries: the test set has grown past it, or it was of a part only. A baseline of the
// same part is agreed to.
func stale(set *testset.Set, run *ledger.Run, in *gate.Input) []gate.Problem {
	part := run.Info.Selection
	if in.Intersection || run.Info.Status != ledger.Finished || part != "" && in.Baseline != nil && in.Baseline.Selection == part {
		return nil
	}
	has := map[string]bool{}
	for i := range in.Candidate.Queries {
		has[in.Candidate.Queries[i].ID] = true
	}
	missing := slices.DeleteFunc(set.Queries(), func(q assay.Query) bool { return has[q.ID] || len(set.Labels(q.ID)) == 0 })
	if len(missing) == 0 {
		return nil
	}
	reason := fmt.Sprintf("the run does not hold %s of the test set, as it is now (first: %s)", plural.Count(len(missing), "labelled query"), missing[0].ID)
	if part != "" {
		reason = fmt.Sprintf("the run is of a part of the test set (%s), and does not hold %s (first: %s)", part, plural.Count(len(missing), "labelled query"), missing[0].ID)
	}
	return []gate.Problem{{Outcome: gate.NotComparable, Reason: reason,
		Hint: "run all of it: assay run " + run.Info.System + "; or judge what the run holds: " + in.Shared}}
}

// shared is the command that judges the run by the queries that all have.
func shared(run *ledger.Run, req GateRequest) string {
	words := []string{"assay", "gate", run.Info.ID, "--intersection"}
	if req.Baseline != "" {
		words = append(words, "--baseline", req.Baseline)
	}
	return shell.Command(words...)
}

func sidesOf(candidate, baseline *compare.Side) []*compare.Side {
	if baseline == nil {
		return []*compare.Side{candidate}
	}
	return []*compare.Side{baseline, candidate}
}
