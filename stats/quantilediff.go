package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// QuantileComparison is one quantile of two samples of the same queries, A against B, such as the 95th percentiles
// of their latencies.
type QuantileComparison struct {
	N      int     `json:"n"`
	Q      float64 `json:"q"`
	ValueA float64 `json:"value_a"`
	ValueB float64 `json:"value_b"`
	// Diff is A − B; Interval holds the population difference with the given Confidence.
	Diff float64 `json:"diff"`
	Interval
	// Ratio is A/B and RatioInterval its interval; both are nil when B is not above 0 in every draw.
	Ratio         *float64  `json:"ratio,omitempty"`
	RatioInterval *Interval `json:"ratio_interval,omitempty"`
	Confidence    float64   `json:"confidence"`
	Method        Method    `json:"method"`
	Warnings      []Warning `json:"warnings,omitempty"`
}

// CompareQuantiles compares quantiles of a and b, a[i] and b[i] being those of query i, by the percentile bootstrap:
// queries are drawn with what both measured on them, so that a query which is slow for both widens nothing (Efron and
// Tibshirani 1993, ch. 13). Quantiles share their draws. It is an error if the slices differ in length, are empty or
// hold NaN or infinity, if a quantile is not inside (0, 1), or if the options are malformed.
func CompareQuantiles(a, b []float64, qs []float64, o Options) ([]QuantileComparison, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if len(a) != len(b) {
		return nil, fmt.Errorf("stats: %d values of A, %d of B: want the same queries in the same order", len(a), len(b))
	}
	for _, q := range qs {
		if !(q > 0 && q < 1) {
			return nil, fmt.Errorf("stats: quantile %v: want a share between 0 and 1, for example 0.95", q)
		}
	}
	if err := errors.Join(checkScores("value", a), checkScores("value", b)); err != nil {
		return nil, err
	}
	ra, rb := rankedPairs(a, b)
	draws := make([][2][]float64, len(qs))
	for k := range draws {
		draws[k] = [2][]float64{make([]float64, o.Draws), make([]float64, o.Draws)}
	}
	n := len(a)
	drawUnits([]span{{0, n}}, o.Draws, o.Seed, func() func(int, []uint32) {
		times := make([]int32, n)
		return func(draw int, units []uint32) {
			clear(times)
			for _, u := range units {
				times[u]++
			}
			for k, q := range qs {
				draws[k][0][draw] = ra.drawn(times, q)
				draws[k][1][draw] = rb.drawn(times, q)
			}
		}
	})
	out := make([]QuantileComparison, len(qs))
	for k, q := range qs {
		out[k] = compareDraws(a, b, q, draws[k][0], draws[k][1], o)
	}
	return out, nil
}

// ranked is a sample in descending order, with the unit of each value.
type ranked struct {
	x    []float64
	unit []int32
}

// rankedPairs numbers the pairs by what they hold, so that the order of the input cannot show.
func rankedPairs(a, b []float64) (ra, rb ranked) {
	type pair struct{ a, b float64 }
	pairs := make([]pair, len(a))
	for i := range a {
		pairs[i] = pair{a[i], b[i]}
	}
	slices.SortFunc(pairs, func(x, y pair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	rank := func(of func(pair) float64) ranked {
		r := ranked{unit: make([]int32, len(pairs)), x: make([]float64, len(pairs))}
		for i := range r.unit {
			r.unit[i] = int32(i)
		}
		slices.SortStableFunc(r.unit, func(i, j int32) int { return cmp.Compare(of(pairs[j]), of(pairs[i])) })
		for k, u := range r.unit {
			r.x[k] = of(pairs[u])
		}
		return r
	}
	return rank(func(p pair) float64 { return p.a }), rank(func(p pair) float64 { return p.b })
}

// drawn is the q-quantile ([Quantile]) of a sample that holds each unit so many times. It walks from the top.
func (r *ranked) drawn(times []int32, q float64) float64 {
	n := len(r.x)
	h := q * float64(n-1)
	rank, f := int(h), h-math.Floor(h)
	above := int32(n - 1 - rank) // values of a higher rank than the wanted one
	seen, upper := int32(0), math.NaN()
	for k, u := range r.unit {
		seen += times[u]
		if math.IsNaN(upper) && seen >= above && times[u] > 0 {
			upper = r.x[k] // of rank+1, or of rank itself where that is the top
		}
		if seen > above {
			if above == 0 {
				return r.x[k]
			}
			return r.x[k] + float64(f*(upper-r.x[k]))
		}
	}
	return r.x[n-1]
}

// compareDraws makes the intervals of one quantile.
func compareDraws(a, b []float64, q float64, da, db []float64, o Options) QuantileComparison {
	c := QuantileComparison{N: len(a), Q: q, ValueA: Quantile(a, q), ValueB: Quantile(b, q), Confidence: o.Confidence, Method: MethodPercentile}
	c.Diff = c.ValueA - c.ValueB
	diffs, ratios := make([]float64, len(da)), make([]float64, len(da))
	positive := c.ValueB > 0
	for i := range da {
		diffs[i] = da[i] - db[i]
		positive = positive && db[i] > 0
		if positive {
			ratios[i] = da[i] / db[i]
		}
	}
	slices.Sort(diffs)
	c.Interval = Percentile(diffs, o.Confidence).around(c.Diff)
	if positive {
		slices.Sort(ratios)
		ratio := c.ValueA / c.ValueB
		i := Percentile(ratios, o.Confidence).around(ratio)
		c.Ratio, c.RatioInterval = &ratio, &i
	}
	if float64(len(a))*min(q, 1-q) < 5 {
		c.Warnings = append(c.Warnings, warnf(WarnFewTail, "fewer than 5 of %d queries lie beyond the %.4g quantile", len(a), q))
	}
	return c
}
