package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
)

type generateDocument struct {
	Schema string `json:"schema"`
	project.Generated
}

type estimateDocument struct {
	Schema string `json:"schema"`
	project.Estimate
}

// print shows what a generation came to and turns too few queries into an error.
func (o *generateOptions) print(r project.Generated) error {
	if o.json {
		if err := o.writeJSON(generateDocument{"assay/generate/v1", r}); err != nil {
			return err
		}
	} else if err := o.printReport(r); err != nil {
		return err
	}
	if r.Produced >= r.Requested {
		return nil
	}
	e := short(r)
	if o.json {
		code := exitFailed
		if r.Stopped != "" {
			code = exitIncomplete
		}
		o.explain(code, e)
		return errQuiet{e}
	}
	return e
}

func (o *generateOptions) printReport(r project.Generated) error {
	if r.Requested == 0 {
		return nil
	}
	if err := o.printf("%s wanted, %d in the test set, %d of them new; %d rejected%s\n",
		plural(r.Requested, "query", "queries"), r.Produced, r.New, r.Asked-r.New-r.Failed, byRule(r.Rejected)); err != nil {
		return err
	}
	if r.Failed > 0 {
		o.notef("%s had no answer and will be asked again next time: %s", plural(r.Failed, "call", "calls"), term.Shorten(r.Failure, 200))
	}
	if o.verbose && r.Asked > 0 {
		if err := o.printRules(r.Rules); err != nil {
			return err
		}
	}
	if err := o.printGroups(r.Chunks); err != nil {
		return err
	}
	o.tellPrecision(r.Precision)
	return o.printMix(r.Mix)
}

// printMix shows what the queries are made of: the mixes that were declared, and with -v the others.
func (o *generateOptions) printMix(mix []generate.Realised) error {
	declared := map[string]bool{}
	for _, m := range mix {
		declared[m.Mix] = declared[m.Mix] || m.Wanted != nil || o.verbose
	}
	t := &term.Table{Header: []string{"mix", "value", "wanted", "share", "n"}, Right: []bool{2: true, 3: true, 4: true}}
	for _, m := range mix {
		if !declared[m.Mix] {
			continue
		}
		wanted := "-"
		if m.Wanted != nil {
			wanted = percent(*m.Wanted)
		}
		t.Add(m.Mix, m.Value, wanted, percent(m.Share), m.N)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t.Write(o.streams)
}

func (o *generateOptions) printRules(rules []generate.RuleCount) error {
	t := &term.Table{Header: []string{"rule", "seen", "refused", "marked"}, Right: []bool{1: true, 2: true, 3: true}}
	for _, c := range rules {
		t.Add(c.Rule, c.Seen, c.Refused, c.Flagged)
	}
	return t.Write(o.streams)
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// short is the error of a generation that has fewer queries than wanted.
func short(r project.Generated) error {
	missing := plural(r.Requested-r.Produced, "query is", "queries are")
	if r.Stopped != "" {
		return assay.WithHint(assay.Classify(fmt.Errorf("%s missing: the budget of %s is used up", missing, r.Stopped), assay.ErrIncomplete),
			"what was asked is kept; run the same command again to go on")
	}
	hint := "testset/rejects.jsonl has the reasons, and `assay generate --rejects` shows them; a stronger model, more documents or a smaller --sample help"
	if len(r.Rejected) == 0 {
		hint = "raise generate.per_document, add documents, or want fewer: --sample"
	}
	return assay.WithHint(fmt.Errorf("%s missing: %d of %d questions asked passed, and the sample is used up", missing, r.New, r.Asked), "%s", hint)
}

// byRule renders the rejects as " (copy 3, evidence 12)".
func byRule(rejected map[string]int) string {
	var parts []string
	for _, rule := range slices.Sorted(maps.Keys(rejected)) {
		parts = append(parts, fmt.Sprintf("%s %d", rule, rejected[rule]))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// printEstimate shows what a generation would cost.
func (o *generateOptions) printEstimate(e project.Estimate) error {
	c := e.Chunks
	if err := o.printf("%s wanted, %d in the test set; %d chunks, %d to ask about, %d drawn\n", plural(e.Requested, "query", "queries"), e.Produced, c.Seen, c.Eligible, c.Drawn); err != nil {
		return err
	}
	for _, reason := range slices.Sorted(maps.Keys(c.Ineligible)) {
		o.notef("left out: %s: %s", plural(c.Ineligible[reason], "chunk", "chunks"), reason)
	}
	o.tellPrecision(e.Precision)
	if err := o.printGroups(c); err != nil {
		return err
	}
	switch {
	case e.Produced >= e.Requested:
		return o.printf("nothing is left to ask\n")
	case e.Probe.Calls == 0:
		return o.printf("no model is called, or its replies are in the cache: there is nothing to measure\n")
	}
	t := &term.Table{Header: []string{"", "questions", "calls", "tokens in", "tokens out", "minutes"}, Right: []bool{1: true, 2: true, 3: true, 4: true, 5: true}}
	for _, row := range []struct {
		name string
		cost *project.Cost
	}{{"measured", &e.Probe}, {"all pass", e.Least}, {"as many as so far", e.Likely}, {"sample used up", e.Most}} {
		if k := row.cost; k != nil {
			t.Add(row.name, k.Questions, k.Calls, k.PromptTokens, k.OutputTokens, fmt.Sprintf("%.1f", k.Minutes))
		}
	}
	return t.Write(o.streams)
}
