package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/ledger"
)

type historyOptions struct {
	*app
	system   string
	since    string
	measures []string
	limit    int
}

func newHistory(a *app) *cobra.Command {
	o := &historyOptions{app: a}
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Every run so far, oldest first, with its numbers",
		Long: `Reads eval_results.jsonl, the plain history of the project, and prints a line a
run. Lines that a script of your own wrote as {"timestamp","config","metrics"}
are history too. Times are shown in UTC.`,
		Example: "assay history --system docs_v3 --measure recall@10",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return o.run() },
	}
	f := cmd.Flags()
	f.StringVar(&o.system, "system", "", "only runs of this `system`")
	f.StringVar(&o.since, "since", "", "only runs since a `time` (2026-12-01) or for a duration (720h)")
	f.StringSliceVarP(&o.measures, "measure", "m", nil, "only these `measures`")
	f.IntVarP(&o.limit, "limit", "n", 0, "only the newest `N` runs")
	return cmd
}

type historyDocument struct {
	Schema  string          `json:"schema"`
	File    string          `json:"file"`
	Records []ledger.Record `json:"records"`
}

func (o *historyOptions) run() error {
	dir, err := o.projectDir()
	if err != nil {
		return err
	}
	since, err := parseSince(o.since)
	if err != nil {
		return err
	}
	if o.limit < 0 {
		return assay.Usagef("--limit %d: a number of runs is at least 1, and 0 means all", o.limit)
	}
	h := ledger.OpenHistory(dir)
	h.Warn = o.warnOne
	records, bad := h.Sorted(nil)
	for _, err := range bad {
		if path := (*fs.PathError)(nil); errors.As(err, &path) { // no line of it, but the file
			return assay.Classify(err, assay.ErrUsage)
		}
	}
	if err := o.knownSystem(o.system, labels(records)); err != nil {
		return err
	}
	records = slices.DeleteFunc(records, func(r ledger.Record) bool { return o.system != "" && r.Label() != o.system })
	if o.measures, err = recordedMeasures(o.measures, records); err != nil {
		return err
	}
	records = slices.DeleteFunc(records, func(r ledger.Record) bool { return r.Timestamp.Before(since) })
	for _, err := range bad {
		o.warn([]assay.Warning{{Code: "unreadable_line", Text: err.Error() + "; the line is left out"}})
	}
	if o.limit > 0 && len(records) > o.limit {
		records = records[len(records)-o.limit:]
	}
	if o.json {
		return o.writeJSON(historyDocument{"assay/history/v1", h.Path(), append([]ledger.Record{}, records...)})
	}
	if len(records) == 0 {
		o.notef("no run in %s yet; `assay run` adds one", h.Path())
		return nil
	}
	return historyTable(records, o.columns(records)).Write(o.streams)
}

// columns are the measures asked for, else those of the newest record: the configured ones first, in the
// order of the configuration, at most six so that a line stays readable.
func (o *historyOptions) columns(records []ledger.Record) []string {
	if len(o.measures) > 0 {
		return o.measures
	}
	newest := records[len(records)-1].Metrics
	var cols []string
	// History is readable without a configuration, or with one that is broken by now.
	if cfg, err := o.config(); err == nil {
		cols = slices.DeleteFunc(slices.Clone(cfg.Measures), func(m string) bool { _, ok := newest[m]; return !ok })
	}
	for _, m := range slices.Sorted(maps.Keys(newest)) {
		if m != ledger.NQueries && !slices.Contains(cols, m) {
			cols = append(cols, m)
		}
	}
	return cols[:min(6, len(cols))]
}

func historyTable(records []ledger.Record, cols []string) *term.Table {
	t := &term.Table{Header: slices.Concat([]string{"time", "run", "system", "n"}, cols)}
	t.Right = make([]bool, len(t.Header))
	for i := range t.Right {
		t.Right[i] = i >= 3
	}
	for _, r := range records {
		row := []any{r.Timestamp.Format("2006-01-02 15:04"), orDash(shortRun(r)), r.Label(), orDash(number(r.Metrics, ledger.NQueries, "%.0f"))}
		for _, c := range cols {
			row = append(row, orDash(number(r.Metrics, c, "%.4f")))
		}
		t.Add(row...)
	}
	return t
}

func shortRun(r ledger.Record) string {
	name := cmp.Or(r.Name, r.Run)
	if r.Rescored {
		name += " (rescored)"
	}
	return name
}

func orDash(s string) string { return cmp.Or(s, "-") }

func number(m map[string]float64, key, format string) string {
	v, ok := m[key]
	if !ok {
		return ""
	}
	return fmt.Sprintf(format, v)
}

// parseSince reads a point in time or a duration back from now; "" is the beginning.
func parseSince(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(strings.TrimPrefix(s, "-")); err == nil {
		return time.Now().Add(-d), nil
	}
	t, err := ledger.ParseTime(s)
	if err != nil {
		return time.Time{}, assay.WithHint(assay.Usagef("--since: %w", err), "a day is 2026-12-01, a month back is 720h")
	}
	return t.Time, nil
}
