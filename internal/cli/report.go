package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/score"
)

type reportOptions struct {
	*app
	system string
	worst  int
	by     splitFlag
	out    []string
}

func newReport(a *app) *cobra.Command {
	o := &reportOptions{app: a}
	cmd := &cobra.Command{
		Use:   "report [RUN]",
		Short: "One run explained: measures, latencies, the worst queries",
		Long: `Scores a run with the labels as they are now, says where that differs from what was
recorded, and shows the queries it did worst on with what came back instead. RUN is an
id, a unique beginning of one, a name, last (the default) or last~1. Without RUN and
with several systems, the last run of each is shown.

--out writes the whole report to a file as well, with figures, the parts of the test
set, the retrieved texts and the fingerprint. The ending of its name is the format:
.html is one page that loads nothing, .md reads well on a forge, .json is what --json
prints, .csv holds every query.`,
		Example: "assay report last --system docs_v3\nassay report --out report.html\nassay report --by filter,selectivity,leakage",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.system, "system", "", "only runs of this `system`")
	o.by.add(cmd)
	f.IntVar(&o.worst, "worst", 10, "how many of the worst queries to show")
	f.StringArrayVar(&o.out, "out", nil, "write a `file`, too: .html, .md, .json or .csv (repeatable)")
	return cmd
}

// reportDocument is the report of one run.
type reportDocument struct {
	Schema string  `json:"schema"`
	Run    runView `json:"run"`
	*report.Explanation
}

// reportsDocument is that of the last run of each system.
type reportsDocument struct {
	Schema  string           `json:"schema"`
	Reports []reportDocument `json:"reports"`
}

func (o *reportOptions) run(ctx context.Context, args []string) error {
	if o.worst < 0 {
		return assay.Usagef("--worst %d: it must be at least 0", o.worst)
	}
	facets, err := o.by.facets()
	if err != nil {
		return err
	}
	files, err := o.outputs(o.out, ".html", ".md", ".json", ".csv")
	if err != nil {
		return err
	}
	defer files.discard()
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	runs, err := o.find(p, args)
	if err != nil {
		return err
	}
	docs, err := o.explain(ctx, p, runs, facets)
	if err != nil {
		return err
	}
	models := o.models(docs, facets)
	whole := models[len(models)-1] // of all runs
	if err := files.write(whole); err != nil {
		return err
	}
	if o.json {
		return o.writeJSON(whole.Document)
	}
	for i := range docs {
		if i > 0 {
			if err := o.printf("\n"); err != nil {
				return err
			}
		}
		if err := o.show(models[i]); err != nil {
			return err
		}
	}
	return nil
}

// find is the run asked for; where none is and there are several systems, the last one of each.
func (o *reportOptions) find(p *project.Project, args []string) ([]*ledger.Run, error) {
	ref := append(args, "last")[0]
	if len(args) == 0 && o.system == "" {
		if last, err := p.Runs().LastOfEach(); err != nil || len(last) > 1 {
			return last, err
		}
	}
	run, err := p.Runs().Find(ref, o.system)
	return []*ledger.Run{run}, err
}

// explain makes the document of each run.
func (o *reportOptions) explain(ctx context.Context, p *project.Project, runs []*ledger.Run, facets []score.Facet) ([]reportDocument, error) {
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	docs := make([]reportDocument, len(runs))
	for i, run := range runs {
		r, err := p.Report(ctx, run, set, o.worst, o.cut(facets))
		if err != nil {
			return nil, err
		}
		docs[i] = reportDocument{"assay/report/v1", newRunView(&run.Info, r.Scored), r}
		docs[i].Run.strata(r.Scored, r.Splits, facets)
		o.by.missing(o.app, docs[i].Run.hasStrata)
	}
	return docs, nil
}

// cut is by what a run is split: a page and a document have every facet that tells queries apart, a terminal those asked for.
func (o *reportOptions) cut(facets []score.Facet) []score.Facet {
	switch asked := o.by.asked(); {
	case asked && len(o.out) > 0 && facets != nil:
		return score.Facets() // those asked for are shown though they may have one value only
	case asked:
		return facets
	case o.json || len(o.out) > 0:
		return nil
	}
	return []score.Facet{}
}

// models are the reports of the runs and, of several, one that sets them side by side.
func (o *reportOptions) models(docs []reportDocument, facets []score.Facet) []*report.Model {
	opts := report.RunOptions{Version: project.Version}
	if o.by.asked() {
		if opts.Facets = facets; facets == nil {
			opts.Facets = score.Facets()
		}
	}
	var out []*report.Model
	all := make([]*report.Explanation, len(docs))
	for i := range docs {
		opts.Document = docs[i]
		all[i] = docs[i].Explanation
		out = append(out, all[i].Model(opts))
	}
	if len(docs) > 1 {
		opts.Document = reportsDocument{"assay/reports/v1", slices.Clone(docs)}
		out = append(out, report.Overview(all, opts))
	}
	return out
}
