package project

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonl"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/testset"
)

// Judge opens the configured judge.
func (p *Project) Judge(ctx context.Context) (*label.Judge, error) {
	cfg := p.Config.Judge
	rubric, err := label.LoadRubric(cfg.Rubric)
	if err != nil {
		return nil, err
	}
	if cfg.Model == "" {
		return nil, assay.WithHint(assay.Usagef("%s names no model that judges", p.Config.File), "set judge.model to a chat model, or give --model NAME")
	}
	chat, err := p.Chat(ctx, cfg.Model)
	if err != nil {
		return nil, err
	}
	return &label.Judge{Chat: chat.Use, Identity: chat.Identity, Rubric: rubric, Seed: cfg.Seed}, nil
}

// JudgeRequest says which passages are judged.
type JudgeRequest struct {
	Runs   []string // as in PoolRequest
	Pool   bool     // the pool of the runs
	People bool     // what people graded, so that the judge can be measured
	Again  bool     // also what earlier calls failed on
}

// JudgePlan is what a judge will be asked.
type JudgePlan struct {
	Judge *label.Judge
	Pool  *label.Pool // nil when it was not asked for
	Jobs  []label.Job // first those that people graded
	// Measuring counts the jobs that people graded; Gone are left out because the judge failed on them before.
	Measuring, Gone int
}

// PlanJudging finds out what a judge has to be asked. It asks nothing but what model there is.
func (p *Project) PlanJudging(ctx context.Context, req JudgeRequest) (*JudgePlan, error) {
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	plan := &JudgePlan{}
	if plan.Judge, err = p.Judge(ctx); err != nil {
		return nil, err
	}
	var items []label.Item
	if req.People {
		if items, err = p.gradedByPeople(ctx, set, plan.Judge.Name()); err != nil {
			return nil, err
		}
		plan.Measuring = len(items)
		label.Shuffle(items, p.Config.Judge.Seed)
	}
	if req.Pool {
		cfg := p.Config.Judge
		if plan.Pool, err = p.Pool(ctx, PoolRequest{Runs: req.Runs, Depth: cfg.Depth, Seed: cfg.Seed}); err != nil {
			return nil, err
		}
		items = append(items, plan.Pool.Items...)
	}
	refusals, err := label.Refusals(p.Config.Testset, plan.Judge.Name())
	if err != nil {
		return nil, err
	}
	for i, it := range items {
		q, _ := set.Query(it.Query)
		job := label.Job{Item: it, Query: q.Text}
		if f, ok := refusals[it.ID]; ok && !req.Again {
			if f.Ask > p.Config.Judge.Retries {
				plan.Gone++
				if i < plan.Measuring {
					plan.Measuring--
				}
				continue
			}
			job.Asked, job.After = f.Ask, f.Rule
		}
		plan.Jobs = append(plan.Jobs, job)
	}
	return plan, nil
}

// gradedByPeople are the passages that people graded and this judge did not yet.
func (p *Project) gradedByPeople(ctx context.Context, set *testset.Set, judge string) ([]label.Item, error) {
	texts, err := p.passageTexts(ctx)
	if err != nil {
		return nil, err
	}
	var out []label.Item
	for _, q := range set.Queries() {
		if set.Verdict(q.ID).BadQuery {
			continue
		}
		done, item := map[string]bool{}, texts.items(set, q.ID)
		voices := set.Voices(q.ID)
		for i := range voices {
			if v := &voices[i]; v.By == assay.ByJudge && v.Who == judge && v.Event == assay.EventGrade {
				done[item(&v.Target)] = true
			}
		}
		for i := range voices {
			v := &voices[i]
			key := item(&v.Target)
			if v.By != assay.ByHuman || v.Event != assay.EventGrade || done[key] {
				continue
			}
			if passage, ok := texts.passage(&v.Target); ok {
				done[key] = true
				out = append(out, label.Item{ID: label.ItemID(q.ID, passage.Text), Query: q.ID, Passage: passage})
			}
		}
	}
	return out, nil
}

// Judging asks what a plan holds. The tally is right whatever the error.
func (p *Project) Judging(ctx context.Context, plan *JudgePlan, workers int, budget label.Budget) (tally label.Tally, err error) {
	set, err := p.Testset()
	if err != nil {
		return tally, err
	}
	failures, err := jsonl.Open(filepath.Join(p.Config.Testset, label.FailuresFile))
	if err != nil {
		return tally, err
	}
	defer func() { err = errors.Join(err, failures.Close()) }()
	line := p.progress("judge", len(plan.Jobs))
	defer line.Stop()
	tally, err = label.Judging{
		Judge: plan.Judge, Jobs: plan.Jobs, Workers: workers, Retries: p.Config.Judge.Retries, Budget: budget,
		Keep:     func(_ label.Job, l assay.Label) error { return set.AddLabels(l) },
		Fail:     func(f label.Failure) error { return failures.Append(f) },
		Progress: func(t label.Tally) { line.Set(t.Graded+t.Failed, "%d failed", t.Failed) },
	}.Run(ctx)
	if errors.Is(err, label.ErrGaveUp) {
		err = assay.WithHint(assay.Classify(fmt.Errorf("model %s: %w", p.Config.Judge.Model, err), assay.ErrIncomplete),
			"run the same command again to go on: %d grades are kept", tally.Graded)
	}
	return tally, err
}
