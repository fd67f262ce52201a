package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/trec"
	"github.com/assay-eval/assay/trec/treceval"
)

type scoreOptions struct {
	*app
	treceval.Options
	format, compat string
	seed           uint64
	relFormat      string
	zscores        string
}

// The output formats.
const (
	formatTREC  = "trec"
	formatTable = "table"
	formatJSON  = "json"
	formatCSV   = "csv"
)

// defaultMeasures are scored when none is asked for: what papers and dashboards lead with.
var defaultMeasures = []string{"ndcg@10", "mrr@10", "recall@10", "recall@100", "map", "p@10"}

func newScore(a *app) *cobra.Command {
	o := &scoreOptions{app: a}
	cmd := &cobra.Command{
		Use:   "score QRELS RUN...",
		Short: "Score TREC runs against qrels, from files",
		Long: `Scores run files (query Q0 document rank score tag) against qrels (query iteration
document grade, or BEIR's tab-separated form). Files may be gzip or zstd; - is
standard input.

The table has a mean and a 95 % interval for each measure and run. Every query of the
qrels counts: one that the run lacks scores 0 and is reported, one without a relevant
document is left out and counted. With --format trec the output equals trec_eval's byte
for byte, habits included; --compat 10 selects its current release instead of the one
that pytrec_eval, ir_measures and published numbers use.

A measure is written ndcg@10; the spellings of trec_eval and ir_measures are understood.
assay measures lists them.`,
		Example: `assay score qrels.txt bm25.run dense.run
assay score qrels.txt bm25.run --format trec -m all_trec -q`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Qrels = args[0]
			return o.run(cmd.Context(), cmd, args[1:])
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&o.Measures, "measure", "m", nil, "`measure` to compute (repeatable)")
	f.BoolVarP(&o.PerQuery, "per-query", "q", false, "print every query too")
	f.BoolVarP(&o.Complete, "complete", "c", false, "trec: average over all queries of the qrels (the other formats always do)")
	f.IntVarP(&o.Level, "level", "l", 1, "lowest `grade` that counts as relevant")
	f.IntVarP(&o.Depth, "depth", "M", 0, "look at the first `N` documents of a query only")
	f.BoolVarP(&o.NoSummary, "no-summary", "n", false, "do not print the means")
	f.BoolVarP(&o.JudgedOnly, "judged-only", "J", false, "drop unjudged documents before scoring")
	f.Int64VarP(&o.NumDocs, "num-docs", "N", 0, "trec: `documents` in the collection, for utility")
	f.StringVar(&o.format, "format", "", "trec, table, json or csv (default table)")
	f.StringVar(&o.compat, "compat", "9", "`release` of trec_eval to follow: 9 or 10")
	f.Uint64Var(&o.seed, "seed", 0, "`seed` of the bootstrap")
	f.IntVar(&o.Workers, "workers", 0, "parallel readers (default: one per core)")
	f.StringVarP(&o.relFormat, "rel-format", "R", "qrels", "format of the judgments; only qrels is read yet")
	f.StringVarP(&o.zscores, "zscores", "Z", "", "not supported yet")
	// -c and -q mean here what they mean to trec_eval, so the global flags lose their short forms.
	f.StringVar(&a.configFile, "config", a.configFile, "configuration `file`, not used by this command")
	f.BoolVar(&a.quiet, "quiet", false, "no notes")
	for _, name := range []string{"config", "rel-format", "zscores"} {
		_ = f.MarkHidden(name) // defined above
	}
	return cmd
}

func (o *scoreOptions) run(ctx context.Context, cmd *cobra.Command, runs []string) error {
	if err := o.check(cmd, runs); err != nil {
		return err
	}
	if o.format == formatTREC {
		o.Run = runs[0]
		return treceval.Score(ctx, o.Options, o.streams.Out)
	}
	names := o.Measures
	if len(names) == 0 {
		names = defaultMeasures
	}
	list, err := measure.ParseList(names...)
	if err != nil {
		return err
	}
	report, err := o.score(ctx, withJudged(list), runs)
	if err != nil {
		return err
	}
	for _, r := range report.Runs {
		for _, w := range r.Warnings {
			o.warn([]assay.Warning{{Code: w.Code, Text: r.Run + ": " + w.Text}})
		}
	}
	switch o.format {
	case formatJSON:
		return o.writeJSON(report)
	case formatCSV:
		return report.writeCSV(o)
	}
	return report.writeTable(o)
}

// check settles the format and refuses what does not go together, before any file is opened.
func (o *scoreOptions) check(cmd *cobra.Command, runs []string) (err error) {
	if o.json {
		if o.format != "" && o.format != formatJSON {
			return assay.Usagef("--json and --format %s contradict each other", o.format)
		}
		o.format = formatJSON
	}
	o.format = cmp.Or(o.format, formatTable)
	if !slices.Contains([]string{formatTREC, formatTable, formatJSON, formatCSV}, o.format) {
		return assay.Usagef("unknown format %q: trec, table, json or csv", o.format)
	}
	if o.Release, err = trec.ParseRelease(o.compat); err != nil {
		return assay.Classify(err, assay.ErrUsage)
	}
	stdin := 0
	for _, name := range append([]string{o.Qrels}, runs...) {
		if name == trec.Stdin {
			stdin++
		}
	}
	switch {
	case o.relFormat != "qrels":
		return assay.Usagef("-R %s is not supported yet; judgments are read in the format qrels", o.relFormat)
	case o.zscores != "":
		return assay.Usagef("-Z is not supported yet")
	case stdin > 1:
		return assay.Usagef("standard input can be read once")
	case o.Level < 0:
		return assay.Usagef("-l %d: the relevance level must not be negative", o.Level)
	case cmd.Flags().Changed("depth") && o.Depth < 1:
		return assay.Usagef("-M %d: must be at least 1", o.Depth)
	case o.format == formatTREC && len(runs) > 1:
		return assay.WithHint(assay.Usagef("--format trec scores one run at a time, %d were given", len(runs)), "the table compares several")
	case o.format != formatTREC && o.NumDocs != 0:
		return assay.WithHint(assay.Usagef("-N belongs to --format trec"), "write -m 'utility(d=1,n=%d)'", o.NumDocs)
	}
	return nil
}

// withJudged adds judged@10 where no judged@k was asked for: a score on unjudged documents is a guess.
func withJudged(list []measure.Measure) []measure.Measure {
	for _, m := range list {
		if m.Definition().Name == "judged" {
			return list
		}
	}
	return append(list, measure.MustParse("judged@10"))
}
