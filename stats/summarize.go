package stats

import (
	"fmt"
	"math"
)

// Summary is the mean of one measure over the queries, and how far it can be
// trusted.
type Summary struct {
	// N is the number of queries, Units the number of independent ones (clusters
	// count once), NEff the effective number of those under their weights, (Σw)²/Σw²
	// (Kish 1965); all three are equal for a simple random sample.
	N     int     `json:"n"`
	Units int     `json:"units"`
	NEff  float64 `json:"n_eff"`
	// Mean is Σwx/Σw.
	Mean float64 `json:"mean"`
	// Interval holds the population mean with the given Confidence.
	Interval
	Confidence float64 `json:"confidence"`
	Method     Method  `json:"method"`
	// SD is the standard deviation of the scores (n−1), SE the standard error of the
	// mean, with clusters, weights and strata taken into account.
	SD float64 `json:"sd"`
	SE float64 `json:"se"`
	// Binary says that every score is 0 or 1.
	Binary   bool      `json:"binary"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// String formats mean and interval.
func (s Summary) String() string { return fmt.Sprintf("%.4f %v", s.Mean, s.Interval) }

// Summarize returns the mean of the scores of one measure with its interval:
//
//   - 0/1 scores: [Wilson]; with clusters or weights, Wilson with the effective n;
//   - scores without spread: what n equal scores rule out, given the range;
//   - else, under AssumeNormal: Student's t;
//   - else the BCa bootstrap, its level expanded by [ExpandedConfidence]. From 2,000
//     units on the bootstrap distribution is taken from its cumulants
//     instead of from draws.
//
// It is an error if scores is empty or holds NaN or infinity, or if design or
// options are malformed.
func Summarize(scores []float64, d Design, o Options) (Summary, error) {
	all, err := SummarizeAll([][]float64{scores}, d, o)
	if err != nil {
		return Summary{}, err
	}
	return all[0], nil
}

// SummarizeAll is [Summarize] for several measures of the same queries, scores[m]
// being those of measure m. Measures share bootstrap draws, which makes further ones
// cheap; each gets the result it would get alone.
func SummarizeAll(scores [][]float64, d Design, o Options) ([]Summary, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	l, err := sharedLayout(d, scores...)
	if err != nil || len(scores) == 0 {
		return nil, err
	}
	out := make([]Summary, len(scores))
	var drawn []column // the columns left to the bootstrap, and whose they are
	var owner []int
	for m, xs := range scores {
		c := l.column(xs)
		s := &out[m]
		*s = Summary{
			N: len(xs), Units: l.units(), NEff: l.neff,
			Mean: c.mean, SD: l.sd(xs, c.mean), SE: c.se,
			Confidence: o.Confidence, Binary: binary(xs),
			Warnings: append([]Warning(nil), l.warnings...),
		}
		if !s.direct(l, &c, scoreRange(o.Range, xs), o) {
			drawn, owner = append(drawn, c), append(owner, m)
		}
	}
	if len(drawn) == 0 {
		return out, nil
	}
	level := ExpandedConfidence(o.Confidence, float64(l.units()))
	for k, replicates := range bootstrapMeans(drawn, o.Draws, o.Seed) {
		out[owner[k]].Interval = BCa(replicates, drawn[k].mean, drawn[k].acceleration(), level)
	}
	return out, nil
}

// direct fills in the interval where that takes no draws.
func (s *Summary) direct(l *layout, c *column, bound Interval, o Options) bool {
	if s.Binary && o.Assume == AssumeNormal {
		s.Warnings = append(s.Warnings, warnf(WarnAssumption, "scores are 0/1, so the normal assumption was set aside"))
	}
	switch {
	case s.Binary && l.simple():
		s.Method = MethodWilson
		s.Interval = Wilson(math.Round(c.total), c.mass, o.Confidence)
	case s.Binary:
		s.Method = MethodWilsonEffective
		s.Interval = c.wilsonEffective(l, o.Confidence)
	case c.se == 0:
		s.Method = MethodConstant
		s.Interval = constantInterval(c.mean, l.neff, o.Confidence, bound)
		s.Warnings = append(s.Warnings, degenerate(l, c.mean, bound))
	case o.Assume == AssumeNormal:
		s.Method = MethodT
		s.Interval = c.tInterval(o.Confidence).clip(bound).around(c.mean)
	default:
		s.Method = MethodBCa
		i, ok := c.edgeworthBCa(ExpandedConfidence(o.Confidence, float64(l.units())))
		s.Interval = i
		return ok
	}
	return true
}

func degenerate(l *layout, value float64, bound Interval) Warning {
	switch {
	case l.units() == 1 && l.queries > 1:
		return warnf(WarnDegenerate, "all queries come from one source: their spread says nothing about other sources")
	case l.units() == 1:
		return warnf(WarnDegenerate, "one query shows no spread")
	case bound == (Interval{}):
		return warnf(WarnDegenerate, "every score is %.4g: without spread, and without a known range, an interval has nothing to go by", value)
	}
	return warnf(WarnDegenerate, "every score is %.4g: the interval only says how much of the population may differ unseen", value)
}

// sharedLayout checks the measures against each other and the design.
func sharedLayout(d Design, measures ...[]float64) (*layout, error) {
	if len(measures) == 0 {
		return nil, nil
	}
	for m, xs := range measures {
		if len(xs) != len(measures[0]) {
			return nil, fmt.Errorf("stats: measure %d has %d scores, measure 0 has %d: want the same queries in the same order", m, len(xs), len(measures[0]))
		}
		if err := checkScores("score", xs); err != nil {
			return nil, err
		}
	}
	return d.layout(len(measures[0]))
}

// sd is the weighted standard deviation √(Σw(x−m)²/Σw · n/(n−1)), 0 for one query.
func (l *layout) sd(xs []float64, mean float64) float64 {
	if len(xs) < 2 || constant(xs) {
		return 0
	}
	squares := make([]float64, len(xs))
	weights := make([]float64, len(xs))
	for i, x := range xs {
		weights[i] = l.weight(i)
		squares[i] = weights[i] * float64((x-mean)*(x-mean))
	}
	n := float64(len(xs))
	return math.Sqrt(sortedSum(squares) / sortedSum(weights) * (n / (n - 1)))
}
