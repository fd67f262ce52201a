package exact

import (
	"context"
	"slices"
	"sort"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/internal/chunkset"
)

// Place is where a chunk stands in the full ranking for a query.
type Place struct {
	ID    string
	Rank  int     // from 1; 0 when the index has no such chunk or the filter leaves it out
	Score float64 // as Search would report it; 0 when Rank is
}

// Locate ranks chosen chunks among all chunks under the request's filter, whatever its K, in the order of
// ids. It costs one pass over the vectors for all of them, plus the time to compare those in double
// precision that rank above the lowest.
func (x *Index) Locate(ctx context.Context, req assay.Request, ids ...string) ([]Place, error) {
	req.K = 1
	if err := chunkset.Check(ctx, op, req); err != nil {
		return nil, err
	}
	p, err := x.prepare(req.Vector)
	if err != nil {
		return nil, err
	}
	out := make([]Place, len(ids))
	var targets []scored // in ranking order
	for i, id := range ids {
		out[i].ID = id
		if row, ok := x.set.Find(id); ok && x.set.Match(req.Filter, row) {
			targets = append(targets, scored{x.score(&p, row), row})
		}
	}
	slices.SortFunc(targets, compare)
	targets = slices.Compact(targets)
	ahead, err := x.countAhead(ctx, &p, req.Filter, targets)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		row, ok := x.set.Find(id)
		if !ok {
			continue
		}
		if at := slices.IndexFunc(targets, func(t scored) bool { return t.row == row }); at >= 0 {
			out[i].Rank, out[i].Score = ahead[at]+1, targets[at].score
		}
	}
	return out, nil
}

// countAhead counts for each target the rows under the filter that come before it.
func (x *Index) countAhead(ctx context.Context, p *probe, filter *assay.Filter, targets []scored) ([]int, error) {
	ahead := make([]int, len(targets))
	if len(targets) == 0 {
		return ahead, nil
	}
	lowest := targets[len(targets)-1]
	limit := x.barFor(p, lowest.score)
	products := make([]float32, x.blocks[0].len())
	for _, b := range x.blocks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if x.products() {
			dotOne(products[:b.len()], x.vectors[b.first*x.dim:b.end*x.dim], p.vector, x.dim)
		}
		for i, product := range products[:b.len()] {
			row := b.first + i
			if float64(product) < limit.base+limit.slope*x.size[row] || !x.set.Match(filter, row) {
				continue
			}
			s := scored{x.score(p, row), row}
			// Before its first target, a row comes before all later ones too: those are added up below.
			at := sort.Search(len(targets), func(j int) bool { return compare(s, targets[j]) < 0 })
			if at < len(targets) {
				ahead[at]++
			}
		}
	}
	for i := 1; i < len(ahead); i++ {
		ahead[i] += ahead[i-1]
	}
	return ahead, nil
}
