package gate

import (
	"fmt"
	"slices"

	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/stats"
)

// latency holds a percentile of the candidate's times against a bound.
func (b *bar) latency() error {
	var times []float64
	for i := range b.Candidate.Queries {
		if ms, ok := b.Candidate.Queries[i].Millis(b.rule.Stage); ok {
			times = append(times, ms)
		}
	}
	if len(times) == 0 {
		b.noTimes(b.Candidate.Name)
		return nil
	}
	opts := b.Stats
	opts.Range = stats.Interval{}
	s, err := stats.SummarizeQuantile(times, b.rule.Quantile, stats.Design{}, opts)
	if err != nil {
		return err
	}
	r := &b.result
	r.N, r.NEff, r.Candidate, r.Method, r.Warnings = s.N, float64(s.N), &s.Value, s.Method, s.Warnings
	b.judged(s.Value, s.Interval)
	b.good, b.bad = b.rule.sides(s.Interval)
	slices.Sort(times)
	b.grown = growQuantile(times, b.rule.Quantile, s.Value)
	b.excludes = func(confidence float64) (bool, error) {
		o := opts
		o.Confidence = confidence
		s, err := stats.SummarizeQuantile(times, b.rule.Quantile, stats.Design{}, o)
		_, bad := b.rule.sides(s.Interval)
		return bad, err
	}
	d := digits(millisDecimals(s.Value), b.rule.Limit, s.Value, s.Lo, s.Hi)
	b.words = fmt.Sprintf("%s ms [%s, %s] against %s %s ms", d.show(s.Value), d.show(s.Lo), d.show(s.Hi), b.rule.Op, plain(b.rule.Limit))
	return nil
}

// latencyRise holds the rise of a percentile against a margin, on the queries that both sides timed.
func (b *bar) latencyRise() error {
	if b.Baseline == nil || b.why != nil {
		b.notComparable(b.why.Reason)
		return nil
	}
	if why := compare.Unlike(&b.Baseline.SideInfo, &b.Candidate.SideInfo); why != "" {
		b.notComparable(why)
		return nil
	}
	was, is := b.times()
	if len(was) == 0 {
		b.noTimes(b.Baseline.Name + " and " + b.Candidate.Name)
		return nil
	}
	rise := func(confidence float64) (q stats.QuantileComparison, estimate float64, i stats.Interval, err error) {
		o := b.Stats
		o.Range, o.Confidence = stats.Interval{}, confidence
		all, err := stats.CompareQuantiles(is, was, []float64{b.rule.Quantile}, o)
		if err != nil {
			return q, 0, i, err
		}
		q = all[0]
		if !b.rule.Relative {
			return q, q.Diff, q.Interval, nil
		}
		return q, *q.Ratio - 1, stats.Interval{Lo: q.RatioInterval.Lo - 1, Hi: q.RatioInterval.Hi - 1}, nil
	}
	q, estimate, i, err := rise(b.confidence)
	if err != nil {
		return err
	}
	r := &b.result
	r.N, r.NEff, r.Baseline, r.Candidate, r.Method, r.Warnings = q.N, float64(q.N), &q.ValueB, &q.ValueA, q.Method, q.Warnings
	b.judged(estimate, i)
	b.good, b.bad = b.rule.sides(i)
	b.grown = narrowing(estimate, i, q.N, b.confidence)
	b.same = slices.Equal(was, is) // not the rankings: they say nothing of their time
	b.excludes = func(confidence float64) (bool, error) {
		_, _, i, err := rise(confidence)
		_, bad := b.rule.sides(i)
		return bad, err
	}
	b.words = b.riseWords(&q, estimate, i)
	return nil
}

func (b *bar) riseWords(q *stats.QuantileComparison, estimate float64, i stats.Interval) string {
	unit, scale, ms := " ms", 1.0, millisDecimals(q.ValueB)
	least := ms
	if b.rule.Relative {
		unit, scale, least = " %", 100, shareDecimals
	}
	d := digits(least, scale*b.rule.Limit, scale*estimate, scale*i.Lo, scale*i.Hi)
	return fmt.Sprintf("%s ms → %s ms, a rise of %s%s [%s, %s] against %s%s", ms.show(q.ValueB), ms.show(q.ValueA), d.show(scale*estimate), unit,
		d.show(scale*i.Lo), d.show(scale*i.Hi), plain(scale*b.rule.Limit), unit)
}

// times are the times of the rule's stage on the queries that both sides timed, in byte order of their ids.
func (b *bar) times() (was, is []float64) {
	before := map[string]float64{}
	for i := range b.Baseline.Queries {
		if ms, ok := b.Baseline.Queries[i].Millis(b.rule.Stage); ok {
			before[b.Baseline.Queries[i].ID] = ms
		}
	}
	for i := range b.Candidate.Queries {
		q := &b.Candidate.Queries[i]
		ms, ok := q.Millis(b.rule.Stage)
		if old, both := before[q.ID]; ok && both {
			was, is = append(was, old), append(is, ms)
		}
	}
	return was, is
}

func (b *bar) noTimes(who string) {
	b.noData("no query of %s has a time of %s", who, b.rule.Stage)
}
