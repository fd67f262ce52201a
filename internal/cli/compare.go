package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/score"
)

type compareOptions struct {
	*app
	system   string
	measures []string
	qrels    project.QrelsOptions
	moves    int
	perQuery bool
	out      []string
	opts     compare.Options
	by       splitFlag
}

func newCompare(a *app) *cobra.Command {
	o := &compareOptions{app: a}
	cmd := &cobra.Command{
		Use:   "compare A B [C...]",
		Short: "Runs against the first of them, query by query: differences, tests, what changed",
		Long: `Scores all sides with the labels as they are now, matches them by query id, and holds
every further one against the first. A side is a run (an id, a unique beginning of one,
a name, last, last~1), a folder such as baseline/docs, a TREC run file, or a file of a
script's rankings: a line {"query":"ID OR TEXT","hits":["ID", ...]} for each query.

A difference comes with its interval, its p-value corrected over the table (Holm), the
queries won and lost, and the smallest difference that this many queries find. Sides
over different queries are refused (exit 6) unless --intersection is given. With
--qrels every side is a TREC run file, and no project is needed.

--out writes a file as well; its ending (.html, .md, .json, .csv) chooses the format.`,
		Example: "assay compare last~1 last --system docs_v3\nassay compare baseline/docs_v3 last --out changes.html\nassay compare last~1 last --by leakage,filter\nassay compare --qrels qrels.txt bm25.run dense.run -m ndcg@10",
		Args:    cobra.MinimumNArgs(2),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.system, "system", "", "only runs of this `system`")
	f.StringSliceVarP(&o.measures, "measure", "m", nil, "compare by these `measures`, the first being the headline; else those of the configuration")
	f.StringVar(&o.qrels.Qrels, "qrels", "", "score TREC run files by the judgments in this `file`")
	f.IntVarP(&o.qrels.Level, "level", "l", 1, "with --qrels: the lowest `grade` that is relevant")
	f.BoolVar(&o.qrels.Complete, "complete", false, "with --qrels: a query that a run file lacks scores 0")
	f.BoolVar(&o.opts.Intersection, "intersection", false, "compare the queries that all sides have")
	o.by.add(cmd)
	f.IntVar(&o.moves, "moves", compare.DefaultMoves, "how many of the largest moves to show")
	f.Uint64Var(&o.opts.Stats.Seed, "seed", 0, "seed of sign flips and draws")
	f.IntVar(&o.opts.Stats.Flips, "flips", 0, "sign flips of the randomization test; 0 for 100,000")
	f.BoolVar(&o.perQuery, "per-query", false, "with --json: the values of every query")
	f.StringArrayVar(&o.out, "out", nil, "write a `file`, too: .html, .md, .json or .csv (repeatable)")
	return cmd
}

func (o *compareOptions) run(ctx context.Context, args []string) error {
	if o.opts.Moves = o.moves; o.moves == 0 {
		o.opts.Moves = -1
	}
	if o.moves < 0 {
		return assay.Usagef("--moves %d: it must be at least 0", o.moves)
	}
	facets, err := o.by.facets()
	if err != nil {
		return err
	}
	if o.by.asked() && o.qrels.Qrels != "" {
		return assay.Usagef("--by and --qrels do not go together: of the queries of judgments nothing is known but their ids")
	}
	files, err := o.outputs(o.out, ".html", ".md", ".json", ".csv")
	if err != nil {
		return err
	}
	defer files.discard()
	res, err := o.compare(ctx, args, facets)
	if err != nil {
		return err
	}
	o.by.missing(o.app, func(by score.Facet) bool {
		return slices.ContainsFunc(res.Pairs, func(p compare.Pair) bool {
			return p.SmallStrata > 0 || slices.ContainsFunc(p.Strata, func(s compare.Stratum) bool { return s.Facet == string(by) })
		})
	})
	if o.perQuery {
		res.Queries = slices.Collect(res.Rows())
	}
	model := report.Comparison(res)
	if err := files.write(model); err != nil {
		return err
	}
	if o.json {
		return o.writeJSON(res)
	}
	o.warn(res.Caveats) // before any number
	return o.show(model)
}

func (o *compareOptions) compare(ctx context.Context, args []string, facets []score.Facet) (*compare.Result, error) {
	measures, err := parseMeasures(o.measures)
	if err != nil {
		return nil, err
	}
	if o.qrels.Qrels != "" {
		if len(measures) == 0 {
			if measures, err = parseMeasures(config.Default().Measures); err != nil {
				return nil, err
			}
		}
		return project.CompareFiles(ctx, args, o.qrels, measures, o.opts)
	}
	p, err := o.open()
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if len(measures) == 0 {
		if measures, err = p.Measures(); err != nil {
			return nil, err
		}
	}
	return p.Compare(ctx, project.CompareRequest{Sides: args, System: o.system, Measures: measures, Facets: facets, Options: o.opts})
}

// parseMeasures reads measures named on the command line; none gives none.
func parseMeasures(names []string) ([]measure.Measure, error) {
	if len(names) == 0 {
		return nil, nil
	}
	out, err := measure.ParseList(names...)
	return out, assay.Classify(err, assay.ErrUsage)
}
