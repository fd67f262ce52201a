package cli

import (
	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/ledger"
)

type baselineOptions struct {
	*app
	system string
}

func newBaseline(a *app) *cobra.Command {
	o := &baselineOptions{app: a}
	cmd := &cobra.Command{
		Use: "baseline", Short: "The run that the gate stands against: set, show, clear",
		Long: `Each system has at most one baseline. It is a copy of a finished run in
baseline/SYSTEM/, to be committed beside the test set, so that a CI job has it.`,
	}
	cmd.PersistentFlags().StringVar(&o.system, "system", "", "only runs of this `system`")
	cmd.AddCommand(&cobra.Command{
		Use: "set [RUN]", Short: "Copy a finished run to baseline/SYSTEM/", Args: cobra.MaximumNArgs(1),
		Long: `RUN is an id, a unique beginning of one, a name, last (when none is given) or last~1. A
baseline that was there is replaced when the new one is whole.`,
		Example: "assay baseline set last --system docs_v3",
		RunE:    func(_ *cobra.Command, args []string) error { return o.set(append(args, "last")[0]) },
	}, &cobra.Command{
		Use: "show", Short: "The baselines there are", Args: cobra.NoArgs, Example: "assay baseline show",
		RunE: func(*cobra.Command, []string) error { return o.show() },
	}, &cobra.Command{
		Use: "clear [SYSTEM]", Short: "Remove the baseline of a system", Args: cobra.MaximumNArgs(1), Example: "assay baseline clear docs_v3",
		RunE: func(_ *cobra.Command, args []string) error { return o.clear(append(args, o.system)[0]) },
	})
	return cmd
}

type baselineDocument struct {
	Schema    string           `json:"schema"`
	Baselines []ledger.RunInfo `json:"baselines"`
}

func (o *baselineOptions) open() (*ledger.Baselines, string, error) {
	dir, err := o.projectDir()
	return ledger.OpenBaselines(dir), dir, err
}

func (o *baselineOptions) set(ref string) error {
	b, dir, err := o.open()
	if err != nil {
		return err
	}
	run, err := ledger.OpenStore(dir).Find(ref, o.system)
	if err != nil {
		return err
	}
	if err := b.Set(run, ledger.OpenHistory(dir).Newest(run.Info.ID)); err != nil {
		return err
	}
	if o.json {
		return o.writeJSON(baselineDocument{"assay/baseline/v1", []ledger.RunInfo{run.Info}})
	}
	o.notef("commit it, so that a CI job has it: git add %s", b.Dir(run.Info.System))
	return o.printf("run %s is the baseline of %s now, in %s\n", run.Info.ID, term.Printable(run.Info.System), b.Dir(run.Info.System))
}

func (o *baselineOptions) show() error {
	b, _, err := o.open()
	if err != nil {
		return err
	}
	runs, bad := b.List()
	for _, err := range bad {
		o.warn([]assay.Warning{{Code: "unreadable_baseline", Text: err.Error()}})
	}
	doc := baselineDocument{Schema: "assay/baseline/v1", Baselines: []ledger.RunInfo{}}
	t := &term.Table{Header: []string{"system", "run", "name", "queries", "failed", "started"}, Right: []bool{3: true, 4: true}}
	for _, r := range runs {
		if i := r.Info; o.system == "" || i.System == o.system {
			doc.Baselines = append(doc.Baselines, i)
			t.Add(i.System, i.ID, orDash(i.Name), i.Counts["queries"], i.Counts["failed"], i.Started.Format("2006-01-02 15:04:05"))
		}
	}
	switch {
	case o.json:
		return o.writeJSON(doc)
	case len(doc.Baselines) == 0:
		o.notef("no baseline yet; `assay baseline set` makes the newest run one")
		return nil
	}
	return t.Write(o.streams)
}

func (o *baselineOptions) clear(system string) error {
	b, _, err := o.open()
	if err != nil {
		return err
	}
	if system == "" {
		runs, _ := b.List()
		if len(runs) != 1 {
			return assay.WithHint(assay.Usagef("there are %d baselines, so name the system", len(runs)), "`assay baseline show` lists them")
		}
		system = runs[0].Info.System
	}
	was, err := b.Clear(system)
	switch {
	case err != nil:
		return err
	case !was:
		return assay.WithHint(assay.Usagef("system %s has no baseline", system), "`assay baseline show` lists them")
	case o.json:
		return o.writeJSON(baselineDocument{"assay/baseline/v1", []ledger.RunInfo{}})
	}
	return o.printf("the baseline of %s is gone; its run is where it was\n", term.Printable(system))
}
