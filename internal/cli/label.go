package cli

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/label/session"
	"github.com/assay-eval/assay/testset"
)

type labelOptions struct {
	*app
	pool     project.PoolRequest
	session  session.Options
	order    string
	who      string
	terminal bool
	dryRun   bool
	port     int
}

func newLabel(a *app) *cobra.Command {
	o := &labelOptions{app: a}
	cmd := &cobra.Command{
		Use:   "label [RUN...]",
		Short: "People judge passages: a page on this machine, or the terminal",
		Long: `Gathers the top hits of the runs (the newest of every system when none is named)
and of BM25 over the same documents, and serves a page on which people say how far
each passage answers its query. They see neither the system nor the rank nor what
anybody else said. Every answer is in labels.jsonl before the next passage is shown.

A share of the passages goes to two people, and some come back unannounced to the
same person, so that agreement is measured along the way. --adjudicate then hands
out what people disagree on, with what they said; the answer counts, and theirs
stay beside it.

What is in front of one person is given to nobody else, until they have not touched
the page for ten minutes; an answer that comes later still counts.

The page is served on this machine only, to whoever has the address with its token.
--terminal needs no browser.`,
		Example: "assay label last --depth 10",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.pool.Runs = args
			return o.run(cmd)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.pool.Depth, "depth", 0, "`hits` of each run that are judged; label.depth when not given")
	f.Uint64Var(&o.session.Seed, "seed", 0, "`seed` of the order and of what is asked twice; label.seed when not given")
	f.StringVar(&o.order, "order", "random", "what comes first: `random`, or value (as assay agree --next proposes it)")
	f.Float64Var(&o.session.Second, "second", 0, "`share` of the passages that two people judge; label.second when not given")
	f.Float64Var(&o.session.Repeats, "repeats", 0, "`share` of a person's passages that come back unannounced; label.repeats when not given")
	f.Float64Var(&o.session.Gold, "gold", 0, "`share` of a person's passages whose adjudicated grade is known; label.gold when not given")
	f.BoolVar(&o.session.Adjudicate, "adjudicate", false, "settle what people disagree on")
	f.BoolVar(&o.terminal, "terminal", false, "judge in the terminal instead of on a page")
	f.StringVar(&o.who, "who", "", "your `name`, for --terminal; your login when not given")
	f.IntVar(&o.port, "port", 0, "`port` of the page; 0 takes a free one")
	f.BoolVar(&o.dryRun, "dry-run", false, "only say how much there is to judge")
	return cmd
}

type labelDocument struct {
	Schema   string           `json:"schema"`
	Items    int              `json:"items"`    // passages to judge, near-duplicates folded
	Judged   int              `json:"judged"`   // of these, already judged by people
	Disputed int              `json:"disputed"` // of these, with people who differ
	Sources  []label.Source   `json:"sources"`  // with judged@depth, people's labels only
	Progress session.Progress `json:"progress"`
}

func (o *labelOptions) check(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("depth") && o.pool.Depth < 1:
		return assay.Usagef("--depth %d: at least the first hit is judged", o.pool.Depth)
	case o.order != "random" && o.order != "value":
		return assay.Usagef("--order %q: it is random or value", o.order)
	case o.port < 0 || o.port > 65535:
		return assay.Usagef("--port %d is no port", o.port)
	case o.json && !o.dryRun:
		return assay.WithHint(assay.Usagef("--json: a session with people is no document"), "assay label --dry-run --json says how much there is to judge; assay agree --json what came of it")
	}
	return o.session.Check()
}

func (o *labelOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	o.override(cmd, "label", "depth", "seed", "second", "repeats", "gold")
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	cfg, ctx := p.Config.Label, cmd.Context()
	o.pool.Depth, o.pool.Seed = cfg.Depth, cfg.Seed
	o.session.Seed, o.session.Second, o.session.Repeats, o.session.Gold = cfg.Seed, cfg.Second, cfg.Repeats, cfg.Gold
	items, pool, err := p.Labelling(ctx, o.pool, o.order == "value")
	if err != nil {
		return err
	}
	set, err := p.Testset()
	if err != nil {
		return err
	}
	s, err := session.New(items, set, o.session)
	if err != nil {
		return err
	}
	me := o.name()
	progress, err := s.Progress(me)
	if err != nil {
		return err
	}
	if o.dryRun && o.json {
		return o.writeJSON(labelDocument{"assay/label-pool/v1", progress.Items, progress.Done, progress.Disputed, pool.Sources, progress})
	}
	if err := o.size(progress, pool, p.Config.Dir, set.Dir()); err != nil || o.dryRun {
		return err
	}
	if o.terminal {
		err = o.judgeHere(ctx, s, me)
	} else {
		err = o.serve(ctx, s, filepath.Base(p.Config.Dir))
	}
	if err != nil || o.session.Adjudicate {
		return err
	}
	// What came of it is said also when Ctrl-C was how it ended.
	if _, pool, err = p.Labelling(context.WithoutCancel(ctx), o.pool, false); err != nil {
		return err
	}
	o.judged(pool)
	return nil
}

// name is the rater at the terminal.
func (o *labelOptions) name() string {
	if o.who != "" {
		return o.who
	}
	if u, err := user.Current(); err == nil && session.CheckName(u.Username) == nil {
		return u.Username
	}
	return "me"
}

// size says how much there is to judge before anybody is asked.
func (o *labelOptions) size(p session.Progress, pool *label.Pool, project, dir string) error {
	if o.session.Adjudicate {
		return o.printf("%s to settle, of %s\n", plural(p.Disputed, "disagreement", "disagreements"), plural(p.Items, "passage", "passages"))
	}
	file := filepath.Join(dir, testset.LabelsFile)
	if short, err := filepath.Rel(project, file); err == nil && filepath.IsLocal(short) {
		file = short
	}
	if err := o.printf("%s to judge, %d of them done by people; labels go to %s\n", plural(p.Items, "passage", "passages"), p.Done, file); err != nil {
		return err
	}
	o.judged(pool)
	return nil
}

// judged says how far people have judged each system.
func (o *labelOptions) judged(pool *label.Pool) {
	for _, s := range pool.Sources {
		o.notef("%s: people judged %.1f %% of its top %d", s.Name, 100*s.Judged, pool.Depth)
	}
}

func (o *labelOptions) serve(ctx context.Context, s *session.Session, name string) error {
	page := web.Labelling{Session: s, Project: name, Adjudicate: o.session.Adjudicate}
	server, err := web.Serve(ctx, o.port, page.Handler())
	if err != nil {
		return err
	}
	if err := o.printf("%s\n", server.URL); err != nil {
		return err
	}
	o.notef("open it in a browser on this machine; Ctrl-C ends, and nothing that was answered is lost")
	if err := server.Wait(ctx); err != nil {
		return fmt.Errorf("serving the page: %w", err)
	}
	return ctxEnd(ctx)
}

// ctxEnd makes the end of a session that only a signal can end a success.
func ctxEnd(ctx context.Context) error {
	if err := ctx.Err(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
