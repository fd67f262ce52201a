package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay/measure"
)

// moves are the queries whose headline measure changed most, both rankings beside.
func (in *Input) moves(m *matched, side int) ([]Move, error) {
	n := in.Moves
	if n == 0 {
		n = DefaultMoves
	}
	var at []int
	for i := range m.ids {
		if a, b := m.rows[0][i], m.rows[side][i]; hasValue(a, b) && a.Values[0] != b.Values[0] {
			at = append(at, i)
		}
	}
	size := func(i int) float64 { return math.Abs(m.rows[side][i].Values[0] - m.rows[0][i].Values[0]) }
	slices.SortStableFunc(at, func(x, y int) int { // equal ones stay in the order of their ids
		return cmp.Or(cmp.Compare(size(y), size(x)), cmp.Compare(in.loss(m, side, y), in.loss(m, side, x)))
	})
	at = at[:min(max(n, 0), len(at))]
	out := make([]Move, len(at))
	ids := make([]string, len(at))
	for k, i := range at {
		a, b, q := m.rows[0][i], m.rows[side][i], in.query(m.ids[i])
		ids[k] = m.ids[i]
		out[k] = Move{Query: ids[k], Text: q.Text, Tags: q.Tags, A: a.Values[0], B: b.Values[0], Diff: b.Values[0] - a.Values[0],
			FirstA: a.First, FirstB: b.First, Gold: []string{}}
		if in.Gold != nil {
			out[k].Gold = append(out[k].Gold, in.Gold(ids[k])...)
		}
	}
	if err := in.Sides[0].rankings(ids, out, func(m *Move) *Ranking { return &m.RankingA }); err != nil {
		return nil, err
	}
	return out, in.Sides[side].rankings(ids, out, func(m *Move) *Ranking { return &m.RankingB })
}

// loss is 1 where B is worse: of moves of one size the losses are shown first.
func (in *Input) loss(m *matched, side, i int) int {
	lower := in.Measures[0].Definition().Direction == measure.LowerIsBetter
	if (m.rows[side][i].Values[0] < m.rows[0][i].Values[0]) != lower {
		return 1
	}
	return 0
}

func (s *Side) rankings(ids []string, moves []Move, into func(*Move) *Ranking) error {
	for i := range moves {
		into(&moves[i]).Hits = []Hit{}
	}
	if s.Explain == nil || len(ids) == 0 {
		return nil
	}
	found, err := s.Explain(ids)
	if err != nil {
		return fmt.Errorf("rankings of %s: %w", s.Name, err)
	}
	for i := range moves {
		if r, ok := found[moves[i].Query]; ok && r.Hits != nil {
			*into(&moves[i]) = r
		}
	}
	return nil
}
