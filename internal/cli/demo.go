package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/demo"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/testset"
)

type demoOptions struct{ *app }

func newDemo(a *app) *cobra.Command {
	o := &demoOptions{a}
	return &cobra.Command{
		Use:   "demo [DIR]",
		Short: "The whole loop on documents that come with assay: no server, no network",
		Long: `Writes a small project (a handbook of 20 pages, 60 questions about it, an assay.yaml
with three ways to search) into DIR, assay-demo when not given, and measures it. The
folder is a working project: edit a document or the configuration and run it again to
see the numbers move.`,
		Example: "assay demo\nassay demo my-demo",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), append(args, "assay-demo")[0])
		},
	}
}

func (o *demoOptions) run(ctx context.Context, dir string) error {
	file := filepath.Join(dir, config.DefaultFile)
	_, err := os.Stat(file)
	switch {
	case err == nil:
		o.notef("%s is there already; measuring it as it is now", file)
	case errors.Is(err, fs.ErrNotExist):
		if err := o.write(ctx, dir, file); err != nil {
			return err
		}
	default:
		return err
	}
	o.configFile = file
	r := &runOptions{app: o.app, req: project.RunRequest{Name: "demo"}}
	if err := r.run(ctx, nil); err != nil {
		return err
	}
	search := fmt.Sprintf(`assay -c %s search english "lost internet"`, file)
	o.notef(`
What to do next:
  %-[1]*[2]s  the worst queries, and what came back
  %-[1]*[3]s  one query, and what it finds
  %-[1]*[4]s  every run so far
  edit a file in %[5]s and run "assay demo %[6]s" again: labels follow their text`,
		len(search), "assay -c "+file+" report --system english", search, "assay -c "+file+" history", filepath.Join(dir, "docs"), dir)
	return nil
}

// write lays the project into a folder that must be empty or missing.
func (o *demoOptions) write(ctx context.Context, dir, file string) error {
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		return assay.WithHint(assay.Usagef("%s holds other files; the demo wants a folder of its own", dir), "assay demo %s-demo", filepath.Clean(dir))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return assay.Classify(err, assay.ErrUsage)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(dir, "docs"), demo.Docs()); err != nil {
		return err
	}
	cfg, err := config.Parse(demo.Config(), file, nil, validators())
	if err != nil {
		return err
	}
	p := project.Open(cfg, project.Options{})
	defer p.Close()
	if err := demoTestset(ctx, p); err != nil {
		return err
	}
	// Last, so that a demo that was cut off is begun anew.
	return os.WriteFile(file, demo.Config(), 0o644)
}

// demoTestset ties the demo's questions to the places of their quotes.
func demoTestset(ctx context.Context, p *project.Project) error {
	docs, err := p.Corpus(ctx)
	if err != nil {
		return err
	}
	questions, err := demo.Questions()
	if err != nil {
		return err
	}
	set, err := p.TestsetToWrite()
	if err != nil {
		return err
	}
	var queries []assay.Query
	var labels []assay.Label
	now := time.Now().UTC().Truncate(time.Second)
	for _, q := range questions {
		query := assay.Query{ID: testset.QueryID(q.Query, nil), Text: q.Query, Tags: q.Tags, Origin: &assay.Origin{Method: "import", Source: "assay demo"}, Created: &now}
		queries = append(queries, query)
		for _, place := range q.Relevant {
			target, err := demoTarget(docs, place)
			if err != nil {
				return err
			}
			labels = append(labels, assay.Label{Query: query.ID, Target: target, Event: assay.EventGrade, Grade: assay.MaxGrade,
				By: assay.ByHuman, Who: "demo", Time: now})
		}
	}
	if err := set.AddLabels(labels...); err != nil {
		return err
	}
	_, err = set.AddQueries(queries...)
	return err
}

func demoTarget(docs *project.Corpus, place demo.Place) (assay.Target, error) {
	doc, ok := docs.LookupDocument(place.Document)
	if !ok {
		return assay.Target{}, fmt.Errorf("the demo has no document %s", place.Document)
	}
	m, ok := anchor.Find(doc.Text, place.Quote)
	if !ok || !m.Unique {
		return assay.Target{}, fmt.Errorf("the demo's quote %q is not in %s exactly once", place.Quote, place.Document)
	}
	a, err := anchor.New(&doc, m.Span)
	if err != nil {
		return assay.Target{}, err
	}
	return assay.Target{Document: a.Document, Version: a.Version, Start: a.Start, End: a.End, Quote: a.Quote, Before: a.Before, After: a.After}, nil
}
