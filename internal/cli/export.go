package cli

import (
	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

type exportOptions struct {
	*app
	form string
	out  string
}

func newExport(a *app) *cobra.Command {
	o := &exportOptions{app: a}
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the test set in a form that other tools read",
		Long: `Writes queries and labels. json, csv and text go to standard output (or --out FILE
by redirection), json as an object a line or, with --json, as one document; beir, trec
and assay are folders and need --out DIR. Grades go out on the scale they came in
where every label has one.`,
		Example: "assay export --form trec --out trec\nassay export --form json > pairs.jsonl",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return o.run() },
	}
	cmd.Flags().StringVar(&o.form, "form", "json", "json, csv, text, beir, trec or assay")
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "`folder` to write into, for beir, trec and assay")
	return cmd
}

// exportDocument says what was exported; for form json, it is the export.
type exportDocument struct {
	Schema string `json:"schema"`
	*testset.Exported
	Pairs []testset.Pair `json:"pairs,omitempty"`
}

func (o *exportOptions) run() error {
	form, err := testset.ParseForm(o.form)
	if err != nil {
		return err
	}
	cfg, err := o.config()
	if err != nil {
		return err
	}
	set, err := testset.Open(cfg.Testset, o.warnOne)
	if err != nil {
		return err
	}
	if o.json && (form == testset.FormCSV || form == testset.FormText) {
		return assay.WithHint(assay.Usagef("--json and --form %s contradict each other", form), "leave --json out for %s, or --form for JSON", form)
	}
	isStream := form == testset.FormJSON || form == testset.FormCSV || form == testset.FormText
	switch {
	case isStream && o.out != "":
		return assay.WithHint(assay.Usagef("--out is a folder, and %s is one stream", form), "assay export --form %s > FILE", form)
	case !isStream && o.out == "":
		return assay.WithHint(assay.Usagef("%s is a folder of files; name it with --out", form), "assay export --form %s --out DIR", form)
	}
	doc := exportDocument{Schema: "assay/export/v1"}
	switch {
	case !isStream:
		doc.Exported, err = set.ExportDir(o.out, form)
	case o.json:
		doc.Pairs, doc.Exported = set.Pairs()
	default:
		doc.Exported, err = set.Export(o.streams.Out, form)
	}
	if err != nil {
		return err
	}
	done := doc.Exported
	o.warn(done.Warnings)
	if o.json {
		return o.writeJSON(doc)
	}
	o.notef("%s and %s written as %s", plural(done.Queries, "query", "queries"), plural(done.Labels, "label", "labels"), form)
	return nil
}
