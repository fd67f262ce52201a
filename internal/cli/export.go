package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/testset"
)

type exportOptions struct {
	*app
	form    string
	out     string
	against string
}

func newExport(a *app) *cobra.Command {
	o := &exportOptions{app: a}
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the test set in a form that other tools read",
		Long: `Writes queries and labels. json, csv and text go to standard output (or into a file
by redirection), json as an object a line or, with --json, as one document; beir, trec
and assay are folders and need --out DIR.

json and csv keep every grade, who gave it and the text it is about: "assay import"
makes the same set of them. An id that is not relevant stands in judged_chunk_id.
beir and trec know labels by ids: one that is tied to text gets the id of the chunk of
the corpus (or of the index named with --against) that holds the text. What a form
cannot hold is counted in a warning that names the forms that can; assay keeps all,
the history of every label included. Grades of beir and trec go out on the scale they
came in, where every label has one or its like on it.`,
		Example: "assay export --form trec --out trec\nassay export --form json > pairs.jsonl",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	cmd.Flags().StringVar(&o.form, "form", "json", "json, csv, text, beir, trec or assay")
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "`folder` to write into, for beir, trec and assay")
	cmd.Flags().StringVar(&o.against, "against", "", "name labels as the index of this `system` does, instead of the corpus")
	return cmd
}

// exportDocument says what was exported; for form json, it is the export.
type exportDocument struct {
	Schema string `json:"schema"`
	*testset.Exported
	Pairs []testset.Pair `json:"pairs,omitempty"`
}

func (o *exportOptions) run(ctx context.Context) error {
	form, err := testset.ParseForm(o.form)
	if err != nil {
		return err
	}
	if err := o.check(form); err != nil {
		return err
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
	names, err := o.names(ctx, p, form)
	if err != nil {
		return err
	}
	doc := exportDocument{Schema: "assay/export/v1"}
	switch {
	case !streamed(form):
		doc.Exported, err = set.ExportDir(o.out, form, names)
	case o.json:
		doc.Pairs, doc.Exported = set.Pairs(names)
	default:
		doc.Exported, err = set.Export(o.streams.Out, form, names)
	}
	if nameless := new(testset.NamelessError); errors.As(err, &nameless) {
		return o.explainNameless(p.Config, names, err)
	}
	if err != nil {
		return err
	}
	done := doc.Exported
	if lists := listing(p.Config); names == nil && len(lists) > 0 {
		for i := range done.Warnings {
			if w := &done.Warnings[i]; w.Code == "no_id" {
				w.Text += "; `" + o.commandLine() + " --against " + lists[0] + "` looks in that index"
			}
		}
	}
	o.warn(done.Warnings)
	if o.json {
		return o.writeJSON(doc)
	}
	o.notef("%s and %s written as %s", plural(done.Queries, "query", "queries"), plural(done.Labels, "label", "labels"), form)
	return nil
}

// streamed reports whether a form is one stream.
func streamed(form testset.Form) bool {
	return form == testset.FormJSON || form == testset.FormCSV || form == testset.FormText
}

// check refuses flags that contradict the form.
func (o *exportOptions) check(form testset.Form) error {
	switch {
	case o.json && (form == testset.FormCSV || form == testset.FormText):
		return assay.WithHint(assay.Usagef("--json and --form %s contradict each other", form), "leave --json out for %s, or --form for JSON", form)
	case streamed(form) && o.out != "":
		return assay.WithHint(assay.Usagef("--out is a folder, and %s is one stream", form), "assay export --form %s > FILE", form)
	case !streamed(form) && o.out == "":
		return assay.WithHint(assay.Usagef("%s is a folder of files; name it with --out", form), "assay export --form %s --out DIR", form)
	}
	return nil
}

// names is what ids are looked up in; nil where there is nothing, or where the form needs none. A corpus that cannot be read
// is told of: the labels go out with the ids they have.
func (o *exportOptions) names(ctx context.Context, p *project.Project, form testset.Form) (testset.Namer, error) {
	if form == testset.FormText || form == testset.FormAssay {
		return nil, nil
	}
	lookup, err := p.Lookup(ctx, o.against)
	if err != nil && (o.against != "" || ctx.Err() != nil) {
		return nil, err
	}
	if err != nil {
		o.warnOne(assay.Warning{Code: "not_looked_up", Text: "ids were not looked up: " + err.Error()})
		return nil, nil //nolint:nilerr // what the labels say is whole without the corpus
	}
	names, _ := lookup.(testset.Namer)
	return names, nil
}

// explainNameless says where ids could come from.
func (o *exportOptions) explainNameless(cfg *config.Config, names testset.Namer, err error) error {
	if lists := listing(cfg); names == nil && len(lists) > 0 {
		return assay.WithHint(err, "take them from an index: %s --against %s", o.commandLine(), lists[0])
	}
	return assay.WithHint(err, "json keeps the text: assay export --form json > labels.jsonl; `assay labels --stale` shows labels that lost their text")
}
