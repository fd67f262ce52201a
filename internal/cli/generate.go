package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/project"
)

type generateOptions struct {
	*app
	method     string
	model      string
	from       string
	sample     int
	precision  float64
	by         string
	allocation string
	category   int
	seed       uint64
	terms      string
	workers    int
	thorough   bool
	maxCalls   int
	maxMinutes float64
	dryRun     bool
	rejects    bool
}

func newGenerate(a *app) *cobra.Command {
	o := &generateOptions{app: a}
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Write queries from a sample of chunks, each with its evidence",
		Long: `Draws a stratified, seeded sample of chunks and has a local model write a question
about each, with the quote that answers it. A question passes a chain of filters or is
kept with its reason in testset/rejects.jsonl, which --rejects shows: no preamble, no
exam question, one question at a time, evidence that is in the text, the right
language, sense without the text at hand, no six words copied in a row, not in the set
already, and the mix that was declared. --thorough also has the model answer each
question and the retrievers look for it, at several calls a question.
--method known-item needs no model: it simulates a person who half remembers the words
of a chunk.

--dry-run asks three questions and says what the rest would cost. --max-calls and
--max-minutes end a generation early, with exit code 5. Killed, interrupted or ended
so, it goes on where it was when run again. When the sample is used up before enough
queries passed, the exit code is 1.`,
		Example: "assay generate --dry-run\nassay generate --max-minutes 30\nassay generate --rejects\nassay generate --method known-item --sample 100",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&o.method, "method", "", "llm or known-item (generate.method)")
	f.StringVar(&o.model, "model", "", "`name` of the chat model (generate.model)")
	f.StringVar(&o.from, "from", "", "corpus, or a `system` whose chunks can be listed (generate.from)")
	f.IntVar(&o.sample, "sample", 0, "queries wanted (generate.sample)")
	f.Float64Var(&o.precision, "precision", 0, "as many queries as make the 95 % interval of a recall near 0.8 about ± `X`")
	f.StringVar(&o.by, "by", "", "groups to sample from: document, folder, or a metadata `field` (generate.by)")
	f.StringVar(&o.allocation, "allocation", "", "proportional or balanced (generate.allocation)")
	f.IntVar(&o.category, "per-category", 0, "`N` queries of each group of --by (generate.per_category)")
	f.Uint64Var(&o.seed, "seed", 0, "seed of the sample (generate.seed)")
	f.StringVar(&o.terms, "terms", "", "term model of known-item queries: popular, uniform, discriminative or popdisc")
	f.IntVar(&o.workers, "workers", 1, "model calls under way at once")
	f.BoolVar(&o.thorough, "thorough", false, "also have the model and the retrievers check every question (generate.thorough)")
	f.IntVar(&o.maxCalls, "max-calls", 0, "stop after `N` calls to the model")
	f.Float64Var(&o.maxMinutes, "max-minutes", 0, "stop after `M` minutes")
	f.BoolVar(&o.dryRun, "dry-run", false, "write nothing; say what it would cost, from a few questions asked")
	f.BoolVar(&o.rejects, "rejects", false, "write nothing; show what was refused so far, and why")
	return cmd
}

func (o *generateOptions) run(cmd *cobra.Command) error {
	o.override(cmd, "generate", "method", "model", "from", "sample", "seed", "by", "allocation", "per-category", "thorough")
	if err := o.enough(cmd); err != nil {
		return err
	}
	terms := generate.TermModel(o.terms)
	switch {
	case o.terms != "" && !slices.Contains(generate.TermModels, terms):
		return assay.Usagef("--terms %q is not a term model: popular, uniform, discriminative or popdisc", o.terms)
	case o.maxCalls < 0 || !(o.maxMinutes >= 0):
		return assay.Usagef("--max-calls and --max-minutes must not be negative")
	case o.dryRun && o.rejects:
		return assay.Usagef("--dry-run and --rejects are two questions; ask one")
	}
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	req := project.GenerateRequest{Generate: p.Config.Generate, TermModel: terms, Workers: o.workers, MaxCalls: o.maxCalls, MaxMinutes: o.maxMinutes}
	switch {
	case o.rejects:
		return o.showRejects(p)
	case o.dryRun:
		return o.estimate(cmd.Context(), p, req)
	}
	report, err := p.Generate(cmd.Context(), req)
	if err == nil {
		return o.print(report)
	}
	// What was done before the error is told, too; under --json the error is the document.
	if !o.json {
		if perr := o.printReport(report); perr != nil {
			return perr
		}
	}
	return err
}

// enough turns the wanted precision into a number of queries.
func (o *generateOptions) enough(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if !changed("precision") {
		return nil
	}
	if changed("sample") || changed("per-category") {
		return assay.Usagef("--precision settles how many queries there are; leave --sample and --per-category out")
	}
	if !(o.precision > 0 && o.precision < 0.5) {
		return assay.Usagef("--precision %v: half the width of an interval of recall lies between 0 and 0.5, such as 0.05", o.precision)
	}
	n, ok := project.PrecisionNeeds(o.precision)
	if !ok {
		return assay.Usagef("--precision %v would take millions of queries", o.precision)
	}
	o.sets = append(o.sets, fmt.Sprintf("generate.sample=%d", n))
	return nil
}

func (o *generateOptions) estimate(ctx context.Context, p *project.Project, req project.GenerateRequest) error {
	e, err := p.EstimateGeneration(ctx, req)
	if err != nil {
		return err
	}
	if o.json {
		return o.writeJSON(estimateDocument{"assay/generate-estimate/v1", e})
	}
	return o.printEstimate(e)
}
