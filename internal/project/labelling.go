package project

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/label/session"
)

// Labelling is the pool that people judge, judged ones included: a second opinion, a repeat or a disagreement may be wanted on
// them. With byValue, what an LLM judge calls relevant comes first, since that is where a judge is wrong most often.
func (p *Project) Labelling(ctx context.Context, req PoolRequest, byValue bool) ([]session.Item, *label.Pool, error) {
	set, err := p.Testset()
	if err != nil {
		return nil, nil, err
	}
	req.Judged = set.Where(func(l *assay.Label) bool { return l.By == assay.ByHuman })
	pool, err := p.Pool(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	items := make([]session.Item, 0, pool.Size())
	add := func(from []label.Item, settled bool) {
		for i := range from {
			it := &from[i]
			q, _ := set.Query(it.Query)
			x := session.Item{Query: q, Targets: []assay.Target{it.Passage.Target}, Title: it.Passage.Title, Text: it.Passage.Text, Settled: settled}
			for _, twin := range it.Twins {
				x.Targets = append(x.Targets, twin.Target)
			}
			if byValue && !positive(set.Events(it.Query), x.Targets) {
				x.Turn = 1
			}
			items = append(items, x)
		}
	}
	add(pool.Items, false)
	add(pool.Judged, true)
	return items, pool, nil
}

// positive tells whether an LLM judge's last word on one of the targets is that it is relevant.
func positive(events []assay.Label, targets []assay.Target) bool {
	relevant := false
	for i := range events {
		l := &events[i]
		if l.By != assay.ByJudge || l.Event != assay.EventGrade {
			continue
		}
		for j := range targets {
			if l.Target.Chunk != "" && l.Target.Chunk == targets[j].Chunk {
				relevant = l.Grade >= assay.RelevantGrade
			}
		}
	}
	return relevant
}
