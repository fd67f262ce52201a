package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/score"
)

// runView is a scored run as people and programs see it.
type runView struct {
	Run      string            `json:"run"`
	Name     string            `json:"name,omitempty"`
	System   string            `json:"system"`
	Status   ledger.Status     `json:"status"`
	Counts   score.Counts      `json:"counts"`
	Measures []measureView     `json:"measures"`
	Timings  []score.Latency   `json:"timings_ms,omitempty"`
	Workers  int               `json:"workers,omitempty"`
	Judged   *float64          `json:"judged,omitempty"` // share of the top hits that have a label
	Resolved score.Resolution  `json:"resolved"`
	Failures []score.Failures  `json:"failures,omitempty"`
	Notes    []assay.Note      `json:"notes,omitempty"`
	Warnings []assay.Warning   `json:"warnings,omitempty"`
	Config   map[string]any    `json:"config"`
	Testset  map[string]string `json:"testset"`

	Unanswerable *score.Unanswerable `json:"unanswerable,omitempty"` // apart from the measures
	Strata       []stratumView       `json:"strata,omitempty"`

	parts *report.Table // the strata as a table; nil without any
}

type measureView struct {
	Measure string   `json:"measure"`
	Mean    *float64 `json:"mean,omitempty"`
	Lo      *float64 `json:"lo,omitempty"`
	Hi      *float64 `json:"hi,omitempty"`
	Method  string   `json:"method,omitempty"`
	N       int      `json:"n"`
	Ceiling *float64 `json:"ceiling,omitempty"`
	// Where queries have weights: the mean without them beside the weighted one, and how many queries of equal weight
	// would tell as much.
	Unweighted *float64 `json:"unweighted,omitempty"`
	NEff       float64  `json:"n_eff,omitempty"`
	RawMean    *float64 `json:"raw_mean,omitempty"` // by plain ids, where it differs
	Undefine   int      `json:"undefined,omitempty"`
	Doubt      string   `json:"doubt,omitempty"` // code of the warning that no use of the number may leave out
}

type runsView struct {
	Schema   string       `json:"schema"`
	Runs     []runView    `json:"runs"`
	Failures []runFailure `json:"failures,omitempty"` // systems that could not be run, or not to the end
}

// runFailure is what went wrong with one system.
type runFailure struct {
	System string `json:"system"`
	Run    string `json:"run,omitempty"` // absent when none was begun
	Code   int    `json:"code"`          // exit code of a command that runs this system alone
	Error  string `json:"error"`
	Where  string `json:"where,omitempty"`
	Hint   string `json:"hint,omitempty"`
}

func newRunFailure(system string, out *project.Outcome, e errorDocument) runFailure {
	f := runFailure{System: system, Code: e.Code, Error: e.Error, Where: e.Where, Hint: e.Hint}
	if out != nil && out.Run != nil {
		f.Run = out.Run.Info.ID
	}
	return f
}

// unfinished is the status of a run that is not finished: run.json says "running", and is right only as long
// as a process is at it.
const unfinished ledger.Status = "unfinished"

func newRunView(info *ledger.RunInfo, s *score.Scored) runView {
	v := runView{
		Run: info.ID, Name: info.Name, System: info.System, Status: info.Status, Counts: s.Counts, Timings: s.Timings,
		Workers: info.Workers, Resolved: s.Resolved, Failures: s.Failures, Notes: s.Notes, Warnings: s.Warnings, Config: info.Config,
		Testset: map[string]string{"queries": s.Version.Queries, "labels": s.Version.Labels},
	}
	v.Unanswerable = s.Unanswerable
	if v.Status != ledger.Finished {
		v.Status = unfinished
	}
	if s.Judged.Queries > 0 {
		v.Judged = &s.Judged.Value
	}
	for _, m := range s.Means {
		mv := newMeasureView(m, s.Uncalibrated)
		if raw, ok := s.RawMean(m.Measure); ok && raw.Scored > 0 && raw.Value != m.Value {
			mv.RawMean = &raw.Value
		}
		v.Measures = append(v.Measures, mv)
	}
	return v
}

func newMeasureView(m score.Mean, uncalibrated bool) measureView {
	v := measureView{Measure: m.Measure, N: m.Scored, Ceiling: m.Ceiling, Undefine: m.Undefined, Unweighted: m.Unweighted}
	if m.Unweighted != nil && m.Summary != nil {
		v.NEff = m.Summary.NEff
	}
	if uncalibrated {
		v.Doubt = assay.WarnUncalibratedJudge
	}
	if m.Scored > 0 {
		v.Mean = &m.Value
	}
	if m.Summary != nil {
		v.Lo, v.Hi, v.Method = &m.Summary.Interval.Lo, &m.Summary.Interval.Hi, string(m.Summary.Method)
	}
	return v
}

// write prints the run as text, doubts last and on standard error.
func (v *runView) write(a *app) error {
	if err := a.printf("%s: %s\n", v.System, v.headline()); err != nil {
		return err
	}
	t := &term.Table{Header: []string{"measure", "mean", "95 % interval", "n"}, Right: []bool{1: true, 2: true, 3: true}}
	for _, m := range v.Measures {
		t.Add(m.Measure, orDash(decimal(m.Mean)), interval(m), m.N)
	}
	markWeights(t, v.Measures)
	markDoubts(t, v.Measures)
	if err := t.Write(a.streams); err != nil {
		return err
	}
	if err := v.writeApart(a); err != nil {
		return err
	}
	if err := v.writeTimings(a); err != nil {
		return err
	}
	v.noteResolved(a)
	a.warn(v.Warnings)
	return a.printf("\n")
}

// markWeights adds what the weights of the queries do to the means, where there are weights.
func markWeights(t *term.Table, measures []measureView) {
	if !slices.ContainsFunc(measures, func(m measureView) bool { return m.Unweighted != nil }) {
		return
	}
	t.Header, t.Right = append(t.Header, "n_eff", "unweighted"), append(t.Right, true, true)
	for i, m := range measures {
		if m.Unweighted == nil {
			t.Rows[i] = append(t.Rows[i], "-", "-")
			continue
		}
		t.Rows[i] = append(t.Rows[i], fmt.Sprintf("%.0f", m.NEff), decimal(m.Unweighted))
	}
}

// markDoubts adds a column to the rows of measures where some must not be read without their doubt.
func markDoubts(t *term.Table, measures []measureView) {
	if !slices.ContainsFunc(measures, func(m measureView) bool { return m.Doubt != "" }) {
		return
	}
	t.Header = append(t.Header, "doubt")
	for i, m := range measures {
		t.Rows[i] = append(t.Rows[i], strings.ReplaceAll(m.Doubt, "_", " "))
	}
}

// noteResolved says how sure it is which hit is which label.
func (v *runView) noteResolved(a *app) {
	var parts []string
	for _, w := range score.Ways() {
		if share, ok := v.Resolved.Share(w); ok && share > 0 {
			parts = append(parts, fmt.Sprintf("%s %.0f %%", w.Describe(), 100*share))
		}
	}
	if len(parts) > 0 {
		a.notef("hits were matched with labels by %s", strings.Join(parts, ", "))
	}
	if a.verbose {
		for _, n := range v.Notes {
			a.notef("note: %s (%d)", n.Code, n.Count)
		}
		for _, f := range v.Failures {
			a.notef("failed: %s (%d), such as query %s: %s", f.Kind, f.Count, f.Query, f.Message)
		}
	}
}

func (v *runView) headline() string {
	c := v.Counts
	text := fmt.Sprintf("run %s, %s, %d scored", v.Run, plural(c.Queries, "query", "queries"), c.Scored)
	for _, part := range []struct {
		n    int
		what string
	}{{c.Failed, "failed"}, {c.Unlabelled, "without labels"}, {c.NoGold, "with nothing relevant"}, {c.Unanswerable, "unanswerable"}, {c.EmptyResults, "found nothing"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text
}

func (v *runView) writeTimings(a *app) error {
	if !slices.ContainsFunc(v.Timings, func(l score.Latency) bool { return l.N > 0 }) {
		return nil
	}
	t := &term.Table{Header: []string{"latency in ms", "p50", "p95", "p99"}, Right: []bool{1: true, 2: true, 3: true}}
	for _, l := range v.Timings {
		if l.N > 0 {
			t.Add(l.Stage, millis(l.P50), millis(l.P95), millis(l.P99))
		}
	}
	if err := a.printf("\n"); err != nil {
		return err
	}
	if err := t.Write(a.streams); err != nil {
		return err
	}
	if v.Workers > 1 {
		a.notef("latencies were measured with up to %d queries at once", v.Workers)
	}
	return nil
}

func millis(ms float64) string {
	switch {
	case ms < 1:
		return fmt.Sprintf("%.3f", ms)
	case ms < 10:
		return fmt.Sprintf("%.2f", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

func decimal(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.4f", *v)
}

func interval(m measureView) string {
	if m.Lo == nil || m.Hi == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f – %.4f", *m.Lo, *m.Hi)
}

// overview puts several systems side by side. No winner is marked: that takes a paired test.
func overview(views []runView) *term.Table {
	t := &term.Table{Header: []string{"system", "n"}, Right: []bool{1: true}}
	var first []measureView
	for _, m := range views[0].Measures {
		t.Header = append(t.Header, m.Measure)
		t.Right = append(t.Right, true)
	}
	for _, v := range views {
		row := []any{v.System, v.Counts.Scored}
		for _, m := range v.Measures {
			row = append(row, orDash(decimal(m.Mean)))
		}
		t.Add(row...)
		first = append(first, v.Measures[0])
	}
	markDoubts(t, first) // a doubt is one of the run, the same for all its measures
	return t
}
