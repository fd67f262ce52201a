package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
	"gonum.org/v1/gonum/stat/distuv"
)

// differenceCoverage measures the intervals of a paired mean difference.
func (s study) differenceCoverage(c *claims) string {
	t := newTable("differences", "n", "assay (randomization, inverted)", "Student t", "percentile", "plain BCa")
	zero := make([]float64, sizes[len(sizes)-1])
	for _, sc := range differences {
		for _, n := range sizes {
			assay, bca, perc, student := newTally(s.replicates), newTally(s.replicates), newTally(s.replicates), newTally(s.replicates)
			s.each(sc.name, n, func(k int, r *rand.Rand) {
				o := options
				o.Seed = uint64(k)
				o.Range = stats.Interval{Lo: 0, Hi: 1}
				xs := sc.sample(r, n)
				i := intervals(xs, o)
				assay.interval(k, must(stats.ComparePaired(xs, zero[:n], stats.Design{}, o)).Interval, sc.mean)
				bca.interval(k, i.bca, sc.mean)
				perc.interval(k, i.percentile, sc.mean)
				student.interval(k, i.student, sc.mean)
			})
			t.row(sc.name, fmt.Sprint(n), covered(assay), covered(student), covered(perc), covered(bca))
			if n == 200 {
				c.within(0.93, 0.97, assay.share(), "interval of the difference (%s) covers .93 to .97 at n = 200", sc.name)
			}
		}
	}
	return t.String()
}

// newcombeCoverage measures the interval of a difference of 0/1 scores.
func (s study) newcombeCoverage(c *claims) string {
	t := newTable("only A right", "only B right", "n", "assay (Newcombe)", "Student t")
	for _, rates := range [][2]float64{{0.05, 0.05}, {0.10, 0.05}, {0.20, 0.10}, {0.04, 0.01}} {
		truth := rates[0] - rates[1]
		for _, n := range sizes {
			name := fmt.Sprintf("newcombe %v", rates)
			assay, student := newTally(s.replicates), newTally(s.replicates)
			s.each(name, n, func(k int, r *rand.Rand) {
				a, b, d := make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range a {
					switch u := r.Float64(); {
					case u < rates[0]:
						a[i] = 1
					case u < rates[0]+rates[1]:
						b[i] = 1
					case u < rates[0]+rates[1]+0.6:
						a[i], b[i] = 1, 1
					}
					d[i] = a[i] - b[i]
				}
				assay.interval(k, must(stats.ComparePaired(a, b, stats.Design{}, options)).Interval, truth)
				student.interval(k, studentInterval(d), truth)
			})
			t.row(share(rates[0]), share(rates[1]), fmt.Sprint(n), covered(assay), covered(student))
			if n >= 50 {
				c.within(0.93, 1, assay.share(), "Newcombe's interval at rates %v covers at least .93 at n = %d", rates, n)
			}
		}
	}
	return t.String()
}

func studentInterval(xs []float64) stats.Interval {
	mean, se := meanSE(xs)
	half := distuv.StudentsT{Sigma: 1, Nu: float64(len(xs) - 1)}.Quantile(0.975) * se
	return stats.Interval{Lo: mean - half, Hi: mean + half}
}

// errorRates measures how often the tests reject at the 5 % level when there is no
// difference.
func (s study) errorRates(c *claims) string {
	const alpha = 0.05
	t := newTable("differences of mean 0", "n", "randomization", "exact binomial", "paired t", "Wilcoxon")
	for _, sc := range nulls {
		for _, n := range sizes {
			random, binomial, student, wilcoxon := newTally(s.replicates), newTally(s.replicates), newTally(s.replicates), newTally(s.replicates)
			s.each(sc.name, n, func(k int, r *rand.Rand) {
				d := sc.sample(r, n)
				p, _ := stats.RandomizationTest(d, options.Flips, uint64(k))
				random.event(k, p <= alpha)
				student.event(k, stats.PairedTTest(d) <= alpha)
				wilcoxon.event(k, stats.WilcoxonTest(d) <= alpha)
				if sc.binary {
					binomial.event(k, stats.BinomialTest(signs(d)) <= alpha)
				}
			})
			exact := "–"
			if sc.binary {
				exact = share(binomial.share())
				c.level(alpha, binomial.share(), "exact binomial keeps its level: %s, n = %d", sc.name, n)
			}
			t.row(sc.name, fmt.Sprint(n), share(random.share()), exact, share(student.share()), share(wilcoxon.share()))
			if sc.symmetric {
				c.level(alpha, random.share(), "randomization keeps its level: %s, n = %d", sc.name, n)
				c.level(alpha, student.share(), "paired t keeps its level: %s, n = %d", sc.name, n)
				c.level(alpha, wilcoxon.share(), "Wilcoxon keeps its level under symmetry: %s, n = %d", sc.name, n)
			}
		}
	}
	return t.String()
}

func signs(d []float64) (wins, losses int) {
	for _, x := range d {
		if x > 0 {
			wins++
		}
		if x < 0 {
			losses++
		}
	}
	return wins, losses
}

// power measures how often a difference as large as the minimum detectable one is
// found.
func (s study) power(c *claims) string {
	const alpha, want = 0.05, 0.80
	t := newTable("differences", "n", "minimum detectable", "paired t", "randomization")
	for _, sc := range nulls[:4] {
		sd := meanSD(sc.scenario, 1_000_000)
		for _, n := range sizes {
			shift := stats.MinimumDetectable(sd, n, alpha, want)
			random, student := newTally(s.replicates), newTally(s.replicates)
			s.each("power "+sc.name, n, func(k int, r *rand.Rand) {
				d := sc.sample(r, n)
				for i := range d {
					d[i] += shift
				}
				p, _ := stats.RandomizationTest(d, options.Flips, uint64(k))
				random.event(k, p <= alpha)
				student.event(k, stats.PairedTTest(d) <= alpha)
			})
			t.row(sc.name, fmt.Sprint(n), fmt.Sprintf("%.3f", shift), share(student.share()), share(random.share()))
			if sc.name == "normal" {
				c.within(want-3*c.se(want), want+3*c.se(want), student.share(), "t finds the minimum detectable difference with power .80 at n = %d", n)
			}
		}
	}
	return t.String()
}

// meanSD is the standard deviation of a scenario of known mean, by simulation.
func meanSD(sc scenario, draws int) float64 {
	r := rand.New(rand.NewPCG(7, 11))
	xs := sc.sample(r, draws)
	_, se := meanSE(xs)
	return se * math.Sqrt(float64(draws))
}
