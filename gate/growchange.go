package gate

import (
	"math"

	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/stats"
)

// growChange is the growth of a drop or rise; turned says that a rise is what is worse.
func growChange(m *compare.Measured, worse float64, i stats.Interval, turned bool, confidence float64) growth {
	switch m.Method {
	case stats.MethodNewcombe:
		return growTable(m, turned)
	case stats.MethodConstant:
		g := vanishing(worse, i, m.N, m.NEff, confidence)
		g.p = growP(m, worse, i, confidence)
		return g
	}
	g := narrowing(worse, i, m.N, confidence)
	g.p = growP(m, worse, i, confidence)
	return g
}

// growTable is the growth of a paired difference of 0/1 scores.
func growTable(m *compare.Measured, turned bool) growth {
	worse, better := int(math.Round(*m.MeanA*float64(m.N))), int(math.Round(*m.MeanB*float64(m.N))) // of the baseline, of the candidate
	if turned {
		worse, better = better, worse
	}
	only := (m.Wins + m.Losses + worse - better) / 2
	both := worse - only
	// The cells end where so many of n queries end, so that they add up.
	table := func(n int) stats.PairedTable {
		end := func(count int) int { return int(math.Round(share(float64(count), n, m.N))) }
		first, second, third := end(both), end(both+only), end(m.Wins+m.Losses+both)
		return stats.PairedTable{Both: first, OnlyA: second - first, OnlyB: third - second, Neither: n - third}
	}
	return growth{
		interval: func(n int, c float64) stats.Interval { return stats.Newcombe(table(n), c) },
		p: func(n int) float64 {
			if t := table(n); t.OnlyA > t.OnlyB {
				return stats.BinomialTest(t.OnlyA, t.OnlyB)
			}
			return 1
		},
	}
}

// growP is the growth of a randomization p-value: where all differences are for the worse it halves with each further one, else
// it is that at which the interval, narrowing with the root of the number of queries, ends at 0: the p-value at hand holds how
// coarse few queries are, which more are not.
func growP(m *compare.Measured, worse float64, i stats.Interval, confidence float64) func(n int) float64 {
	differ := m.Wins + m.Losses
	switch {
	case worse <= 0:
		return func(int) float64 { return 1 }
	case min(m.Wins, m.Losses) == 0 && m.Units == m.N:
		return func(n int) float64 { return stats.BinomialTest(0, int(math.Round(share(float64(differ), n, m.N)))) }
	case min(m.Wins, m.Losses) == 0:
		return func(n int) float64 { return 2 * math.Pow(m.P/2, float64(n)/float64(m.N)) }
	}
	away := deviate(confidence) * worse / (worse - i.Lo)
	return func(n int) float64 { return math.Erfc(away * math.Sqrt(float64(n)/float64(m.N))) }
}
