package project

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/score"
)

// Rescore applies the labels as they are now to a finished run and records the numbers anew. The
// rankings stay; the history gains a line marked as rescored.
func (p *Project) Rescore(ctx context.Context, run *ledger.Run) (*score.Scored, error) {
	if run.Info.Status != ledger.Finished {
		return nil, assay.WithHint(assay.Usagef("run %s is not finished", run.Info.ID), "assay run %s goes on with it", run.Info.System)
	}
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	lock, err := run.Lock()
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	scored, err := p.scoreAndSave(ctx, run, set)
	if err != nil {
		return nil, err
	}
	info := run.Info
	v := set.Version()
	info.Fingerprint = run.Info.Fingerprint.Rankings()
	info.Fingerprint.Add("testset.labels", v.Labels)
	info.Counts, info.Warnings = counts(scored.Counts), scored.Warnings
	rec := record(&info, scored)
	rec.Timestamp, rec.Rescored = ledger.Now(), true
	if err := p.History().Append(rec); err != nil {
		return nil, fmt.Errorf("record the new numbers: %w", err)
	}
	return scored, nil
}
