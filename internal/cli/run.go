package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/project"
)

type runOptions struct {
	*app
	req project.RunRequest
	by  splitFlag
}

func newRun(a *app) *cobra.Command {
	o := &runOptions{app: a}
	cmd := &cobra.Command{
		Use:   "run [SYSTEM...]",
		Short: "Every query through every system, then the numbers",
		Long: `Sends the queries of the test set to the systems named (default: all), keeps every
answer the moment it is there, and scores them. A run that was stopped goes on where
it was, as long as nothing that decides its rankings has changed; failed queries are
tried again. A finished run adds a line to eval_results.jsonl.

Exit code 5 means that more queries failed than run.max_failed allows.`,
		Example: "assay run docs_v3\nassay run --limit 20 --name smoke\nassay run --by leakage,language",
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.req.Name, "name", "", "a `name` to find the run by")
	f.IntVar(&o.req.Limit, "limit", 0, "only the first `N` queries")
	f.StringSliceVar(&o.req.Tags, "tag", nil, "only queries with one of these `tags`")
	f.StringSliceVar(&o.req.Queries, "query", nil, "only these query `ids`")
	f.BoolVar(&o.req.Anew, "new", false, "start a new run even when an unfinished one could go on")
	o.by.add(cmd)
	return cmd
}

func (o *runOptions) run(ctx context.Context, systems []string) error {
	if o.req.Limit < 0 {
		return assay.Usagef("--limit %d: a number of queries is at least 1, and 0 means all", o.req.Limit)
	}
	if _, err := o.by.facets(); err != nil {
		return err
	}
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	if systems, err = chooseSystems(p, systems); err != nil {
		return err
	}
	// What is wrong with the choice of queries is said once here, and not once for every system.
	if _, err := p.Select(o.req); err != nil {
		return err
	}
	doc := runsView{Schema: "assay/run-summary/v1", Runs: []runView{}}
	var failed []error
	for _, name := range systems {
		req := o.req
		req.System = name
		out, err := p.Run(ctx, req)
		o.tell(out)
		if out != nil && out.Scored != nil {
			view, err := o.view(p, out)
			if err != nil {
				return err
			}
			doc.Runs = append(doc.Runs, view)
			if !o.json {
				if err := view.write(o.app); err != nil {
					return err
				}
			}
		}
		if err != nil {
			failed = append(failed, err)
			doc.Failures = append(doc.Failures, newRunFailure(name, out, document(exitCode(ctx, err), err)))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return o.end(ctx, doc, failures(failed))
}

// view is the run as it is shown.
func (o *runOptions) view(p *project.Project, out *project.Outcome) (runView, error) {
	view := newRunView(&out.Run.Info, out.Scored)
	set, err := p.Testset()
	if err != nil {
		return view, err
	}
	return view, o.by.ofRun(o.app, &view, &out.Run.Info, set, out.Scored)
}

// tell says what happened besides the numbers.
func (o *runOptions) tell(out *project.Outcome) {
	if out == nil || out.Run == nil {
		return
	}
	if out.Resumed > 0 {
		o.notef("going on with run %s: %s answered before", out.Run.Info.ID, plural(out.Resumed, "query was", "queries were"))
	}
	if out.Why != "" {
		o.notef("started a new run: %s", out.Why)
	}
	if out.Index != nil {
		o.warn(out.Index.Warnings)
	}
}

// end prints what is due after all systems; err is what went wrong with them.
func (o *runOptions) end(ctx context.Context, doc runsView, err error) error {
	if o.json {
		// One document on standard output: where nothing was scored, the error is that document.
		if len(doc.Runs) == 0 {
			return err
		}
		if werr := o.writeJSON(doc); werr != nil {
			return werr
		}
		if err != nil {
			o.explain(exitCode(ctx, err), err)
			return errQuiet{err}
		}
		return nil
	}
	if len(doc.Runs) > 1 {
		if werr := overview(doc.Runs).Write(o.streams); werr != nil {
			return werr
		}
	}
	return err
}

// chooseSystems checks the systems named, or takes all.
func chooseSystems(p *project.Project, names []string) ([]string, error) {
	var all []string
	for _, s := range p.Config.Systems {
		all = append(all, s.Name)
	}
	if len(all) == 0 {
		return nil, assay.WithHint(assay.Usagef("%s names no system and no corpus", p.Config.File), "add corpus: {path: FOLDER}, or a system")
	}
	for i, n := range names {
		if _, ok := p.Config.System(n); !ok {
			return nil, assay.WithHint(assay.Usagef("no system is named %q%s", n, nearest.Suggest(n, all)), "assay config check shows them")
		}
		if slices.Contains(names[:i], n) {
			return nil, assay.Usagef("system %s is named twice", n)
		}
	}
	if len(names) == 0 {
		return all, nil
	}
	return names, nil
}
