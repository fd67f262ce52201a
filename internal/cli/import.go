package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/all"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/testset"
)

type importOptions struct {
	*app
	form       string
	by         string
	who        string
	scale      string
	tags       []string
	queryField string
	idsField   string
	topicField string
	split      string
	against    string
	noCheck    bool
}

func newImport(a *app) *cobra.Command {
	o := &importOptions{app: a}
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Bring queries and labels into the test set",
		Long: `Reads queries, with or without labels, and adds what is new; doing it twice adds
nothing. The form is recognised, or named with --form:

  json   {"query":"…","relevant_chunk_id":"…"} or "relevant_ids", an array or one a line
  csv    the same as columns, apart by commas, semicolons or tabs
  text   a query a line
  beir   a folder with queries.jsonl and qrels/test.tsv
  trec   topics and qrels, or a folder with topics.tsv and qrels.txt
  assay  a folder with queries.jsonl and labels.jsonl

Ids are checked against the corpus (or the index named with --against), so that a
label is tied to the text behind its id and outlives the chunker. "-" reads
standard input. Grades on another scale than relevant or not need --map, which names
each of them: --map 1=2,2=3. A negative grade means pooled but not judged, unless it
is named too (--map=-2=0,1=3). What "assay export" wrote as json or csv needs no --map.`,
		Example: "assay import pairs.jsonl\nassay import topics.tsv qrels.txt --form trec --map 1=2,2=3",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.form, "form", "", "json, csv, text, beir, trec or assay; recognised when not given")
	f.StringVar(&o.by, "by", "", "whose labels these are: human, judge or synthetic; human when neither this nor the file says it")
	f.StringVar(&o.who, "who", "", "name of the rater")
	f.StringVar(&o.scale, "map", "", "what foreign grades mean, such as 1=2,2=3")
	f.StringSliceVar(&o.tags, "tag", nil, "`tags` for every query")
	f.StringVar(&o.queryField, "query-field", "", "key or column of the query text")
	f.StringVar(&o.idsField, "ids-field", "", "key or column of the relevant ids")
	f.StringVar(&o.topicField, "topic-field", "", "field of a TREC topic that is sent: title, desc or narr")
	f.StringVar(&o.split, "split", "", "split of a BEIR folder; test when not given")
	f.StringVar(&o.against, "against", "", "check ids against the index of this `system` instead of the corpus")
	f.BoolVar(&o.noCheck, "no-check", false, "take ids as they are, without looking them up")
	return cmd
}

type importDocument struct {
	Schema string `json:"schema"`
	*testset.Imported
}

func (o *importOptions) run(ctx context.Context, files []string) error {
	form, err := testset.ParseForm(o.form)
	if o.form != "" && err != nil {
		return err
	}
	scale, err := o.parseScale()
	if err != nil {
		return err
	}
	by := assay.Rater(o.by)
	if by != "" && by != assay.ByHuman && by != assay.ByJudge && by != assay.BySynthetic {
		return assay.WithHint(assay.Usagef("--by %q is not a kind of rater", o.by), "human, judge or synthetic")
	}
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	opts := testset.ImportOptions{Form: form, By: by, Who: o.who, Scale: scale, Tags: o.tags, QueryField: o.queryField,
		IDsField: o.idsField, TopicField: o.topicField, Split: o.split, Stdin: o.streams.In}
	if !o.noCheck {
		if opts.Lookup, err = p.Lookup(ctx, o.against); err != nil {
			return err
		}
	}
	set, err := p.TestsetToWrite()
	if err != nil {
		return err
	}
	done, err := set.Import(files, opts)
	if err != nil {
		return err
	}
	for i := range done.Warnings {
		if w := &done.Warnings[i]; w.Code == "unchecked_ids" && !o.noCheck {
			w.Text += "; " + o.howToCheck(p.Config)
		}
	}
	o.warn(done.Warnings)
	if o.json {
		return o.writeJSON(importDocument{"assay/import/v1", done})
	}
	return o.say(done, p.Config.Testset)
}

func (o *importOptions) parseScale() (testset.Scale, error) {
	if o.scale == "" {
		return nil, nil
	}
	return testset.ParseScale(o.scale)
}

func (o *importOptions) say(d *testset.Imported, dir string) error {
	return o.printf("%s (%d new), %s (%d new), read as %s, now in %s\n", plural(d.Queries, "query", "queries"), d.NewQueries,
		plural(d.Labels, "label", "labels"), d.NewLabels, d.Form, dir)
}

// howToCheck says what could stand behind ids in a project without a corpus.
func (o *importOptions) howToCheck(cfg *config.Config) string {
	lists := listing(cfg)
	if len(lists) == 0 {
		return "there is no corpus, and no system whose chunks can be listed"
	}
	return "there is no corpus; --against " + lists[0] + " looks them up in that index: " + o.commandLine() + " --against " + lists[0]
}

// listing are the systems whose index can list its chunks, so that ids can be looked up in it.
func listing(cfg *config.Config) []string {
	var out []string
	for _, s := range cfg.Systems {
		if kind, err := all.Kinds().Kind(s.Retriever.Kind); err == nil && kind.Capabilities.Lists {
			out = append(out, s.Name)
		}
	}
	return out
}
