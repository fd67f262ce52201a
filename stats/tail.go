package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// QuantileSummary is a quantile of a sample, such as the 95th percentile of
// latencies, and how far it can be trusted.
type QuantileSummary struct {
	N     int `json:"n"`
	Units int `json:"units"`
	// Q is the wanted share, 0.95 for the 95th percentile.
	Q float64 `json:"q"`
	// Value is the sample quantile of [Quantile].
	Value float64 `json:"value"`
	// Interval holds the population quantile with the given Confidence.
	Interval
	Confidence float64   `json:"confidence"`
	Method     Method    `json:"method"`
	Warnings   []Warning `json:"warnings,omitempty"`
}

// String formats value and interval.
func (s QuantileSummary) String() string { return fmt.Sprintf("%.4g %v", s.Value, s.Interval) }

// SummarizeQuantile returns the q-quantile of values, 0 < q < 1, with an interval
// that assumes nothing about their distribution: two order statistics
// ([OrderStatistics]) for independent values, the percentile bootstrap over
// clusters or inside strata for others. Weights are refused: a weighted quantile
// is another quantity, best taken from replicated values.
func SummarizeQuantile(values []float64, q float64, d Design, o Options) (QuantileSummary, error) {
	o, err := o.withDefaults()
	if err != nil {
		return QuantileSummary{}, err
	}
	if !(q > 0 && q < 1) {
		return QuantileSummary{}, fmt.Errorf("stats: quantile %v: want a share between 0 and 1, for example 0.95", q)
	}
	if err := checkScores("value", values); err != nil {
		return QuantileSummary{}, err
	}
	if d.Weights != nil {
		return QuantileSummary{}, errors.New("stats: quantiles take no weights: leave them out of the design")
	}
	l, err := d.layout(len(values))
	if err != nil {
		return QuantileSummary{}, err
	}
	s := QuantileSummary{
		N: len(values), Units: l.units(), Q: q, Value: Quantile(values, q),
		Confidence: o.Confidence, Method: MethodOrderStatistics,
		Warnings: append([]Warning(nil), l.warnings...),
	}
	if l.unit == nil {
		var covered float64
		s.Interval, covered = OrderStatistics(values, q, o.Confidence)
		if covered < o.Confidence {
			s.Warnings = append(s.Warnings, warnf(WarnFewTail, "%d values cannot bound the %.4g quantile: the interval ends at the extreme value and covers %.0f %%; %d values are enough", s.N, q, 100*covered, ValuesEnough(q, o.Confidence)))
		}
	} else {
		s.Method = MethodPercentile
		s.Interval = Percentile(l.bootstrapQuantiles(values, q, o), o.Confidence)
		if float64(s.Units)*min(q, 1-q) < 5 {
			s.Warnings = append(s.Warnings, warnf(WarnFewTail, "fewer than 5 of %d independent units lie beyond the %.4g quantile", s.Units, q))
		}
	}
	s.Interval = s.Interval.around(s.Value)
	return s, nil
}

// OrderStatistics returns the interval between two order statistics that holds the
// q-quantile of any distribution with at least the given confidence, each
// tail taking half of the error: the ranks are binomial quantiles (Hahn and Meeker
// 1991, ch. 5). covered is below the confidence when there are too few values, where
// a limit is an extreme value. Without values it covers nothing.
func OrderStatistics(values []float64, q, confidence float64) (i Interval, covered float64) {
	if len(values) == 0 {
		return Interval{math.NaN(), math.NaN()}, 0
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	lo, hi, covered := OrderRanks(len(sorted), q, confidence)
	return Interval{sorted[lo-1], sorted[hi-1]}, covered
}

// OrderRanks are the ranks, counted from 1, of the two order statistics of n values,
// and the probability that the quantile lies between them.
func OrderRanks(n int, q, confidence float64) (lo, hi int, covered float64) {
	binomial := distuv.Binomial{N: float64(n), P: q}
	tail := (1 - confidence) / 2 * (1 + 1e-9)
	// x_(r) lies above the quantile with probability P(B ≤ r−1), which grows with r.
	lo = max(1, sort.Search(n, func(r int) bool { return binomial.CDF(float64(r)) > tail }))
	hi = min(n, 1+sort.Search(n, func(r int) bool { return 1-binomial.CDF(float64(r)) <= tail }))
	missed := binomial.CDF(float64(lo-1)) + 1 - binomial.CDF(float64(hi-1))
	return lo, hi, min(max(1-missed, 0), 1)
}

// ValuesEnough is a sample whose extreme values bound the q-quantile for certain:
// each misses it with at most half of the error.
func ValuesEnough(q, confidence float64) int {
	return int(math.Ceil(math.Log((1-confidence)/2) / math.Log(max(q, 1-q))))
}
