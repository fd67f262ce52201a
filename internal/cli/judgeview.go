package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/label"
)

type promptDocument struct {
	Schema string          `json:"schema"`
	Rubric string          `json:"rubric"`
	ID     string          `json:"id"` // of the prompt, part of the judge's name
	Prompt string          `json:"prompt"`
	Reply  json.RawMessage `json:"reply"` // JSON Schema of a reply
}

type judgeDocument struct {
	Schema  string         `json:"schema"`
	Judge   string         `json:"judge"`
	Model   assay.Identity `json:"model"`
	Rubric  string         `json:"rubric"`
	Prompt  string         `json:"prompt"`
	Pool    *poolView      `json:"pool,omitempty"`
	People  int            `json:"graded_by_people"` // passages judged to measure the judge by
	Skipped int            `json:"failed_before,omitempty"`
	Tally   label.Tally    `json:"tally"`
	Cost    *costView      `json:"cost,omitempty"` // of a dry run
	// Winner says whether one of the systems may be called better on these labels: every one of them needs judged@k of at
	// least 0.95.
	Winner   *bool           `json:"winner_may_be_named,omitempty"`
	Warnings []assay.Warning `json:"warnings,omitempty"`
}

type poolView struct {
	Depth    int            `json:"depth"`
	Passages int            `json:"passages"`
	Judged   int            `json:"judged_before"`
	Sources  []label.Source `json:"sources"` // as they stand now
}

func newJudgeDocument(plan *project.JudgePlan, t label.Tally) *judgeDocument {
	j := plan.Judge
	d := &judgeDocument{Schema: "assay/judge/v1", Judge: j.Name(), Model: j.Identity, Rubric: j.Rubric.Name, Prompt: j.Rubric.PromptID(),
		People: plan.Measuring, Skipped: plan.Gone, Tally: t}
	if plan.Pool != nil {
		d.Pool = &poolView{Depth: plan.Pool.Depth, Passages: plan.Pool.Size(), Judged: len(plan.Pool.Judged), Sources: plan.Pool.Sources}
	}
	return d
}

// setSources takes over how far the rankings are judged now.
func (d *judgeDocument) setSources(now *label.Pool) {
	d.Pool.Sources = now.Sources
	enough := true
	for _, s := range now.Sources {
		enough = enough && (s.Name == project.PooledBM25 || s.Queries > 0 && s.Judged >= assay.EnoughJudged)
	}
	d.Winner = &enough
}

func (d *judgeDocument) write(a *app) error {
	t := &d.Tally
	table := &term.Table{Header: []string{"wanted", "graded", "failed", "left", "0", "1", "2", "3", "calls", "cached"}, Right: slices.Repeat([]bool{true}, 10)}
	table.Add(t.Wanted, t.Graded, t.Failed, t.Left, t.Grades[0], t.Grades[1], t.Grades[2], t.Grades[3], t.Calls, t.Cached)
	if err := table.Write(a.streams); err != nil {
		return err
	}
	if len(t.Refused) > 0 {
		a.notef("replies that were no grade: %s; %s graded at another try", counted(t.Refused), plural(t.Repaired, "passage was", "passages were"))
	}
	if len(t.Errors) > 0 {
		a.notef("calls without a reply: %s", counted(t.Errors))
	}
	if t.Example != nil && a.verbose {
		a.notef("such as item %s of query %s: %s", t.Example.Item, t.Example.Query, t.Example.Message)
	}
	if t.Graded > 0 && t.WithProbs < t.Graded {
		a.notef("%d of %d grades are as written: the server tells no probabilities", t.Graded-t.WithProbs, t.Graded)
	}
	if t.Cut > 0 {
		a.warnOne(assay.Warning{Code: "cut", Text: fmt.Sprintf("%s asked about with a query of more than %d or a title of more than %d bytes, which was cut", plural(t.Cut, "passage was", "passages were"), label.MaxQuery, label.MaxTitle)})
	}
	if t.Left > 0 {
		a.notef("%s left; run the same command again to go on", plural(t.Left, "passage is", "passages are"))
	}
	if d.Pool == nil || d.Winner == nil {
		return nil
	}
	return d.writeSources(a)
}

// writeSources says how far each system is judged, and what follows from that.
func (d *judgeDocument) writeSources(a *app) error {
	measure := fmt.Sprintf("judged@%d", d.Pool.Depth)
	table := &term.Table{Header: []string{"system", "queries", measure}, Right: []bool{1: true, 2: true}}
	var short []string
	for _, s := range d.Pool.Sources {
		share := "-"
		if s.Queries > 0 {
			share = fmt.Sprintf("%.4f", s.Judged)
		}
		table.Add(s.Name, s.Queries, share)
		if s.Name != project.PooledBM25 && (s.Queries == 0 || s.Judged < assay.EnoughJudged) {
			short = append(short, s.Name)
		}
	}
	if err := a.printf("\n"); err != nil {
		return err
	}
	if err := table.Write(a.streams); err != nil {
		return err
	}
	if !*d.Winner {
		a.warn([]assay.Warning{{Code: "too_few_judged", Text: fmt.Sprintf("no winner can be named: %s under %.0f %% for %s, where what nobody judged decides",
			measure, 100*assay.EnoughJudged, strings.Join(short, ", "))}})
	}
	return nil
}

// counted renders counts as "quote_missing 3, reply 1".
func counted(m map[string]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(parts, ", ")
}

// costView is what a judging would cost, extrapolated from a few calls.
type costView struct {
	Passages     int      `json:"passages"`
	Probed       int      `json:"probed"` // passages that the estimate rests on; with 0 only the number of calls is known
	Calls        float64  `json:"calls"`
	PromptTokens float64  `json:"prompt_tokens,omitempty"`
	OutputTokens float64  `json:"output_tokens,omitempty"`
	Minutes      *float64 `json:"minutes,omitempty"` // absent when every probed reply came from the cache
	Failed       int      `json:"failed,omitempty"`  // of the probed
}

// extrapolate takes over what a probe showed. Calls under way at once are assumed to help in full, which a server with one
// slot does not allow.
func (c *costView) extrapolate(t label.Tally, jobs, workers int) {
	c.Probed, c.Failed = t.Wanted, t.Failed
	each := func(n int) float64 { return float64(n) * float64(jobs) / float64(t.Wanted) }
	c.Calls = each(t.Calls)
	if fresh := t.Fresh(); fresh > 0 {
		scale := each(t.Calls) / float64(fresh)
		c.PromptTokens, c.OutputTokens = float64(t.PromptTokens)*scale, float64(t.OutputTokens)*scale
		minutes := t.CallTime.Minutes() * scale / float64(workers)
		c.Minutes = &minutes
	}
}

func (c *costView) write(a *app) error {
	t := &term.Table{Header: []string{"passages", "calls", "tokens read", "tokens written", "minutes"}, Right: slices.Repeat([]bool{true}, 5)}
	minutes, read, written := "-", "-", "-"
	if c.Minutes != nil {
		minutes, read, written = fmt.Sprintf("%.1f", *c.Minutes), fmt.Sprintf("%.0f", c.PromptTokens), fmt.Sprintf("%.0f", c.OutputTokens)
	}
	t.Add(c.Passages, fmt.Sprintf("%.0f", c.Calls), read, written, minutes)
	switch {
	case c.Probed == 0:
	case c.Minutes == nil:
		a.notef("the replies of all %d probed passages were in the cache", c.Probed)
	default:
		a.notef("from %s, whose replies are kept; no label was stored", plural(c.Probed, "passage", "passages"))
	}
	if c.Failed > 0 {
		a.warn([]assay.Warning{{Code: "probe_failed", Text: fmt.Sprintf("%d of %d probed passages got no grade at the first ask", c.Failed, c.Probed)}})
	}
	return t.Write(a.streams)
}
