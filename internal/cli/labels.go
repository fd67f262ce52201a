package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
)

type labelsOptions struct {
	*app
	stale bool
}

func newLabels(a *app) *cobra.Command {
	o := &labelsOptions{app: a}
	cmd := &cobra.Command{
		Use:   "labels",
		Short: "Where the text of every label stands now, and which have lost it",
		Long: `Labels are tied to text. Looks for the text of every label that counts in the
documents as they are now: it is kept, has moved, stands in several places that fit
equally well (ambiguous), is no longer there (stale), or its document is gone. Moved
labels count where the text is now; ambiguous, stale and gone ones do not count.
--stale lists those, so that somebody can label anew what is missing.`,
		Example: "assay labels --stale",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&o.stale, "stale", false, "list the labels that lost their text")
	return cmd
}

type labelsDocument struct {
	Schema string               `json:"schema"`
	Counts map[project.Fate]int `json:"counts"`
	Lost   []project.LabelFate  `json:"lost"`
}

func (o *labelsOptions) run(ctx context.Context) error {
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	fates, err := p.LabelFates(ctx)
	if err != nil {
		return err
	}
	doc := labelsDocument{Schema: "assay/labels/v1", Counts: map[project.Fate]int{}, Lost: []project.LabelFate{}}
	for _, f := range fates {
		doc.Counts[f.Fate]++
		if f.Fate.Lost() {
			doc.Lost = append(doc.Lost, f)
		}
	}
	if o.json {
		return o.writeJSON(doc)
	}
	if doc.Counts[project.FateUnknown] > 0 {
		o.warn([]assay.Warning{{Code: "no_corpus", Text: "there is no corpus to look for the text of the labels in: add corpus: {path: FOLDER}"}})
	}
	if o.stale {
		return o.list(doc.Lost)
	}
	t := &term.Table{Header: []string{"text of the label", "labels"}, Right: []bool{1: true}}
	for _, f := range project.Fates() {
		if n := doc.Counts[f]; n > 0 {
			t.Add(f, n)
		}
	}
	if len(doc.Lost) > 0 {
		o.notef("assay labels --stale lists the %d that lost their text", len(doc.Lost))
	}
	return t.Write(o.streams)
}

func (o *labelsOptions) list(lost []project.LabelFate) error {
	lost = slices.Clone(lost)
	slices.SortStableFunc(lost, func(a, b project.LabelFate) int { return cmp.Compare(a.Fate, b.Fate) })
	t := &term.Table{Header: []string{"why", "query", "by", "grade", "where it was", "text"}, Right: []bool{3: true}}
	for _, f := range lost {
		l := &f.Label
		place := cmp.Or(l.Target.Document, l.Target.Chunk)
		if l.Target.Anchored() {
			place += "#" + l.Target.Span().String()
		}
		t.Add(f.Fate, l.Query, cmp.Or(l.Who, string(l.By)), l.Grade, place, term.Shorten(l.Target.Quote, 60))
	}
	if len(lost) == 0 {
		o.notef("every label stands where its text is")
	}
	return t.Write(o.streams)
}
