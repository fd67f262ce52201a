package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
)

// judge scores a query after a person did. none is where a rater finds nothing relevant, which is no score.
type judge struct {
	name  string
	truth float64
	pair  func(r *rand.Rand) (human, judged float64)
}

var none = math.NaN()

// noisy is a judge of 0/1 scores with the given hit and false-alarm rates.
func noisy(name string, right, wrong float64) judge {
	const rate = 0.7
	return judge{name, rate, func(r *rand.Rand) (float64, float64) {
		if r.Float64() < rate {
			return 1, hits(r, 1, right)
		}
		return 0, hits(r, 1, wrong)
	}}
}

// sparse is a judge of queries to 35 % of which nothing is relevant. It finds what is there and what is not at the given rates, and
// errs by .1 where it finds something, a perfect one by nothing.
func sparse(name string, right, wrong float64) judge {
	return judge{name, 0.6, func(r *rand.Rand) (float64, float64) {
		y := none
		if r.Float64() < 0.65 {
			y = beta(r, 3, 2)
		}
		switch there := !math.IsNaN(y); {
		case there && r.Float64() < right:
			if right == 1 {
				return y, y
			}
			return y, min(1, max(0, y+0.1*r.NormFloat64()))
		case !there && r.Float64() < wrong:
			return y, beta(r, 1, 2)
		}
		return y, none
	}}
}

var judges = []judge{
	noisy("0/1, good judge: finds 90 %, false alarms 20 %", 0.9, 0.2),
	noisy("0/1, lenient judge: finds 98 %, false alarms 50 %", 0.98, 0.5),
	noisy("0/1, poor judge: finds 70 %, false alarms 40 %", 0.7, 0.4),
	{"graded, judge .1 too high", 0.6, func(r *rand.Rand) (float64, float64) {
		y := beta(r, 3, 2)
		return y, min(1, max(0, y+0.1+0.15*r.NormFloat64()))
	}},
	{"graded, mostly 0, judge sees too much", 0.1, func(r *rand.Rand) (float64, float64) {
		y := 0.0
		if r.Float64() < 0.3 {
			y = beta(r, 1, 2)
		}
		return y, min(1, 0.2*r.Float64()+0.9*y)
	}},
	sparse("nothing relevant to 35 %, perfect judge", 1, 0),
	sparse("nothing relevant to 35 %, judge finds 80 %, false alarms 30 %", 0.8, 0.3),
}

// predictionPowered measures the interval that joins few human and many judge
// scores, beside those of people alone and of the judge alone.
func (s study) predictionPowered(c *claims) string {
	const many = 1000
	t := newTable("human scores and judge", "n human", "PPI++", "people alone", "judge alone", "mean λ")
	for _, j := range judges {
		for _, n := range []int{20, 50, 100, 200} {
			tuned, alone, only := newTally(s.replicates), newTally(s.replicates), newTally(s.replicates)
			lambda := make([]float64, s.replicates)
			s.each("ppi "+j.name, n, func(k int, r *rand.Rand) {
				o := options
				o.Seed = uint64(k)
				p := j.sample(r, n, many)
				result := must(stats.PredictionPowered(p, o))
				tuned.interval(k, result.Interval, j.truth)
				alone.interval(k, result.HumanOnly.Interval, j.truth)
				only.interval(k, must(stats.Summarize(scored(p.JudgeOnly, p.JudgeOnlyNone), stats.Design{}, stats.Options{Assume: stats.AssumeNormal})).Interval, j.truth)
				lambda[k] = result.Lambda
			})
			mean, _ := meanSE(lambda)
			t.row(j.name, fmt.Sprint(n), covered(tuned), covered(alone), covered(only), fmt.Sprintf("%.2f", mean))
			if n >= 50 {
				c.within(0.93, 0.97, tuned.share(), "PPI++ (%s) covers .93 to .97 with %d human scores", j.name, n)
			}
		}
	}
	return t.String()
}

// sample draws the scores of n queries by both raters and of many by the judge alone.
func (j *judge) sample(r *rand.Rand, n, many int) (p stats.PPISample) {
	for i := range n + many {
		human, judged := j.pair(r)
		if i < n {
			p.Human, p.HumanNone = append(p.Human, human), append(p.HumanNone, math.IsNaN(human))
			p.Judge, p.JudgeNone = append(p.Judge, judged), append(p.JudgeNone, math.IsNaN(judged))
			continue
		}
		p.JudgeOnly, p.JudgeOnlyNone = append(p.JudgeOnly, judged), append(p.JudgeOnlyNone, math.IsNaN(judged))
	}
	return p
}

// scored leaves out the queries without a score.
func scored(scores []float64, none []bool) (out []float64) {
	for i, x := range scores {
		if !none[i] {
			out = append(out, x)
		}
	}
	return out
}
