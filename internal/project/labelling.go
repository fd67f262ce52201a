package project

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/label/session"
	"github.com/assay-eval/assay/testset"
)

// Labelling is the pool that people judge, judged ones included: a second opinion, a repeat or a disagreement may be wanted on
// them. With byValue it comes in the order of Next: where one more label by a person says most.
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
	turns := map[string]int{}
	if byValue {
		if turns, err = p.turns(ctx, pool.Size()); err != nil {
			return nil, nil, err
		}
	}
	items := make([]session.Item, 0, pool.Size())
	add := func(from []label.Item, settled bool) {
		for i := range from {
			it := &from[i]
			q, _ := set.Query(it.Query)
			x := session.Item{Item: *it, Text: q.Text, Settled: settled, Turn: len(turns)}
			for _, p := range append([]label.Passage{it.Passage}, it.Twins...) {
				if turn, ok := turns[turnKey(it.Query, &p.Target)]; ok {
					x.Turn = min(x.Turn, turn)
				}
			}
			items = append(items, x)
		}
	}
	add(pool.Items, false)
	add(pool.Judged, true)
	return items, pool, nil
}

// turns are the places of passages in the order of Next.
func (p *Project) turns(ctx context.Context, n int) (map[string]int, error) {
	next, err := p.Next(ctx, n)
	if err != nil {
		return nil, err
	}
	out := make(map[string]int, len(next))
	for i := range next {
		out[turnKey(next[i].Query, &next[i].Target)] = i
	}
	return out, nil
}

func turnKey(query string, t *assay.Target) string { return query + "\x00" + testset.Key(t) }
