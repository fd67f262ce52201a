package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
	"gonum.org/v1/gonum/stat/distuv"
)

// The raters of the simulation see the same grade of an item, 0 to 3 and mostly low,
// and each puts a random grade in its place now and then.
const (
	grades     = 4
	gradeShare = 0.35 // the true grade is binomial(3, .35)
	careless   = 0.35
)

// rate draws the ratings of three raters for one item.
func rate(r *rand.Rand) []float64 {
	g := hits(r, grades-1, gradeShare)
	ratings := make([]float64, 3)
	for i := range ratings {
		ratings[i] = g
		if r.Float64() < careless {
			ratings[i] = float64(r.IntN(grades))
		}
	}
	return ratings
}

// trueAgreement is the coefficient of all items there could be, 1 − E δ(x, y) /
// E δ(x, y′) with x and y two ratings of one item and y′ one of another. As the raters are
// alike, kappa and alpha have the same form and differ in δ alone. Leaving out
// raters at random changes neither expectation.
func trueAgreement(distance func(margin [grades]float64, a, b int) float64) float64 {
	var joint [grades][grades]float64
	var margin [grades]float64
	truth := distuv.Binomial{N: grades - 1, P: gradeShare}
	for g := range grades {
		var rating [grades]float64 // the distribution of a rating of an item of grade g
		for x := range rating {
			rating[x] = careless / grades
		}
		rating[g] += 1 - careless
		share := truth.Prob(float64(g))
		for x := range rating {
			margin[x] += share * rating[x]
			for y := range rating {
				joint[x][y] += share * rating[x] * rating[y]
			}
		}
	}
	observed, expected := 0.0, 0.0
	for x := range grades {
		for y := range grades {
			d := distance(margin, min(x, y), max(x, y))
			observed += joint[x][y] * d
			expected += margin[x] * margin[y] * d
		}
	}
	return 1 - observed/expected
}

// The distances between two grades a ≤ b, written down once more from the
// definitions rather than taken from the package under study.
func nominalDistance(_ [grades]float64, a, b int) float64 { return math.Min(1, float64(b-a)) }

func squaredDistance(_ [grades]float64, a, b int) float64 { return float64((b - a) * (b - a)) }

func ordinalDistance(margin [grades]float64, a, b int) float64 {
	between := -(margin[a] + margin[b]) / 2
	for _, m := range margin[a : b+1] {
		between += m
	}
	return between * between
}

// agreement measures the intervals of kappa and alpha.
func (s study) agreement(c *claims) string {
	t := newTable("coefficient", "true value", "items", "assay (BCa)")
	kappa := func(w stats.Weighting) func(n int, r *rand.Rand, o stats.Options) stats.Agreement {
		return func(n int, r *rand.Rand, o stats.Options) stats.Agreement {
			a, b := make([]int, n), make([]int, n)
			for i := range a {
				x := rate(r)
				a[i], b[i] = int(x[0]), int(x[1])
			}
			return must(stats.CohenKappa(a, b, w, stats.Design{}, o))
		}
	}
	alpha := func(scale stats.Scale) func(n int, r *rand.Rand, o stats.Options) stats.Agreement {
		return func(n int, r *rand.Rand, o stats.Options) stats.Agreement {
			items := make([][]float64, n)
			for i := range items {
				items[i] = rate(r)
				if r.Float64() < 0.4 {
					items[i] = items[i][:2]
				}
			}
			return must(stats.KrippendorffAlpha(items, scale, stats.Design{}, o))
		}
	}
	for _, k := range []struct {
		name     string
		distance func(margin [grades]float64, a, b int) float64
		one      func(n int, r *rand.Rand, o stats.Options) stats.Agreement
	}{
		{"Cohen's kappa, unweighted", nominalDistance, kappa(stats.Unweighted)},
		{"Cohen's kappa, quadratic", squaredDistance, kappa(stats.QuadraticWeights)},
		{"Krippendorff's alpha, nominal, 3 raters, 40 % of items without the third", nominalDistance, alpha(stats.NominalScale)},
		{"Krippendorff's alpha, ordinal, 3 raters, 40 % of items without the third", ordinalDistance, alpha(stats.OrdinalScale)},
		{"Krippendorff's alpha, interval, 3 raters, 40 % of items without the third", squaredDistance, alpha(stats.IntervalScale)},
	} {
		truth := trueAgreement(k.distance)
		for _, n := range []int{30, 100, 300} {
			assay := newTally(s.replicates)
			s.each(k.name, n, func(i int, r *rand.Rand) {
				o := options
				o.Draws = min(o.Draws, 1000)
				o.Seed = uint64(i)
				assay.interval(i, k.one(n, r, o).Interval, truth)
			})
			t.row(k.name, share(truth), fmt.Sprint(n), covered(assay))
			if n >= 100 {
				c.within(0.93, 0.97, assay.share(), "%s covers .93 to .97 with %d items", k.name, n)
			}
		}
	}
	return t.String()
}
