package stats

import (
	"fmt"
	"math"
)

// none returns the three lists of queries without a score, with all false for those not given.
func (s PPISample) none() (human, judge, only []bool, err error) {
	lists := []struct {
		name   string
		none   []bool
		scores []float64
	}{{"human", s.HumanNone, s.Human}, {"judge", s.JudgeNone, s.Judge}, {"judge-only", s.JudgeOnlyNone, s.JudgeOnly}}
	for i := range lists {
		l := &lists[i]
		if l.none == nil {
			l.none = make([]bool, len(l.scores))
		}
		if len(l.none) != len(l.scores) {
			return nil, nil, nil, fmt.Errorf("stats: %d entries say which of %d %s scores are none: want one per query", len(l.none), len(l.scores), l.name)
		}
	}
	return lists[0].none, lists[1].none, lists[2].none, nil
}

func (s PPISample) check() error {
	if n := len(scoredOf(s.Human, s.HumanNone)); n < 3 {
		return fmt.Errorf("stats: %d human scores: prediction-powered inference needs at least 3, and %d to be worth it", n, fewLabels)
	}
	if len(s.Judge) != len(s.Human) {
		return fmt.Errorf("stats: %d judge scores for %d human ones: want the same queries in the same order", len(s.Judge), len(s.Human))
	}
	for _, f := range []struct {
		name   string
		scores []float64
		none   []bool
	}{{"human score", s.Human, s.HumanNone}, {"judge score", s.Judge, s.JudgeNone}, {"judge-only score", s.JudgeOnly, s.JudgeOnlyNone}} {
		if err := checkScores(f.name, away(f.scores, f.none, 0)); err != nil && len(f.scores) > 0 {
			return err
		}
	}
	if (s.Clusters == nil) != (s.JudgeOnlyClusters == nil) && len(s.JudgeOnly) > 0 {
		return fmt.Errorf("stats: clusters for one part of the queries only: want both or none")
	}
	if s.Clusters != nil && len(s.Clusters) != len(s.Human) {
		return fmt.Errorf("stats: %d clusters for %d human scores: want one per query", len(s.Clusters), len(s.Human))
	}
	if s.JudgeOnlyClusters != nil && len(s.JudgeOnlyClusters) != len(s.JudgeOnly) {
		return fmt.Errorf("stats: %d clusters for %d judge-only scores: want one per query", len(s.JudgeOnlyClusters), len(s.JudgeOnly))
	}
	return nil
}

// chosenAt is how many standard errors apart the judge's scores of people's queries and of the others may lie: by chance one sample
// in 700 is further off.
const chosenAt = 3.2

// chosen warns where the judge scores the queries of people and the others so differently that people's are hardly a random
// sample: everything above rests on that. Clusters count once.
func (s PPISample) chosen(at float64) []Warning {
	if len(s.JudgeOnly) == 0 {
		return nil
	}
	f, g := away(s.Judge, s.JudgeNone, at), away(s.JudgeOnly, s.JudgeOnlyNone, at)
	spread := func(xs []float64, clusters []string) float64 {
		centre, errors := mean(xs), newClusterSums(len(xs))
		for i, x := range xs {
			errors.add(clusters, i, (x-centre)/float64(len(xs)))
		}
		return errors.squares()
	}
	se := math.Sqrt(spread(f, s.Clusters) + spread(g, s.JudgeOnlyClusters))
	if off := mean(f) - mean(g); se > 0 && math.Abs(off) > chosenAt*se && distinct(s.Clusters, len(f)) >= fewUnits {
		return []Warning{warnf(WarnChosen, "the judge sees the queries that people scored otherwise than the rest (%+.3f a query): they are no random sample, and the result leans the way they were chosen", off)}
	}
	return nil
}

// fewUnits is the number of queries below which a normal difference is not looked for.
const fewUnits = 10
