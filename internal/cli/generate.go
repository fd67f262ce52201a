package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/project"
)

type generateOptions struct {
	*app
	method  string
	model   string
	from    string
	sample  int
	seed    uint64
	terms   string
	workers int
}

func newGenerate(a *app) *cobra.Command {
	o := &generateOptions{app: a}
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Write queries from a sample of chunks, each with its evidence",
		Long: `Draws a stratified, seeded sample of chunks and has a local model write a question
about each, with the quote that answers it. What does not parse, quotes what is not
there, or copies six words in a row is rejected and kept with its reason in
testset/rejects.jsonl. --method known-item needs no model: it simulates a person who
half remembers the words of a chunk.

Killed and run again it goes on where it was. When fewer queries than wanted pass,
the exit code is 1.`,
		Example: "assay generate\nassay generate --method known-item --sample 100",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&o.method, "method", "", "llm or known-item (generate.method)")
	f.StringVar(&o.model, "model", "", "`name` of the chat model (generate.model)")
	f.StringVar(&o.from, "from", "", "corpus, or a `system` whose chunks can be listed (generate.from)")
	f.IntVar(&o.sample, "sample", 0, "queries wanted (generate.sample)")
	f.Uint64Var(&o.seed, "seed", 0, "seed of the sample (generate.seed)")
	f.StringVar(&o.terms, "terms", "", "term model of known-item queries: popular, uniform, discriminative or popdisc")
	f.IntVar(&o.workers, "workers", 1, "model calls under way at once")
	return cmd
}

type generateDocument struct {
	Schema string `json:"schema"`
	generate.Report
}

func (o *generateOptions) run(cmd *cobra.Command) error {
	// Flags are settings of the configuration under a shorter name, so they are checked like them.
	for _, s := range []struct{ flag, key string }{{"method", "method"}, {"model", "model"}, {"from", "from"}, {"sample", "sample"}, {"seed", "seed"}} {
		if f := cmd.Flags().Lookup(s.flag); f.Changed {
			o.sets = append(o.sets, fmt.Sprintf("generate.%s=%s", s.key, f.Value))
		}
	}
	terms := generate.TermModel(o.terms)
	if o.terms != "" && !slices.Contains(generate.TermModels, terms) {
		return assay.Usagef("--terms %q is not a term model: popular, uniform, discriminative or popdisc", o.terms)
	}
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	report, err := p.Generate(cmd.Context(), project.GenerateRequest{Generate: p.Config.Generate, TermModel: terms, Workers: o.workers})
	if perr := o.print(report, err); perr != nil {
		return perr
	}
	return err
}

func (o *generateOptions) print(r generate.Report, err error) error {
	short := err == nil && r.Produced < r.Requested
	switch {
	case o.json && err == nil:
		if err := o.writeJSON(generateDocument{"assay/generate/v1", r}); err != nil {
			return err
		}
	case !o.json && r.Requested > 0:
		if err := o.printf("%d queries wanted, %d in the test set, %d of them new; %d rejected%s\n",
			r.Requested, r.Produced, r.New, r.Asked-r.New-r.Failed, byRule(r.Rejected)); err != nil {
			return err
		}
		if r.Failed > 0 {
			o.notef("%s had no answer and will be asked again next time", plural(r.Failed, "call", "calls"))
		}
	}
	if short {
		hint := "testset/rejects.jsonl has the reasons; a stronger model, more documents or a smaller --sample help"
		if len(r.Rejected) == 0 {
			hint = "raise generate.per_document, add documents, or want fewer: --sample"
		}
		e := assay.WithHint(fmt.Errorf("%d queries are missing: %d of %d questions asked passed, and the sample is used up",
			r.Requested-r.Produced, r.New, r.Asked), "%s", hint)
		if o.json {
			o.explain(exitFailed, e)
			return errQuiet{e}
		}
		return e
	}
	return nil
}

// byRule renders the rejects as " (copy 3, evidence 12)".
func byRule(rejected map[string]int) string {
	var parts []string
	for _, rule := range slices.Sorted(maps.Keys(rejected)) {
		parts = append(parts, fmt.Sprintf("%s %d", rule, rejected[rule]))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
