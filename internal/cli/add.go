package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

type addOptions struct {
	*app
	relevant []string
	filter   string
	tags     []string
	who      string
	against  string
}

func newAdd(a *app) *cobra.Command {
	o := &addOptions{app: a}
	cmd := &cobra.Command{
		Use:   "add QUERY",
		Short: "Add one query by hand, with what is relevant to it",
		Long: `Adds a query to the test set. --relevant names the chunks (or documents) that
answer it; an id that the corpus does not hold is refused. Without --relevant the
query is run and counted, but not scored.`,
		Example: `assay add "how long are backups kept" --relevant "ops/backup.md#120-480"`,
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.relevant, "relevant", nil, "`ID` of a chunk or document that answers it (repeatable)")
	f.StringVar(&o.filter, "filter", "", "neutral `filter` sent with the query; see assay help filters")
	f.StringSliceVar(&o.tags, "tag", nil, "`tags`")
	f.StringVar(&o.who, "who", "", "name of the rater")
	f.StringVar(&o.against, "against", "", "look ids up in the index of this `system` instead of the corpus")
	return cmd
}

type addDocument struct {
	Schema string      `json:"schema"`
	Query  assay.Query `json:"query"`
	Labels int         `json:"labels"`
}

func (o *addOptions) run(ctx context.Context, text string) error {
	filter, err := parseFilter(o.filter)
	if err != nil {
		return err
	}
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	opts := testset.AddOptions{Relevant: o.relevant, Filter: filter, Tags: o.tags, Who: o.who}
	if len(o.relevant) > 0 {
		if opts.Lookup, err = p.Lookup(ctx, o.against); err != nil {
			return err
		}
	}
	set, err := p.TestsetToWrite()
	if err != nil {
		return err
	}
	q, err := set.Add(text, opts)
	if err != nil {
		return err
	}
	if o.json {
		return o.writeJSON(addDocument{"assay/add/v1", q, len(o.relevant)})
	}
	return o.printf("%s with %s, now in %s\n", q.ID, plural(len(o.relevant), "label", "labels"), p.Config.Testset)
}

// parseFilter reads a --filter argument; "" is none.
func parseFilter(text string) (*assay.Filter, error) {
	if text == "" {
		return nil, nil
	}
	f, err := assay.ParseFilter([]byte(text))
	if err != nil {
		return nil, assay.WithHint(assay.Usagef("--filter: %w", err), `such as '{"field":"lang","eq":"de"}'; see assay help filters`)
	}
	return f, nil
}
