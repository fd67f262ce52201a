package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
)

// verdicts is a judge that grades every passage of a pool, relevant or not, and people who look at some, more of what the judge
// calls relevant than of the rest.
type verdicts struct {
	name         string
	right, wrong float64 // how often it calls a relevant passage relevant, and another one
	careful      float64 // how often a person says what is so
	spread       bool    // queries differ in how much is relevant to them
}

const (
	pooledQueries = 300
	pooledEach    = 15
	relevantShare = 0.12
)

// kappa is Cohen's for all passages there could be.
func (v *verdicts) kappa() float64 {
	const p = relevantShare
	human, judged := p*v.careful+(1-p)*(1-v.careful), p*v.right+(1-p)*v.wrong
	both := p*v.careful*v.right + (1-p)*(1-v.careful)*v.wrong
	neither := 1 - human - judged + both
	chance := human*judged + (1-human)*(1-judged)
	return (both + neither - chance) / (1 - chance)
}

// sample draws a pool, the judge's verdicts on it and those of people on some of each kind.
func (v *verdicts) sample(r *rand.Rand, positives, others int) *stats.GradeSample {
	type item struct {
		query        int
		human, judge int
	}
	var of [2][]item
	for q := range pooledQueries {
		share := relevantShare
		if v.spread {
			share = beta(r, 3, 22)
		}
		for range pooledEach {
			truth := hits(r, 1, share)
			it := item{query: q, human: int(truth), judge: int(hits(r, 1, v.wrong))}
			if truth == 1 {
				it.judge = int(hits(r, 1, v.right))
			}
			if r.Float64() >= v.careful {
				it.human = 1 - it.human
			}
			of[it.judge] = append(of[it.judge], it)
		}
	}
	s := &stats.GradeSample{Size: []int{len(of[0]), len(of[1])}}
	for h, n := range []int{others, positives} {
		for _, i := range r.Perm(len(of[h]))[:min(n, len(of[h]))] {
			it := of[h][i]
			s.A, s.B, s.Stratum = append(s.A, it.human), append(s.B, h), append(s.Stratum, h)
			s.Clusters = append(s.Clusters, fmt.Sprint(it.query))
		}
	}
	return s
}

// chosen measures kappa where people looked at a part chosen by the judge's verdict.
func (s study) chosen(c *claims) string {
	t := newTable("judge and people", "true kappa", "positives, others seen", "assay", "BCa alone", "lower end too high, assay", "lower end too high, BCa alone")
	for _, v := range []verdicts{
		{"finds 90 %, false alarms 3 %", 0.9, 0.03, 0.98, true},
		{"the same, queries alike", 0.9, 0.03, 0.98, false},
		{"finds 65 %, false alarms 2 %", 0.65, 0.02, 0.97, true},
		{"finds 95 %, false alarms 15 %", 0.95, 0.15, 0.97, true},
		{"finds 98 %, false alarms .4 %", 0.98, 0.004, 0.998, true},
	} {
		for _, n := range [][2]int{{54, 6}, {30, 30}, {60, 60}, {150, 50}, {100, 300}} {
			name := fmt.Sprintf("%s %v", v.name, n)
			both, alone, above, aloneAbove := newTally(s.replicates), newTally(s.replicates), newTally(s.replicates), newTally(s.replicates)
			truth := v.kappa()
			s.each(name, n[0], func(k int, r *rand.Rand) {
				o := options
				o.Draws, o.Seed = min(o.Draws, 1000), uint64(k)
				sample := v.sample(r, n[0], n[1])
				mine := must(sample.Kappa(stats.Unweighted, o)).Interval
				plain := must(stats.CohenKappa(sample.A, sample.B, stats.Unweighted, stats.Design{Clusters: sample.Clusters, Weights: sample.Weights()}, o)).Interval
				both.interval(k, mine, truth)
				alone.interval(k, plain, truth)
				above.event(k, mine.Lo > truth)
				aloneAbove.event(k, plain.Lo > truth)
			})
			c.within(0.93, 1, both.share(), "kappa of a chosen sample (%s) covers at least .93 with %d and %d seen", v.name, n[0], n[1])
			c.level(0.025, above.share(), "the lower end of kappa of a chosen sample (%s) is too high in 2.5 %% of samples at most with %d and %d seen", v.name, n[0], n[1])
			t.row(v.name, share(truth), fmt.Sprintf("%d, %d", n[0], n[1]), covered(both), covered(alone), share(above.share()), share(aloneAbove.share()))
		}
	}
	return t.String()
}
