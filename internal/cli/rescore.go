package cli

import (
	"context"

	"github.com/spf13/cobra"
)

func newRescore(a *app) *cobra.Command {
	var system string
	var by splitFlag
	cmd := &cobra.Command{
		Use:   "rescore RUN...",
		Short: "Apply today's labels to finished runs and record the numbers anew",
		Long: `Rankings do not change; the labels may have. Scores the runs with the labels as they
are now, writes scores.jsonl and adds a line to the history that is marked as rescored.`,
		Example: "assay rescore last --system docs_v3",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.rescore(cmd.Context(), system, &by, args) },
	}
	cmd.Flags().StringVar(&system, "system", "", "only runs of this `system`")
	by.add(cmd)
	return cmd
}

func (a *app) rescore(ctx context.Context, system string, by *splitFlag, refs []string) error {
	if _, err := by.facets(); err != nil {
		return err
	}
	p, err := a.open()
	if err != nil {
		return err
	}
	defer p.Close()
	set, err := p.Testset()
	if err != nil {
		return err
	}
	var views []runView
	for _, ref := range refs {
		run, err := p.Runs().Find(ref, system)
		if err != nil {
			return err
		}
		scored, err := p.Rescore(ctx, run)
		if err != nil {
			return err
		}
		view := newRunView(&run.Info, scored)
		if err := by.ofRun(a, &view, &run.Info, set, scored); err != nil {
			return err
		}
		views = append(views, view)
		if !a.json {
			if err := view.write(a); err != nil {
				return err
			}
		}
	}
	if a.json {
		return a.writeJSON(runsView{Schema: "assay/run-summary/v1", Runs: views})
	}
	return nil
}
