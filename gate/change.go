package gate

import (
	"fmt"

	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// change holds a drop (or rise) of a measure against its margin, query by query.
func (b *bar) change() {
	if b.pair == nil {
		b.notComparable(b.why.Reason)
		return
	}
	m := b.pair.Measures[b.column[b.rule.Measure.Name()]]
	r := &b.result
	r.N, r.NEff, r.Baseline, r.Candidate = m.N, m.NEff, m.MeanA, m.MeanB
	if m.Test == nil {
		b.noData("%s", m.Why)
		return
	}
	r.Method, r.Test, r.MDD, r.Warnings = m.Method, m.Name, m.MDD, m.Warnings
	worse, i := 0-m.Diff, stats.Interval{Lo: 0 - m.Interval.Hi, Hi: 0 - m.Interval.Lo} // how much worse the candidate is
	turned := b.rule.Measure.Definition().Direction == measure.LowerIsBetter
	if turned {
		worse, i = m.Diff, m.Interval
	}
	b.judged(worse, i)
	p := 1.0 // of a drop: a gain is no evidence for one
	if worse > 0 {
		p = m.P
	}
	r.P = &p
	b.good, b.bad = b.rule.sides(i)
	b.same = b.pair.SameRankings == b.compared && b.compared > 0
	b.thin = thin(&m)
	b.words = b.changeWords(&m, worse, i)
	b.grown = growChange(&m, worse, i, turned, b.confidence)
}

// thin is the doubt about an interval that few queries made: where nearly all tie, it covers as little as 0.89 at 50 queries
// (docs/statistics.md), and a pass may be luck.
func thin(m *compare.Measured) string {
	if n := m.Wins + m.Losses; n > 0 && n < 10 && m.NEff < 200 {
		return fmt.Sprintf("; it rests on the %d queries that differ, and the interval may be too narrow", n)
	}
	return ""
}

// changeWords is such as "0.8120 → 0.7520, a drop of 0.0600 [0.0300, 0.0900] against 0.02".
func (b *bar) changeWords(m *compare.Measured, worse float64, i stats.Interval) string {
	d := digits(scoreDecimals, b.rule.Limit, worse, i.Lo, i.Hi)
	word := b.rule.change()
	return fmt.Sprintf("%s → %s, a %s of %s [%s, %s] against %s", d.show(*m.MeanA), d.show(*m.MeanB), word, d.show(worse), d.show(i.Lo), d.show(i.Hi), plain(b.rule.Limit))
}
