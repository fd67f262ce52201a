package cli

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/report"
)

type gateOptions struct {
	*app
	req         project.GateRequest
	strict      bool
	lenient     bool
	junit       string
	markdown    string
	out         []string
	annotations bool
}

func newGate(a *app) *cobra.Command {
	o := &gateOptions{app: a}
	cmd := &cobra.Command{
		Use:   "gate [RUN]",
		Short: "Hold a run against the rules of the configuration: a verdict and an exit code",
		Long: `Judges a run (the newest when none is named) by gate.rules of the configuration, scored
with the labels as they are now. Rules on a drop or a rise are against the baseline of
its system (assay baseline set) or another run (--baseline).

  recall@10 drop < 0.02        passes when the whole 95 % interval of the paired drop is
                               below 0.02; a drop beyond chance is a regression; between
                               the two it is inconclusive, and says how many queries
                               would settle it. Drops are absolute: 0.02 is two points.
  recall@10 >= 0.8             passes when the interval of the mean is at 0.8 or above,
                               is a regression when it is below, else inconclusive
  latency_p95_ms < 400         a percentile of the whole query, or of a stage:
  search_p50_ms < 20           embed, search, fuse, rerank
  latency_p95_ms rise < 20%    against the baseline, on the same machine with the same
                               number of queries at once only

Regressions are corrected for the number of rules (Holm), passes are not. Under 30
independent queries nothing passes. Exit codes: 0 pass, 3 regression, 4 inconclusive,
5 too many queries failed, 6 no baseline or other queries, 2 nothing to judge by.`,
		Example: "assay gate --system docs_v3\nassay gate last --strict --junit gate.xml --markdown gate.md\nassay gate --baseline last~1",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), append(args, "")[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.req.System, "system", "", "only runs of this `system`")
	f.StringVar(&o.req.Baseline, "baseline", "", "stand against this `run`, folder or file of rankings instead of the baseline that was set")
	f.BoolVar(&o.strict, "strict", false, "inconclusive is failure (exit 3)")
	f.BoolVar(&o.lenient, "lenient", false, "inconclusive is success (exit 0)")
	f.BoolVar(&o.req.Intersection, "intersection", false, "judge by the queries that run, baseline and test set have in common")
	f.StringVar(&o.junit, "junit", "", "write JUnit XML to this `file`")
	f.StringVar(&o.markdown, "markdown", "", "write a block for a pull request's comment to this `file`")
	f.StringArrayVar(&o.out, "out", nil, "write a `file`, too: .html, .md, .json or .csv (repeatable)")
	f.BoolVar(&o.annotations, "annotations", os.Getenv("GITHUB_ACTIONS") == "true", "print annotations for GitHub Actions on standard error")
	return cmd
}

func (o *gateOptions) run(ctx context.Context, ref string) error {
	o.req.Run, o.req.Policy = ref, gate.Default
	switch {
	case o.strict && o.lenient:
		return assay.Usagef("--strict and --lenient say opposite things of an inconclusive rule: give one")
	case o.strict:
		o.req.Policy = gate.Strict
	case o.lenient:
		o.req.Policy = gate.Lenient
	}
	files, err := o.files()
	if err != nil {
		return err
	}
	defer files.discard()
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	v, err := p.Gate(ctx, o.req)
	if err != nil {
		return err
	}
	o.relate(v)
	if err := o.print(v, &files); err != nil {
		return err
	}
	if err := v.Err(); err != nil {
		return errQuiet{err}
	}
	return nil
}

// files opens what is written beside the result, before any work.
func (o *gateOptions) files() (outputFiles, error) {
	files, err := o.outputs(o.out, ".html", ".md", ".json", ".csv")
	if err != nil {
		return files, err
	}
	if o.junit != "" {
		err = files.add(o.junit, func(w io.Writer, m *report.Model) error { return gate.WriteJUnit(w, m.Document.(*gate.Verdict)) })
	}
	if o.markdown != "" && err == nil {
		err = files.add(o.markdown, report.WriteMarkdown)
	}
	if err != nil {
		files.discard()
	}
	return files, err
}

// relate names the configuration from where the command runs, as forges want it.
func (o *gateOptions) relate(v *gate.Verdict) {
	for i := range v.Rules {
		if rel, err := filepath.Rel(cmp.Or(os.Getenv("GITHUB_WORKSPACE"), "."), v.Rules[i].Where); err == nil {
			v.Rules[i].Where = rel
		}
	}
}

// print shows the verdict and writes the files. A file that cannot be written is said, and changes no exit code: the verdict is
// about the run.
func (o *gateOptions) print(v *gate.Verdict, files *outputFiles) error {
	model := report.Gate(v)
	if err := files.write(model); err != nil {
		o.warn([]assay.Warning{{Code: "not_written", Text: err.Error()}})
	}
	if o.annotations {
		if err := gate.WriteAnnotations(o.streams.Err, v); err != nil {
			return err
		}
	}
	if o.json {
		return o.writeJSON(v)
	}
	return o.show(model)
}
