package gate

import (
	"fmt"

	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/stats"
)

// value holds the candidate's mean against a bound.
func (b *bar) value() error {
	column := b.column[b.rule.Measure.Name()]
	values, ids := b.values(column)
	if len(values) == 0 {
		b.noData("no query of %s has a value of %s", b.Candidate.Name, b.rule.Measure.Name())
		return nil
	}
	opts := b.Stats
	opts.Range = stats.Interval{}
	if def := b.rule.Measure.Definition(); def.Bounded() {
		opts.Range = stats.Interval{Lo: def.Range.Min, Hi: def.Range.Max}
	}
	design := compare.Design(ids, b.Query)
	s, err := stats.Summarize(values, design, opts)
	if err != nil {
		return err
	}
	r := &b.result
	r.N, r.NEff, r.Candidate, r.Method, r.Warnings = s.N, s.NEff, &s.Mean, s.Method, s.Warnings
	b.judged(s.Mean, s.Interval)
	b.good, b.bad = b.rule.sides(s.Interval)
	b.grown = growValue(&s)
	b.excludes = func(confidence float64) (bool, error) {
		o := opts
		o.Confidence = confidence
		s, err := stats.Summarize(values, design, o)
		_, bad := b.rule.sides(s.Interval)
		return bad, err
	}
	d := digits(scoreDecimals, b.rule.Limit, s.Mean, s.Lo, s.Hi)
	b.words = fmt.Sprintf("%s [%s, %s] against %s %s", d.show(s.Mean), d.show(s.Lo), d.show(s.Hi), b.rule.Op, plain(b.rule.Limit))
	return nil
}
