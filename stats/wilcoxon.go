package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// maxExactRanks is the number of non-zero differences up to which the
// signed-rank distribution is counted instead of approximated.
const maxExactRanks = 100

// WilcoxonTest returns the two-sided p-value of the signed-rank test (Wilcoxon
// 1945). Zero differences are dropped, ties share their mean rank. The null
// distribution is exact, ties included, for up to 100 non-zero differences; beyond
// that it is the normal one with the tie correction and without a continuity
// correction. It is a test about means only where differences are symmetric: on
// skewed differences of mean zero it rejects nearly always (docs/statistics.md).
func WilcoxonTest(differences []float64) float64 {
	ranks, n := signedRanks(differences)
	if n == 0 {
		return 1
	}
	if n <= maxExactRanks {
		return exactSignedRank(ranks)
	}
	plus, squares := 0.0, 0.0
	for _, r := range ranks {
		if r > 0 {
			plus += float64(r) / 2
		}
		squares += float64(r) * float64(r) / 4
	}
	m := float64(n)
	z := (plus - m*(m+1)/4) / math.Sqrt(squares/4)
	return min(1, max(2*distuv.UnitNormal.CDF(-math.Abs(z)), math.SmallestNonzeroFloat64))
}

// signedRanks are the doubled mean ranks of the sizes of the non-zero
// differences, with the sign of the difference. Doubling keeps shared ranks whole.
func signedRanks(differences []float64) (ranks []int, n int) {
	var d []float64
	for _, x := range differences {
		if x != 0 {
			d = append(d, x)
		}
	}
	slices.SortFunc(d, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	ranks = make([]int, len(d))
	for i := 0; i < len(d); {
		j := i + 1
		for j < len(d) && math.Abs(d[j])-math.Abs(d[i]) <= sumTolerance*math.Abs(d[i]) {
			j++
		}
		for k := i; k < j; k++ {
			ranks[k] = i + 1 + j // twice the mean of ranks i+1 … j
			if d[k] < 0 {
				ranks[k] = -ranks[k]
			}
		}
		i = j
	}
	return ranks, len(d)
}

// exactSignedRank counts all sign assignments by the sum of their positive ranks.
func exactSignedRank(ranks []int) float64 {
	total, plus := 0, 0
	for _, r := range ranks {
		total += max(r, -r)
		plus += max(r, 0)
	}
	share := make([]float64, total+1) // share[s]: probability that the positive ranks sum to s
	share[0] = 1
	for _, r := range ranks {
		r = max(r, -r)
		for s := total; s >= 0; s-- {
			share[s] /= 2
			if s >= r {
				share[s] += share[s-r] / 2
			}
		}
	}
	tail := 0.0
	for s := 0; s <= min(plus, total-plus); s++ {
		tail += share[s]
	}
	return min(1, max(2*tail, math.SmallestNonzeroFloat64))
}
