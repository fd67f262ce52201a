package cli

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/report"
)

type historyOptions struct {
	*app
	system   string
	since    string
	measures []string
	limit    int
	trend    bool
	out      []string
}

func newHistory(a *app) *cobra.Command {
	o := &historyOptions{app: a}
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Every run so far, oldest first, with its numbers and their trend",
		Long: `Reads eval_results.jsonl, the plain history of the project, and prints a line a
run. Lines that a script of your own wrote as {"timestamp","config","metrics"}
are history too. Times are shown in UTC.

On a terminal a trend follows for each system: a bar a run, and below it a flag where
the fingerprint changed, with what changed. Runs on both sides of a flag were not made
the same way. --out writes the trends with their intervals as a picture (.svg) or with
the runs (.html); .csv holds every run.`,
		Example: "assay history --system docs_v3 --measure recall@10\nassay history --since 720h --out history.html",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return o.run() },
	}
	f := cmd.Flags()
	f.StringVar(&o.system, "system", "", "only runs of this `system`")
	f.StringVar(&o.since, "since", "", "only runs since a `time` (2026-12-01) or for a duration (720h)")
	f.StringSliceVarP(&o.measures, "measure", "m", nil, "only these `measures`")
	f.IntVarP(&o.limit, "limit", "n", 0, "only the newest `N` runs")
	f.BoolVar(&o.trend, "trend", false, "draw the trends in a pipe, too")
	f.StringArrayVar(&o.out, "out", nil, "write a `file`, too: .svg, .html, .md or .csv (repeatable)")
	return cmd
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
	files, err := o.outputs(o.out, ".svg", ".html", ".md", ".csv")
	if err != nil {
		return err
	}
	defer files.discard()
	h := ledger.OpenHistory(dir)
	h.Warn = o.warnOne
	index, err := o.index(h, since)
	if err != nil {
		return err
	}
	for _, err := range index.Bad {
		o.unreadable(err)
	}
	if o.measures, err = o.columns(h, index); err != nil {
		return err
	}
	if o.limit > 0 {
		index = index.Newest(o.limit)
	}
	if index.Len() == 0 && !o.json && len(o.out) == 0 {
		if o.since != "" {
			o.notef("no run in %s since %s", h.Path(), o.since)
			return nil
		}
		o.notef("no run in %s yet; `assay run` adds one", h.Path())
		return nil
	}
	if len(o.out) > 0 || !o.json {
		if err := o.draw(index, files); err != nil {
			return err
		}
	}
	if o.json {
		return o.stream(h.Path(), index)
	}
	return nil
}

func (o *historyOptions) unreadable(err error) {
	o.warnOne(assay.Warning{Code: "unreadable_line", Text: err.Error() + "; the line is left out"})
}

// index finds the records asked for, having checked that there is such a system.
func (o *historyOptions) index(h *ledger.History, since time.Time) (*ledger.Index, error) {
	labels := map[string]bool{}
	index, err := h.Index(func(p *ledger.Point) bool {
		if !labels[p.System] {
			labels[strings.Clone(p.System)] = true
		}
		return (o.system == "" || p.System == o.system) && !p.Timestamp.Before(since)
	})
	if path := (*fs.PathError)(nil); errors.As(err, &path) { // no line of it, but the file
		return nil, assay.Classify(err, assay.ErrUsage)
	}
	if err != nil {
		return nil, err
	}
	return index, o.knownSystem(o.system, slices.Sorted(maps.Keys(labels)))
}

// draw writes the files and, unless a program reads the output, shows the history.
func (o *historyOptions) draw(index *ledger.Index, files outputFiles) error {
	model := report.History(report.HistoryInput{Index: index, Measures: o.measures, Warn: o.unreadable,
		Trends: o.trend || o.streams.OutTTY || len(o.out) > 0})
	if err := files.write(model.Leading(report.Trends)); err != nil {
		return err
	}
	if o.json {
		return nil
	}
	return report.Terminal{Streams: o.streams, Warn: o.warn, Note: o.notef, Figures: o.trend}.Write(model)
}

// columns are the measures asked for, else those of the newest record: the configured ones first, in the
// order of the configuration, at most six so that a line stays readable.
func (o *historyOptions) columns(h *ledger.History, index *ledger.Index) ([]string, error) {
	last, ok := index.Latest(o.unreadable)
	if !ok {
		return o.recorded(h)
	}
	newest := last.Metrics
	if len(o.measures) > 0 {
		have := map[string]bool{}
		for name := range newest {
			have[name] = true
		}
		if found, err := recordedMeasures(o.measures, have); err == nil {
			return found, nil
		}
		return o.recorded(h)
	}
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
	return cols[:min(6, len(cols))], nil
}

// recorded are the measures asked for, which any run of the system may have recorded: all are read, in full.
func (o *historyOptions) recorded(h *ledger.History) ([]string, error) {
	have := map[string]bool{}
	if len(o.measures) > 0 {
		for r, err := range h.All() {
			if err != nil || o.system != "" && r.Label() != o.system {
				continue
			}
			for name := range r.Metrics {
				have[name] = true
			}
		}
	}
	return recordedMeasures(o.measures, have)
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
