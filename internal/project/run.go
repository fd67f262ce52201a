package project

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/runner"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// Outcome is a run with its numbers.
type Outcome struct {
	Run      *ledger.Run
	Scored   *score.Scored
	Index    *assay.Inspection
	GoesOn   bool   // the run is one that an earlier call began
	Resumed  int    // queries that an earlier call had answered
	Why      string // why an unfinished run was not gone on with
	Recorded bool   // the run is finished and in the history
}

// Run drives the queries through a system, or through what is left of an unfinished run, scores the
// rankings and, when not too many queries failed, finishes the run and records it.
//
// The error is assay.ErrIncomplete when too many failed, the outcome being whole then, too, or when the rest
// was not tried because the system had stopped answering.
func (p *Project) Run(ctx context.Context, req RunRequest) (*Outcome, error) {
	queries, err := p.Select(req)
	if err != nil {
		return nil, err
	}
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	sys, err := p.System(ctx, req.System, "")
	if err != nil {
		return nil, err
	}
	index, err := inspect(ctx, sys)
	if err != nil {
		return nil, p.inSystem(req.System, err)
	}
	if err := checkDimension(ctx, sys, index); err != nil {
		return nil, p.inSystem(req.System, err)
	}
	out := &Outcome{Index: index}
	lock, err := p.startRun(ctx, req, sys, set, out)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if out.Run.Info.Selectivity == nil {
		out.Run.Info.Selectivity = p.selectivity(ctx, sys, queries)
	}
	if err := p.drive(ctx, sys, queries, out); err != nil {
		return out, err
	}
	return out, p.finish(ctx, sys, set, out)
}

// startRun goes on with the newest unfinished run of equal fingerprint or starts a new one.
func (p *Project) startRun(ctx context.Context, req RunRequest, sys *System, set *testset.Set, out *Outcome) (*ledger.Lock, error) {
	fp, err := p.fingerprint(ctx, sys, set, out.Index)
	if err != nil {
		return nil, err
	}
	store := p.Runs()
	for !req.Anew {
		if out.Run, out.Why = store.Unfinished(req.System, req.selection(), fp); out.Run == nil {
			break
		}
		lock, err := out.Run.Lock()
		if err != nil {
			return nil, assay.WithHint(err, "%s; or start another run with --new", assay.Hint(err))
		}
		if out.Run.Info.Status == ledger.Finished { // by another process, while we looked: a finished run never reopens
			if err := lock.Close(); err != nil {
				return nil, err
			}
			continue
		}
		out.GoesOn, out.Run.Info.Fingerprint = true, fp
		if req.Name != "" {
			out.Run.Info.Name = req.Name
		}
		return lock, nil
	}
	run, lock, err := store.Create(ledger.RunInfo{
		Name: req.Name, System: req.System, K: sys.K, Selection: req.selection(), Config: p.recordConfig(sys, out.Index),
		Settings: sys.Config.Settings(), Fingerprint: fp, Environment: environment(),
	})
	out.Run = run
	return lock, err
}

// pending lists the queries that have no ranking yet: those never tried, then those that failed, so that a
// few that always fail do not keep the others waiting. It counts the others.
func pending(queries []assay.Query, done map[string]bool) (left []assay.Query, answered int) {
	if len(done) == 0 {
		return queries, 0
	}
	var failed []assay.Query
	for _, q := range queries {
		switch ok, tried := done[q.ID]; {
		case ok:
			answered++
		case tried:
			failed = append(failed, q)
		default:
			left = append(left, q)
		}
	}
	return append(left, failed...), answered
}

// drive runs the queries that have no ranking yet.
func (p *Project) drive(ctx context.Context, sys *System, queries []assay.Query, out *Outcome) (err error) {
	done, err := out.Run.Done()
	if err != nil {
		return err
	}
	left, answered := pending(queries, done)
	out.Resumed += answered
	if len(left) == 0 {
		return nil
	}
	if err := p.rescope(ctx, sys, out.Run.Info.ID); err != nil {
		return err
	}
	w, err := out.Run.Writer()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	line := p.progress(sys.Name, len(left))
	defer line.Stop()
	sum, err := runner.Run(ctx, runner.Options{
		System: sys, K: sys.K, Queries: slices.Values(left), Total: len(left), Workers: int(p.Config.Run.Workers),
		Keep: func(res assay.Result, hits []assay.Hit) error { return w.Write(res, passages(res, hits)) },
		Progress: func(pr runner.Progress) {
			line.Set(pr.Done, "%d at once%s", pr.Workers, failedNote(pr.Failed))
		},
	})
	out.Run.Info.Workers = max(out.Run.Info.Workers, sum.Workers)
	if errors.Is(err, runner.ErrGaveUp) {
		return p.gaveUp(sys.Name, err, out.Resumed+sum.Done-sum.Failed, len(queries))
	}
	return err
}

// gaveUp is the error of a system that stopped answering, or never began.
func (p *Project) gaveUp(system string, err error, answered, total int) error {
	hint := assay.Hint(err)
	if hint != "" {
		hint += "; then "
	}
	return assay.WithHint(assay.Classify(p.inSystem(system, err), assay.ErrIncomplete),
		"%srun the same command again to go on: %d of %s answered and kept", hint, answered, plural.Count(total, "query is", "queries are"))
}

func failedNote(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d failed", n)
}

// passages are the texts of the hits, by the hashes of the result.
func passages(res assay.Result, hits []assay.Hit) []ledger.Passage {
	out := make([]ledger.Passage, 0, len(res.Hits))
	for i, h := range res.Hits {
		if h.TextHash != "" {
			out = append(out, ledger.Passage{Hash: h.TextHash, Title: hits[i].Title, Text: hits[i].Text})
		}
	}
	return out
}

// rescope caches the query vectors of a system under the run that measures.
func (p *Project) rescope(ctx context.Context, s *System, scope string) error {
	for _, part := range s.Parts {
		if err := p.rescope(ctx, part, scope); err != nil {
			return err
		}
	}
	if s.Config.Embed == "" {
		return nil
	}
	m, err := p.Embedder(ctx, s.Config.Embed, scope)
	s.Embedder = m.Use
	return err
}

// finish scores a driven run and, unless too many queries failed, closes and records it.
func (p *Project) finish(ctx context.Context, sys *System, set *testset.Set, out *Outcome) (err error) {
	if out.Scored, err = p.scoreAndSave(ctx, out.Run, set); err != nil {
		return err
	}
	info := &out.Run.Info
	info.Counts, info.Warnings = counts(out.Scored.Counts), out.Scored.Warnings
	c := out.Scored.Counts
	if share := float64(c.Failed) / float64(max(1, c.Queries)); c.Failed > 0 && share > p.Config.Run.MaxFailed {
		if err := out.Run.Save(); err != nil {
			return err
		}
		return assay.WithHint(assay.Classify(fmt.Errorf("system %s: %d of %s failed, more than run.max_failed (%g) allows; the run stays unfinished and is not in the history",
			sys.Name, c.Failed, plural.Count(c.Queries, "query"), p.Config.Run.MaxFailed), assay.ErrIncomplete), "run the same command again to try the failed ones again")
	}
	now := ledger.Now()
	info.Status, info.Finished = ledger.Finished, &now
	// Recorded before it is closed: a crash in between is made good by the next call.
	if !out.GoesOn || !p.recorded(info.ID) {
		if err := p.History().Append(record(info, out.Scored)); err != nil {
			return fmt.Errorf("record the run: %w", err)
		}
	}
	out.Recorded = true
	return out.Run.Save()
}

// recorded reports whether the history has a run already.
func (p *Project) recorded(run string) bool {
	for r := range p.History().OfRun(run) {
		if !r.Rescored {
			return true
		}
	}
	return false
}
