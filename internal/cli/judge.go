package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/label"
)

type judgeOptions struct {
	*app
	only       string
	again      bool
	dryRun     bool
	showPrompt bool
	probe      int
	workers    int
	budget     label.Budget
}

func newJudge(a *app) *cobra.Command {
	o := &judgeOptions{app: a}
	cmd := &cobra.Command{
		Use:   "judge [RUN...]",
		Short: "Have a local language model grade what the runs retrieved",
		Long: `Takes the top hits of the runs named (default: the newest of every system) and of
BM25, folds near-duplicates, leaves out what is judged already, and has a model grade
the rest from 0 to 3. A grade of 2 or 3 must quote the passage. A reply that is no
grade is counted, asked for once more, and kept in testset/judge_failures.jsonl; it
never becomes a grade. What people have graded is judged too, so that ` + "`assay agree`" + `
can measure the judge: before that, numbers on its labels pass no gate.

Killed and run again it goes on where it was. Exit code 5 means that more passages
got no grade than judge.max_failed allows.`,
		Example: "assay judge --dry-run\nassay judge last last~1 --model judge --depth 10\nassay judge check",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	judgeFlags(cmd)
	f := cmd.Flags()
	f.Int("depth", 0, "top hits of each run that are judged (judge.depth)")
	f.StringVar(&o.only, "only", "", "pool: the runs' hits; people: what people graded; default both")
	f.BoolVar(&o.again, "again", false, "also ask about passages that earlier calls failed on")
	f.BoolVar(&o.dryRun, "dry-run", false, "say what it would cost, from a few calls, and store no label")
	f.IntVar(&o.probe, "probe", 3, "calls that a dry run makes; 0 for none")
	f.BoolVar(&o.showPrompt, "show-prompt", false, "print the prompt and the schema of the reply, and stop")
	f.IntVar(&o.workers, "workers", 1, "model calls under way at once")
	f.IntVar(&o.budget.Items, "limit", 0, "judge at most `N` passages")
	f.IntVar(&o.budget.Tokens, "max-tokens", 0, "stop after `N` tokens, read and written")
	f.DurationVar(&o.budget.Time, "max-time", 0, "stop after this time, such as 30m")
	cmd.AddCommand(newJudgeCheck(a))
	return cmd
}

// judgeFlags adds the flags that are settings of the configuration under a shorter name.
func judgeFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("model", "", "`name` of the chat model (judge.model)")
	f.String("rubric", "", "umbrela, binary or a `file` (judge.rubric)")
	f.Uint64("seed", 0, "seed of the order (judge.seed)")
}

// overrideJudge takes those flags for settings.
func overrideJudge(a *app, cmd *cobra.Command) {
	a.override(cmd, "judge", "model", "rubric", "seed", "depth")
}

func (o *judgeOptions) run(cmd *cobra.Command, runs []string) error {
	if err := o.check(); err != nil {
		return err
	}
	overrideJudge(o.app, cmd)
	if o.showPrompt {
		return o.prompt()
	}
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	ctx := cmd.Context()
	plan, err := p.PlanJudging(ctx, project.JudgeRequest{Runs: runs, Pool: o.only != "people", People: o.only != "pool", Again: o.again})
	if err != nil {
		return err
	}
	overlap, err := p.FamilyOverlap(plan.Judge.Identity.Model)
	if err != nil {
		return err
	}
	o.announce(plan)
	o.warn(overlap)
	if o.dryRun {
		return o.estimate(ctx, plan, overlap)
	}
	tally, err := p.Judging(ctx, plan, o.workers, o.budget)
	return o.end(ctx, p, plan, runs, tally, overlap, err)
}

func (o *judgeOptions) check() error {
	switch {
	case o.only != "" && o.only != "pool" && o.only != "people":
		return assay.Usagef("--only %q: it is pool or people", o.only)
	case o.probe < 0 || o.workers < 1 || o.budget.Items < 0 || o.budget.Tokens < 0 || o.budget.Time < 0:
		return assay.Usagef("--probe, --limit, --max-tokens and --max-time must be at least 0, --workers at least 1")
	}
	return nil
}

// prompt shows what the model is asked.
func (o *judgeOptions) prompt() error {
	cfg, err := o.config()
	if err != nil {
		return err
	}
	r, err := label.LoadRubric(cfg.Judge.Rubric)
	if err != nil {
		return err
	}
	if o.json {
		return o.writeJSON(promptDocument{"assay/judge-prompt/v1", r.Name, r.PromptID(), r.ShowPrompt(), r.Schema()})
	}
	o.notef("rubric %s, prompt %s; the reply must satisfy %s", r.Name, r.PromptID(), r.Schema())
	return o.printf("%s", r.ShowPrompt())
}

// announce says the size of the work before anything is asked.
func (o *judgeOptions) announce(plan *project.JudgePlan) {
	o.notef("judge %s", plan.Judge.Name())
	if plan.Pool != nil {
		o.notef("pool: %s, top %d: %s, %d judged already, %d to judge", plural(len(plan.Pool.Sources), "ranking", "rankings"), plan.Pool.Depth,
			plural(plan.Pool.Size(), "passage", "passages"), len(plan.Pool.Judged), len(plan.Pool.Items))
		for _, s := range plan.Pool.Sources {
			if s.NoText > 0 {
				o.warn([]assay.Warning{{Code: "no_text", Text: fmt.Sprintf("%s: %s without text, which nobody can judge", s.Name, plural(s.NoText, "hit", "hits"))}})
			}
		}
	}
	if plan.Measuring > 0 {
		o.notef("people graded %s that this judge did not: they come first, to measure it by", plural(plan.Measuring, "passage", "passages"))
	}
	if plan.Gone > 0 {
		o.notef("%s left out that it failed on before; --again asks once more", plural(plan.Gone, "passage is", "passages are"))
	}
}

// end prints what came of it.
func (o *judgeOptions) end(ctx context.Context, p *project.Project, plan *project.JudgePlan, runs []string, tally label.Tally, overlap []assay.Warning, err error) error {
	doc := newJudgeDocument(plan, tally)
	doc.Warnings = append(doc.Warnings, overlap...)
	if err == nil {
		err = tooManyFailed(tally, p.Config.Judge.MaxFailed)
	}
	if plan.Pool != nil && ctx.Err() == nil {
		cfg := p.Config.Judge
		pool, perr := p.Pool(ctx, project.PoolRequest{Runs: runs, Depth: cfg.Depth, Seed: cfg.Seed})
		if perr != nil {
			return errors.Join(err, perr)
		}
		doc.setSources(pool)
	}
	if o.json {
		if werr := o.writeJSON(doc); werr != nil {
			return werr
		}
		if err != nil {
			o.explain(exitCode(ctx, err), err)
			return errQuiet{err}
		}
		return nil
	}
	if werr := doc.write(o.app); werr != nil {
		return werr
	}
	return err
}

func tooManyFailed(t label.Tally, most float64) error {
	asked := t.Graded + t.Failed
	if t.Failed == 0 || float64(t.Failed) <= most*float64(asked) {
		return nil
	}
	return assay.WithHint(assay.Classify(fmt.Errorf("%d of %d passages got no grade, more than judge.max_failed (%g) allows", t.Failed, asked, most), assay.ErrIncomplete),
		"testset/%s has every reply; a stronger model, or --rubric binary, helps; --again asks once more", label.FailuresFile)
}

// estimate makes a few calls and says what all of them would cost. The replies are cached, so the calls are not wasted.
func (o *judgeOptions) estimate(ctx context.Context, plan *project.JudgePlan, overlap []assay.Warning) error {
	jobs := len(plan.Jobs)
	if o.budget.Items > 0 {
		jobs = min(jobs, o.budget.Items)
	}
	doc := newJudgeDocument(plan, label.Tally{Wanted: len(plan.Jobs), Left: len(plan.Jobs)})
	doc.Warnings = overlap
	if plan.Pool != nil {
		doc.setSources(plan.Pool)
	}
	doc.Cost = &costView{Passages: jobs, Calls: float64(jobs)}
	if n := min(o.probe, jobs); n > 0 {
		probe := make([]label.Job, n)
		for i := range probe {
			probe[i] = plan.Jobs[i*jobs/n]
		}
		t, err := label.Judging{Judge: plan.Judge, Jobs: probe, Workers: 1, Keep: func(label.Job, assay.Label) error { return nil },
			Fail: func(label.Failure) error { return nil }}.Run(ctx)
		if err != nil {
			return err
		}
		doc.Cost.extrapolate(t, jobs, o.workers)
	}
	if o.json {
		return o.writeJSON(doc)
	}
	return doc.Cost.write(o.app)
}
