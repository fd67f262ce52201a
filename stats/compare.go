package stats

import (
	"fmt"
	"math"
)

// Test names how a p-value was made.
type Test string

// The tests a comparison can name.
const (
	PairedRandomization      Test = "paired randomization"
	PairedRandomizationExact Test = "paired randomization, exact"
	ExactBinomial            Test = "exact binomial (McNemar)"
	PairedT                  Test = "paired t"
	SignedRank               Test = "Wilcoxon signed-rank"
)

// Comparison is one measure of two systems on the same queries, A against B.
type Comparison struct {
	// N, Units and NEff are as in [Summary].
	N     int     `json:"n"`
	Units int     `json:"units"`
	NEff  float64 `json:"n_eff"`
	MeanA float64 `json:"mean_a"`
	MeanB float64 `json:"mean_b"`
	// Diff is the mean of A − B over the queries: positive where A is higher.
	// Under AssumeSymmetric it is the Hodges–Lehmann estimate of the same centre.
	Diff float64 `json:"diff"`
	// Interval holds the population difference with the given Confidence.
	Interval
	Confidence float64 `json:"confidence"`
	Method     Method  `json:"method"`
	// P is the two-sided p-value, inside (0, 1], of no difference.
	P    float64 `json:"p"`
	Test Test    `json:"test"`
	// SD is the standard deviation of the differences, SE the standard error of
	// their mean.
	SD float64 `json:"sd"`
	SE float64 `json:"se"`
	// Dz is the standardized difference mean/SD (Cohen 1988, ch. 2); nil without spread.
	Dz *float64 `json:"dz,omitempty"`
	// Wins, Ties and Losses count the queries on which A scores higher, the same
	// (but for rounding) and lower.
	Wins   int `json:"wins"`
	Ties   int `json:"ties"`
	Losses int `json:"losses"`
	// Differ counts the independent units on which the two differ: no test can tell more from less.
	Differ int `json:"differ"`
	// MDD is the minimum detectable difference: the smallest true difference that
	// this design finds with the power of [Options]; nil without spread.
	MDD *float64 `json:"mdd,omitempty"`
	// Binary says that every score is 0 or 1.
	Binary   bool      `json:"binary"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// String formats difference, interval and p-value.
func (c Comparison) String() string { return fmt.Sprintf("%+.4f %v p=%.4g", c.Diff, c.Interval, c.P) }

// ComparePaired compares the scores of two systems on the same queries, a[i] and
// b[i] being those of query i:
//
//   - 0/1 scores: [BinomialTest] and [Newcombe]; with clusters or weights the two
//     below;
//   - by default: [RandomizationTest] and the interval that inverts it, which holds
//     exactly the differences the test would not reject;
//   - under AssumeNormal: the paired t-test and interval;
//   - under AssumeSymmetric, without clusters and weights: [WilcoxonTest] and
//     [HodgesLehmann].
//
// It is an error if the slices differ in length, are empty or hold NaN or
// infinity, or if design or options are malformed.
func ComparePaired(a, b []float64, d Design, o Options) (Comparison, error) {
	all, err := ComparePairedAll([][]float64{a}, [][]float64{b}, d, o)
	if err != nil {
		return Comparison{}, err
	}
	return all[0], nil
}

// ComparePairedAll is [ComparePaired] for several measures of the same queries.
// Measures share sign flips, which makes further ones cheap; each gets the
// result it would get alone. P-values are not adjusted for one another: see [Holm].
func ComparePairedAll(a, b [][]float64, d Design, o Options) ([]Comparison, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("stats: %d measures of A, %d of B", len(a), len(b))
	}
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	l, err := sharedLayout(d, append(append([][]float64(nil), a...), b...)...)
	if err != nil || len(a) == 0 {
		return nil, err
	}
	out := make([]Comparison, len(a))
	var flipped []column // the columns left to sign flips, and whose they are
	var owner []int
	pairs := make([]*pair, len(a))
	for m := range a {
		p := newPair(l, a[m], b[m], o)
		pairs[m] = p
		out[m] = p.describe()
		if !p.direct(&out[m]) {
			flipped, owner = append(flipped, p.column), append(owner, m)
		}
	}
	if len(flipped) > 0 {
		for k, s := range flip(flipped, o.Flips, o.Seed) {
			pairs[owner[k]].randomize(&out[owner[k]], s)
		}
	}
	for m := range out {
		out[m].Warnings = append(out[m].Warnings, pairs[m].doubts(&out[m])...)
	}
	return out, nil
}

// differences returns a − b, 0 where the two are equal but for rounding: of their
// own size, or of the largest score.
func differences(a, b []float64) []float64 {
	largest := 0.0
	for i := range a {
		largest = max(largest, math.Abs(a[i]), math.Abs(b[i]))
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
		if math.Abs(d[i]) <= max(sumTolerance*max(math.Abs(a[i]), math.Abs(b[i])), 1e-15*largest) {
			d[i] = 0
		}
	}
	return d
}
