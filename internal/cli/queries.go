package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/testset"
)

type queriesOptions struct {
	*app
	pick        testset.Selection
	filtered    bool
	minCoverage float64
	maxCoverage float64
	limit       int
	against     string
}

func newQueries(a *app) *cobra.Command {
	o := &queriesOptions{app: a}
	cmd := &cobra.Command{
		Use:   "queries",
		Short: "List the queries of the test set, or show one with its source",
		Long: `Lists queries with where they come from and how much of their source they repeat, all
or those that the flags pick. Of several values of one flag one must match, of several
flags each. assay queries show ID shows one with the passage it was written from, its
labels and the filters it passed: the way to read what a model wrote.`,
		Example: "assay queries --tag review\nassay queries --min-coverage 0.8 --style question\nassay queries show q-3b5b7cd8",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.list(cmd) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.pick.Tags, "tag", nil, "only with one of these `tags`")
	f.StringSliceVar(&o.pick.Styles, "style", nil, "only of these `styles`: question, keywords, how-to, ...")
	f.StringSliceVar(&o.pick.Methods, "origin", nil, "only of these `origins`: llm, known-item, import, add")
	f.StringSliceVar(&o.pick.Languages, "language", nil, "only in these `languages`, such as en, de")
	f.StringVar(&o.pick.Document, "document", "", "only from the documents whose id begins with `ID`")
	f.StringVar(&o.pick.Text, "match", "", "only with this `text` in them")
	f.BoolVar(&o.filtered, "filtered", false, "only with a filter; --filtered=false: only without")
	f.Float64Var(&o.minCoverage, "min-coverage", 0, "only with at least this `share` of their content words from their source")
	f.Float64Var(&o.maxCoverage, "max-coverage", 1, "only with at most this `share`")
	f.IntVar(&o.pick.MinCopied, "min-copied", 0, "only with at least `N` words in a row from their source")
	f.IntVar(&o.limit, "limit", 0, "only the first `N`")
	show := &cobra.Command{
		Use:     "show ID",
		Short:   "One query with its source, labels and filters",
		Long:    "Shows one query, by its id or a unique beginning of it, with the passage it was written from.",
		Example: "assay queries show q-3b5b7cd8",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.show(cmd.Context(), args[0]) },
	}
	show.Flags().StringVar(&o.against, "against", "", "look the passage up in the index of this `system` instead of the corpus")
	cmd.AddCommand(show)
	return cmd
}

type queriesDocument struct {
	Schema  string        `json:"schema"`
	Total   int           `json:"total"` // in the test set
	Queries []assay.Query `json:"queries"`
}

func (o *queriesOptions) list(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if changed("filtered") {
		o.pick.Filtered = &o.filtered
	}
	if changed("min-coverage") {
		o.pick.MinCoverage = &o.minCoverage
	}
	if changed("max-coverage") {
		o.pick.MaxCoverage = &o.maxCoverage
	}
	if o.limit < 0 {
		return assay.Usagef("--limit %d: a number of queries is at least 1, and 0 means all", o.limit)
	}
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	set, err := p.Testset()
	if err != nil {
		return err
	}
	picked := slices.DeleteFunc(set.Queries(), func(q assay.Query) bool { return !o.pick.Match(&q) })
	shown := picked
	if o.limit > 0 {
		shown = picked[:min(o.limit, len(picked))]
	}
	if o.json {
		if shown == nil {
			shown = []assay.Query{}
		}
		return o.writeJSON(queriesDocument{"assay/queries/v1", set.Len(), shown})
	}
	t := &term.Table{Header: []string{"id", "query", "labels", "origin", "covered", "copied", "tags"}, Right: []bool{2: true, 4: true, 5: true}}
	for i := range shown {
		q := &shown[i]
		covered, copied := "-", "-"
		if l := q.Leakage; l != nil {
			covered, copied = percent(l.ContentCoverage), fmt.Sprint(l.LongestSharedNgram)
		}
		text := term.Shorten(q.Text, 70)
		if q.Filter != nil {
			text += " " + term.Shorten(q.Filter.String(), 50)
		}
		t.Add(q.ID, text, len(set.Labels(q.ID)), origin(q), covered, copied, orDash(strings.Join(q.Tags, ",")))
	}
	if err := t.Write(o.streams); err != nil {
		return err
	}
	o.notef("%d of %s", len(picked), plural(set.Len(), "query", "queries"))
	return nil
}

// origin is where a query comes from, in a few words: llm/keywords, import, known-item.
func origin(q *assay.Query) string {
	if q.Origin == nil {
		return "-"
	}
	if q.Origin.Style != "" {
		return q.Origin.Method + "/" + q.Origin.Style
	}
	return q.Origin.Method
}

// findQuery finds a query by its id or a unique beginning of it.
func findQuery(set *testset.Set, id string) (assay.Query, error) {
	if q, ok := set.Query(id); ok {
		return q, nil
	}
	var matches []string
	for _, q := range set.Queries() {
		if strings.HasPrefix(q.ID, id) {
			matches = append(matches, q.ID)
		}
	}
	switch len(matches) {
	case 0:
		return assay.Query{}, assay.WithHint(assay.Usagef("no query has the id %q", id), "assay queries lists them")
	case 1:
		q, _ := set.Query(matches[0])
		return q, nil
	}
	return assay.Query{}, assay.Usagef("%d queries have an id that begins with %q: %s, ...", len(matches), id, strings.Join(matches[:2], ", "))
}
