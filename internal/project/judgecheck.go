package project

import (
	"context"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
)

// CheckRequest says how a judge is tried.
type CheckRequest struct {
	Runs         []string // whose pool the passages come from
	Passages     int      // for gullibility; 0 for none
	Instructions int      // of these, also tried with an instruction
	Pairs        int      // for order; 0 for none
}

// CheckJudge tries a judge for gullibility and order flips, and keeps what was found on its card.
func (p *Project) CheckJudge(ctx context.Context, j *label.Judge, req CheckRequest) (label.Card, error) {
	card := p.newCard(j)
	set, err := p.Testset()
	if err != nil {
		return card, err
	}
	pool, err := p.Pool(ctx, PoolRequest{Runs: req.Runs, Depth: p.Config.Judge.Depth, Seed: j.Seed})
	if err != nil {
		return card, err
	}
	probes := pool.Probes(func(id string) string { q, _ := set.Query(id); return q.Text }, max(req.Passages, req.Pairs), j.Seed)
	if len(probes) == 0 {
		return card, assay.WithHint(assay.Usagef("the runs hold too few passages to try a judge on: it takes two of one query, and one of another"), "run more queries")
	}
	if n := min(req.Passages, len(probes)); n > 0 {
		line := p.progress("gullibility", n)
		g, err := j.CheckGullibility(ctx, probes[:n], req.Instructions, func(n int) { line.Set(n, "") })
		line.Stop()
		if err != nil {
			return card, err
		}
		card.Gullibility = &g
	}
	if n := min(req.Pairs, len(probes)); n > 0 {
		line := p.progress("order", n)
		o, err := j.CheckOrder(ctx, probes[:n], func(n int) { line.Set(n, "") })
		line.Stop()
		if err != nil {
			return card, err
		}
		card.Order = &o
	}
	return card, label.WriteCard(p.Config.Testset, card)
}

// newCard starts a card of a judge.
func (p *Project) newCard(j *label.Judge) label.Card {
	return label.Card{Judge: j.Name(), Model: j.Identity, Rubric: j.Rubric.Name, Prompt: j.Rubric.PromptID(), Time: time.Now().UTC().Truncate(time.Second)}
}
