package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Agreement is a chance-corrected coefficient of agreement between raters, 1 −
// Observed/Expected: 1 for perfect agreement, 0 for what chance would give, below
// 0 for less.
type Agreement struct {
	// Items is the number of items with at least two ratings, Units the
	// number of independent ones.
	Items int `json:"items"`
	Units int `json:"units"`
	// Value is the coefficient; nil where it has none, because all ratings are the
	// same and chance alone would agree fully.
	Value *float64 `json:"value,omitempty"`
	// Interval holds the population coefficient with the given Confidence; [−1, 1]
	// where Value is nil, and where under five independent units leave nothing to
	// resample.
	Interval
	Confidence float64 `json:"confidence"`
	Method     Method  `json:"method"`
	// Observed and Expected are the mean disagreement found and the one due to
	// chance, in the distance of the coefficient.
	Observed float64   `json:"observed"`
	Expected float64   `json:"expected"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// minAgreementUnits is the least number of units whose resamples say anything: one
// gives the same value in every resample, and so an interval without width.
const minAgreementUnits = 5

// String formats coefficient and interval.
func (a Agreement) String() string {
	if a.Value == nil {
		return "undefined"
	}
	return fmt.Sprintf("%.4f %v", *a.Value, a.Interval)
}

// Short formats coefficient and interval with two decimals, and 0 without a sign.
func (a Agreement) Short() string {
	if a.Value == nil {
		return "no value"
	}
	two := func(x float64) float64 { return math.Round(100*x)/100 + 0 }
	return fmt.Sprintf("%.2f [%.2f, %.2f]", two(*a.Value), two(a.Lo), two(a.Hi))
}

// disagreement is a coefficient as a function of sums over items, which is what
// makes resampling items cheap: every coefficient here is one.
type disagreement struct {
	items [][]float64 // per item, what it adds to the sums
	// of returns observed and expected disagreement, in one unit, from the sums.
	of func(sums []float64) (observed, expected float64)
	// farthest is the largest distance two ratings can have, in the unit of of.
	farthest func(sums []float64) float64
}

// estimate fills in coefficient and interval: BCa over units, its level expanded by
// [ExpandedConfidence].
func (g *disagreement) estimate(a *Agreement, l *layout, o Options) {
	columns := g.columns(l)
	total := make([]float64, len(columns))
	for j, c := range columns {
		total[j] = sum(c)
	}
	a.Items, a.Units, a.Confidence = len(g.items), l.units(), o.Confidence
	a.Interval, a.Method = Interval{-1, 1}, MethodBCa
	a.Warnings = append(a.Warnings, l.warnings...)
	a.Observed, a.Expected = g.of(total)
	value, ok := g.value(total)
	if !ok {
		a.Method = MethodConstant
		a.Warnings = append(a.Warnings, warnf(WarnUndefined, "all ratings are the same: chance alone would agree fully, so the coefficient has no value"))
		return
	}
	a.Value = &value
	if a.Observed == 0 {
		a.Method = MethodConstant
		u := 1 - math.Pow(1-o.Confidence, 1/l.neff)
		a.Interval = Interval{max(-1, 1-u*g.farthest(total)/a.Expected), 1}
		a.Warnings = append(a.Warnings, warnf(WarnDegenerate, "the raters agree on all %d items: the interval only says how much disagreement may be unseen", a.Items))
	}
	if a.Units < minAgreementUnits {
		a.Interval, a.Method = Interval{-1, 1}, MethodConstant
		a.Warnings = append(a.Warnings, warnf(WarnFewQueries, "only %d independent units: under %d say nothing about others, so the interval is the whole range", a.Units, minAgreementUnits))
	}
	if a.Method == MethodConstant {
		return
	}
	replicates := g.bootstrap(columns, l.strata, o)
	if undefined := o.Draws - len(replicates); undefined > o.Draws/20 {
		a.Warnings = append(a.Warnings, warnf(WarnUndefined, "%d of %d resamples hold one category only and were left out: the interval is too narrow", undefined, o.Draws))
	}
	level := ExpandedConfidence(o.Confidence, float64(l.units()))
	a.Interval = BCa(replicates, value, g.acceleration(columns, total, l.strata), level).clip(Interval{-1, 1}).around(value)
}

func (g *disagreement) value(sums []float64) (float64, bool) {
	observed, expected := g.of(sums)
	if !(expected > 0) {
		return 0, false
	}
	return 1 - observed/expected, true
}

// columns gathers items into units, sorted inside their stratum so that the order
// of the input cannot show, and turns them into one column per sum.
func (g *disagreement) columns(l *layout) [][]float64 {
	width := len(g.items[0])
	order := make([]int, len(g.items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(l.unitOf(a), l.unitOf(b)), slices.Compare(g.items[a], g.items[b]), cmp.Compare(l.weight(a), l.weight(b)))
	})
	scale := l.weightScale()
	units := make([][]float64, l.units())
	for u := range units {
		units[u] = make([]float64, width)
	}
	for _, i := range order {
		for j, x := range g.items[i] {
			units[l.unitOf(i)][j] += float64(x * l.weight(i) * scale)
		}
	}
	for _, s := range l.strata {
		slices.SortFunc(units[s.start:s.end], slices.Compare)
	}
	columns := make([][]float64, width)
	for j := range columns {
		columns[j] = make([]float64, len(units))
		for u := range units {
			columns[j][u] = units[u][j]
		}
	}
	return columns
}

// weightScale makes weights average 1, so that counts stay counts.
func (l *layout) weightScale() float64 {
	if l.weights == nil {
		return 1
	}
	return float64(l.queries) / sortedSum(slices.Clone(l.weights))
}

// bootstrap returns the coefficient of every resample that has one.
func (g *disagreement) bootstrap(columns [][]float64, strata []span, o Options) []float64 {
	replicates := make([]float64, o.Draws)
	resample(columns, strata, o.Draws, o.Seed, func(draw int, sums []float64) {
		v, ok := g.value(sums)
		if !ok {
			v = math.NaN()
		}
		replicates[draw] = v
	})
	return slices.DeleteFunc(replicates, math.IsNaN)
}

// acceleration leaves out one unit at a time.
func (g *disagreement) acceleration(columns [][]float64, total []float64, strata []span) float64 {
	groups := make([][]float64, len(strata))
	rest := make([]float64, len(total))
	for h, s := range strata {
		for u := s.start; u < s.end; u++ {
			for j := range rest {
				rest[j] = total[j] - columns[j][u]
			}
			if v, ok := g.value(rest); ok {
				groups[h] = append(groups[h], v)
			}
		}
	}
	return Acceleration(groups...)
}

// prevalence warns where one category holds nearly all ratings.
func prevalence(counts map[float64]float64) []Warning {
	total, most := 0.0, 0.0
	for _, c := range counts {
		total += c
		most = max(most, c)
	}
	if len(counts) > 1 && most > 0.9*total {
		return []Warning{warnf(WarnPrevalence, "%.0f %% of the ratings are in one category: chance agreement is high and the coefficient is unstable", 100*most/total)}
	}
	return nil
}
