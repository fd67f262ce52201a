package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/discover"
	"github.com/assay-eval/assay/internal/draft"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/testset"
)

type initOptions struct {
	*app
	at         []string
	offline    bool
	collection string
	dryRun     bool
}

func newInit(a *app) *cobra.Command {
	o := &initOptions{app: a}
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Find local servers, collections and documents, and write an assay.yaml that runs",
		Long: `Looks for Ollama, OpenAI-compatible servers, Qdrant, Chroma and Postgres on this machine,
at their usual ports and where the environment names them (OLLAMA_HOST, OPENAI_BASE_URL,
QDRANT_URL, CHROMA_HOST, DATABASE_URL or PGHOST, and the like), and for documents in DIR.
It samples the fullest collection, finds the fields of its chunks, and takes the
embedding model that gives the stored vectors back. Then it writes DIR/assay.yaml with
comments, and says what it found, what it guessed, and what it could not know.

It never overwrites a file and only reads from servers. Texts of the collection are sent
to models on this machine, or on one named with --at, and nowhere else.`,
		Example: "assay init\nassay init wiki --collection docs_v3\nassay init --at http://gpu-box:11434 --at http://gpu-box:6333\nassay init --dry-run",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), append(args, ".")[0])
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.at, "at", nil, "look at this `URL` instead of the usual places (repeatable)")
	f.BoolVar(&o.offline, "offline", false, "look for documents only, at no server")
	f.StringVar(&o.collection, "collection", "", "take this collection; `NAME` as its store lists it")
	f.BoolVar(&o.dryRun, "dry-run", false, "print the configuration instead of writing it")
	return cmd
}

type initDocument struct {
	Schema  string `json:"schema"`
	File    string `json:"file"`
	Written bool   `json:"written"`
	discover.Found
	*draft.Draft
	Config string `json:"config"`
}

func (o *initOptions) run(ctx context.Context, dir string) error {
	if o.offline && len(o.at) > 0 {
		return assay.Usagef("--offline looks at no server, and --at names one")
	}
	file := o.configFile
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	if _, err := os.Lstat(file); err == nil && !o.dryRun {
		return there(file)
	}
	d, found, err := o.draft(ctx, dir, file)
	if err != nil {
		return err
	}
	text := d.YAML()
	if _, err := config.Parse([]byte(text), file, nil, validators()); err != nil {
		return fmt.Errorf("the draft is not a configuration, which is a fault of assay: %w", err)
	}
	if !o.dryRun {
		if err := createFile(file, text); err != nil {
			return err
		}
	}
	return o.tell(initDocument{"assay/init/v1", file, !o.dryRun, found, d, text})
}

// draft looks around and makes the configuration.
func (o *initOptions) draft(ctx context.Context, dir, file string) (*draft.Draft, discover.Found, error) {
	line := o.progress("init", 1)
	defer line.Stop()
	env := option.Env{Dir: dir, Lookup: os.LookupEnv}
	var found discover.Found
	if !o.offline {
		line.Set(0, "looking for servers")
		found = discover.Look(ctx, discover.Options{Env: env, At: o.at})
	}
	queries := 0
	if set, err := testset.Open(filepath.Join(filepath.Dir(file), config.Default().Testset)); err == nil {
		queries = len(set.Queries())
	}
	d, err := draft.Make(ctx, draft.Options{Env: env, Found: found, Collection: o.collection, Testset: queries,
		Step: func(what string) { line.Set(0, "%s", what) }})
	return d, found, err
}

func there(file string) error {
	return assay.WithHint(assay.Usagef("%s is there already, and is not overwritten", file),
		"see what it would be now: assay init --dry-run; what is in force: assay config check -c %s", file)
}

// createFile writes a file that must not be there, whole or not at all.
func createFile(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return there(file)
	}
	if err != nil {
		return assay.Classify(err, assay.ErrUsage)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	return nil
}

// tell prints the result: the configuration with --dry-run, else what it rests on.
func (o *initOptions) tell(doc initDocument) error {
	if o.json {
		return o.writeJSON(doc)
	}
	notes := o.streams
	if o.dryRun {
		if err := o.printf("%s", doc.Config); err != nil || o.quiet {
			return err
		}
		notes = &term.Streams{Out: o.streams.Err, OutTTY: o.streams.ErrTTY}
	}
	t := &term.Table{Header: []string{"status", "about", "what"}}
	for _, n := range doc.Notes {
		t.Add(n.Status, n.What, n.Text)
	}
	if err := t.Write(notes); err != nil || o.dryRun {
		return err
	}
	o.notef("\n%s is written. What to do next:", doc.File)
	c := ""
	if rel, err := filepath.Abs(doc.File); err != nil || filepath.Dir(rel) != here() || filepath.Base(rel) != config.DefaultFile {
		c = " -c " + doc.File
	}
	search := `assay search lexical "TEXT"` + c
	if doc.Live() {
		search = `assay search live "TEXT"` + c
	}
	next := func(command, what string) { o.notef("  %-*s   %s", len(search), command, what) }
	if doc.Live() {
		next("assay doctor"+c, "is everything as it should be?")
	}
	next(search, "one query, and what it finds")
	next("assay generate"+c, "queries with labels; then assay run"+c)
	return nil
}

func here() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}
