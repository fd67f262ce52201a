package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/ledger"
)

type runsOptions struct {
	*app
	system string
}

func newRuns(a *app) *cobra.Command {
	o := &runsOptions{app: a}
	cmd := &cobra.Command{Use: "runs", Short: "The runs on disk: list, show, remove"}
	cmd.PersistentFlags().StringVar(&o.system, "system", "", "only runs of this `system`")
	cmd.AddCommand(&cobra.Command{
		Use: "list", Short: "Every run in runs/, oldest first", Args: cobra.NoArgs,
		Example: "assay runs list --system docs_v3",
		RunE:    func(*cobra.Command, []string) error { return o.list() },
	}, &cobra.Command{
		Use: "show RUN", Short: "What was run: settings, counts, fingerprint", Args: cobra.ExactArgs(1),
		Long:    "RUN is an id, a unique beginning of one, a name given with --name, last, or last~1.",
		Example: "assay runs show last --system docs_v3",
		RunE:    func(_ *cobra.Command, args []string) error { return o.show(args[0]) },
	}, &cobra.Command{
		Use: "rm RUN...", Short: "Delete runs; their lines in the history stay", Long: "Deletes runs. With --json, the document has those that are gone.", Args: cobra.MinimumNArgs(1),
		Example: "assay runs rm 20261202-101500",
		RunE:    func(_ *cobra.Command, args []string) error { return o.remove(args) },
	})
	return cmd
}

func (o *runsOptions) store() (*ledger.Store, error) {
	dir, err := o.projectDir()
	if err != nil {
		return nil, err
	}
	return ledger.OpenStore(dir), nil
}

type runsDocument struct {
	Schema string           `json:"schema"`
	Runs   []ledger.RunInfo `json:"runs"`
}

func (o *runsOptions) list() error {
	store, err := o.store()
	if err != nil {
		return err
	}
	runs, bad := store.List()
	for _, err := range bad {
		o.warn([]assay.Warning{{Code: "unreadable_run", Text: err.Error()}})
	}
	var systems []string
	for _, r := range runs {
		systems = append(systems, r.Info.System)
	}
	if err := o.knownSystem(o.system, systems); err != nil {
		return err
	}
	runs = slices.DeleteFunc(runs, func(r *ledger.Run) bool { return o.system != "" && r.Info.System != o.system })
	if o.json {
		doc := runsDocument{"assay/runs/v1", []ledger.RunInfo{}}
		for _, r := range runs {
			doc.Runs = append(doc.Runs, r.Info)
		}
		return o.writeJSON(doc)
	}
	if len(runs) == 0 {
		o.notef("no run yet; `assay run` makes one")
		return nil
	}
	t := &term.Table{Header: []string{"run", "system", "name", "status", "queries", "failed", "started"}, Right: []bool{4: true, 5: true}}
	for _, r := range runs {
		i := r.Info
		status, queries, failed := "finished", i.Counts["queries"], i.Counts["failed"]
		if i.Status != ledger.Finished {
			status = "unfinished" // running now, or stopped
			queries, failed = o.soFar(r)
		}
		t.Add(i.ID, i.System, orDash(i.Name), status, queries, failed, i.Started.Format("2006-01-02 15:04:05"))
	}
	return t.Write(o.streams)
}

// soFar counts the results of a run that is not finished.
func (o *runsOptions) soFar(r *ledger.Run) (queries, failed int) {
	done, err := r.Done()
	if err != nil {
		o.warn([]assay.Warning{{Code: "unreadable_run", Text: err.Error()}})
	}
	for _, answered := range done {
		if !answered {
			failed++
		}
	}
	return len(done), failed
}

func (o *runsOptions) show(ref string) error {
	store, err := o.store()
	if err != nil {
		return err
	}
	r, err := store.Find(ref, o.system)
	if err != nil {
		return err
	}
	return o.writeJSON(r.Info)
}

func (o *runsOptions) remove(refs []string) error {
	store, err := o.store()
	if err != nil {
		return err
	}
	var runs []*ledger.Run
	for _, ref := range refs {
		r, err := store.Find(ref, o.system)
		if err != nil {
			return fmt.Errorf("nothing was removed: %w", err)
		}
		runs = append(runs, r)
	}
	doc := runsDocument{"assay/runs/v1", []ledger.RunInfo{}}
	for _, r := range runs {
		if err := store.Remove(r); err != nil {
			return err
		}
		doc.Runs = append(doc.Runs, r.Info)
		o.notef("removed %s", r.Dir)
	}
	if o.json {
		return o.writeJSON(doc)
	}
	return nil
}
