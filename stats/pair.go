package stats

import (
	"cmp"
	"math"
	"slices"
)

// pair is one measure of two systems while it is being compared.
type pair struct {
	l          *layout
	o          Options
	a, b, d    []float64
	meanA      float64
	meanB      float64
	column     column // of the differences or their negatives, whichever comes first
	turned     bool   // it is of the negatives
	palindrome bool   // differences and negatives are the same set
	bound      Interval
}

func newPair(l *layout, a, b []float64, o Options) *pair {
	p := &pair{l: l, o: o, a: a, b: b, d: differences(a, b)}
	p.meanA, p.meanB = meanOf(l, a), meanOf(l, b)
	p.column = l.column(p.d)
	// Swapping A and B must mirror the result, so both orders calculate with the
	// same column.
	mirrored := l.column(negated(p.d))
	switch p.column.before(&mirrored) {
	case -1:
		p.column, p.turned = mirrored, true
	case 0:
		p.palindrome = true
	}
	if math.Abs(p.column.total) <= sumTolerance*sumAbs(p.column.num) {
		p.column.total, p.column.mean = 0, 0 // what rounding left of differences that cancel
	}
	if r := scoreRange(o.Range, a, b); r != (Interval{}) {
		p.bound = Interval{r.Lo - r.Hi, r.Hi - r.Lo}
	}
	return p
}

func meanOf(l *layout, xs []float64) float64 {
	c := l.column(xs)
	return c.mean
}

// before orders a column and its mirror image: by mean, then by units.
func (c *column) before(mirrored *column) int {
	tol := sumTolerance * sumAbs(c.num)
	switch {
	case c.total > tol:
		return 1
	case c.total < -tol:
		return -1
	}
	return cmp.Or(slices.Compare(c.num, mirrored.num), slices.Compare(c.den, mirrored.den))
}

// describe fills in all that needs no test.
func (p *pair) describe() Comparison {
	c := Comparison{
		N: len(p.d), Units: p.l.units(), NEff: p.l.neff,
		MeanA: p.meanA, MeanB: p.meanB, Diff: p.facing(p.column.mean),
		Confidence: p.o.Confidence, SE: p.column.se,
		Binary:   binary(p.a) && binary(p.b),
		Warnings: append([]Warning(nil), p.l.warnings...),
	}
	for _, x := range p.column.num {
		if x != 0 {
			c.Differ++
		}
	}
	c.SD = p.l.sd(p.d, c.Diff)
	for _, d := range p.d {
		switch {
		case d > 0:
			c.Wins++
		case d < 0:
			c.Losses++
		default:
			c.Ties++
		}
	}
	if c.SD > 0 && c.SE > 0 {
		dz := c.Diff / c.SD
		c.Dz = &dz
	}
	if c.SE > 0 && p.column.df >= 1 {
		mdd := newTTest(p.column.df, p.o.alpha()).shift(p.o.Power) * c.SE
		c.MDD = &mdd
	}
	return c
}

// direct fills in test and interval where that takes no sign flips.
func (p *pair) direct(c *Comparison) bool {
	switch {
	case c.Binary && p.l.simple():
		if p.o.Assume != AssumeNothing {
			c.Warnings = append(c.Warnings, warnf(WarnAssumption, "scores are 0/1, so the %v assumption was set aside", p.o.Assume))
		}
		c.Test, c.P = ExactBinomial, BinomialTest(c.Wins, c.Losses)
		c.Method, c.Interval = MethodNewcombe, Newcombe(pairedTable(p.a, p.b), c.Confidence)
	case p.column.se == 0:
		c.Test, c.P = PairedRandomizationExact, p.constantP()
		c.Method = MethodConstant
		p.give(c, constantInterval(p.column.mean, p.l.neff, c.Confidence, p.bound))
	case p.o.Assume == AssumeNormal:
		c.Test = PairedT
		c.P, _ = p.column.tTest()
		c.Method = MethodT
		p.give(c, p.column.tInterval(c.Confidence).clip(p.bound))
	case p.o.Assume == AssumeSymmetric && p.l.simple():
		c.Test, c.P = SignedRank, WilcoxonTest(p.d)
		c.Method = MethodHodgesLehmann
		centre, i := HodgesLehmann(p.column.num, c.Confidence)
		c.Diff = p.facing(centre)
		p.give(c, i)
	default:
		if p.o.Assume == AssumeSymmetric {
			c.Warnings = append(c.Warnings, warnf(WarnAssumption, "signed ranks know no clusters or weights, so the symmetry assumption was set aside"))
		}
		return false
	}
	return true
}

// constantP is the exact randomization p-value of differences without spread.
func (p *pair) constantP() float64 {
	v, ok := p.column.exactP()
	if !ok { // units of unequal weight, all with the same difference: only all or none is as extreme
		return math.Ldexp(1, 1-len(p.column.num))
	}
	return v
}

// randomize fills in test and interval from random sign flips.
func (p *pair) randomize(c *Comparison, s subsets) {
	if v, ok := p.column.exactP(); ok {
		c.Test, c.P = PairedRandomizationExact, v
	} else {
		c.Test, c.P = PairedRandomization, p.column.randomP(s)
	}
	alpha := p.o.alpha()
	i, ok := p.column.randomizationInterval(s, alpha, p.bound)
	if !ok {
		c.Method = MethodT
		p.give(c, p.column.tInterval(c.Confidence))
		return
	}
	if c.P > alpha { // an exact p-value is free of the noise in the limits
		i = i.around(0)
	}
	c.Method = MethodInversion
	p.give(c, i)
}

// facing turns a value of the column to the side of A − B.
func (p *pair) facing(x float64) float64 {
	if p.turned {
		return 0 - x
	}
	return x
}

// give turns the interval of the column to the side of A − B. One of differences that
// are their own mirror image is made symmetric.
func (p *pair) give(c *Comparison, i Interval) {
	if p.palindrome {
		half := max(-i.Lo, i.Hi)
		i = Interval{0 - half, half}
	}
	if p.turned {
		i = i.mirror()
	}
	c.Interval = i.around(c.Diff)
}

// doubts are the warnings that need the finished comparison.
func (p *pair) doubts(c *Comparison) []Warning {
	alpha, least := p.o.alpha(), LeastP(c.Differ)
	switch {
	case c.Wins+c.Losses == 0:
		return []Warning{warnf(WarnAllTies, "the systems score the same on all %d queries", c.N)}
	case c.Test == PairedT:
		return nil
	case p.column.se == 0:
		return []Warning{warnf(WarnDegenerate, "the difference is %+.4g on every query: no spread to judge it by", c.Diff)}
	case least > alpha:
		return []Warning{warnf(WarnFewDiffer, "the systems differ on %s: no p-value below %.3g is possible, %.2g takes %d",
			counted(c.Differ, "independent query", "independent queries"), least, alpha, LeastDiffering(alpha))}
	case c.Test == SignedRank && asymmetric(p.d):
		return []Warning{warnf(WarnAsymmetric, "the differences are skewed: signed ranks then say nothing about means")}
	}
	return nil
}

// LeastP is the smallest p-value that a randomization or sign test can give where n independent queries differ: 2^(1−n), of the
// two outcomes in which all of them go one way.
func LeastP(n int) float64 { return math.Ldexp(1, 1-max(n, 1)) }

// LeastDiffering is how many independent queries must differ before such a p-value can reach alpha, which lies between 0 and 1.
func LeastDiffering(alpha float64) int { return int(math.Ceil(1 - math.Log2(alpha))) }

// asymmetric reports whether the sample skewness of the non-zero differences is
// beyond what symmetry explains at the 1 % level (Fisher 1930 standard error).
func asymmetric(differences []float64) bool {
	var d []float64
	for _, x := range differences {
		if x != 0 {
			d = append(d, x)
		}
	}
	n := float64(len(d))
	if n < 8 {
		return false
	}
	mean := sortedSum(d) / n
	var m2, m3 float64
	for _, x := range d {
		m2 += float64((x - mean) * (x - mean))
		m3 += float64((x - mean) * (x - mean) * (x - mean))
	}
	if m2 == 0 {
		return false
	}
	g1 := m3 / n / math.Pow(m2/n, 1.5)
	adjusted := g1 * math.Sqrt(n*(n-1)) / (n - 2)
	se := math.Sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
	return math.Abs(adjusted)/se > 2.576
}
