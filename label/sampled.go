package label

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// sampled fills in the coefficients of people and a judge over all that the judge graded.
func (p *Pair) sampled(s stats.GradeSample, o stats.Options) (err error) {
	p.NEff = stats.EffectiveSize(s.Weights())
	if p.Alpha, err = s.Alpha(stats.OrdinalScale, o); err != nil {
		return err
	}
	if p.Kappa, err = s.Kappa(stats.Unweighted, o); err != nil {
		return err
	}
	if p.Quadratic, err = s.Kappa(stats.QuadraticWeights, o); err != nil {
		return err
	}
	s.A, s.B = relevance(s.A), relevance(s.B)
	p.Binary, err = s.Kappa(stats.Unweighted, o)
	return err
}

// strata groups what people graded by the judge's grade, and counts what the judge graded in each. Passages of a grade that no
// person looked at are stood for by those of its nearest grade on the same side of relevance. Where people saw nothing of what the judge
// calls relevant, or nothing of the rest, nothing can stand for it, and ok is false.
func strata(keys []itemKey, judge sheet) (stratum, size []int, ok bool) {
	var seen [Grades]bool
	for _, k := range keys {
		seen[judge[k].Grade] = true
	}
	size = make([]int, Grades)
	for _, r := range judge {
		g, ok := standIn(r.Grade, seen)
		if !ok {
			return nil, nil, false
		}
		size[g]++
	}
	stratum = make([]int, len(keys))
	for i, k := range keys {
		stratum[i] = judge[k].Grade
	}
	return stratum, size, true
}

// standIn is the grade itself if it was seen, else the nearest that was and means the same relevance.
func standIn(g assay.Grade, seen [Grades]bool) (assay.Grade, bool) {
	for far := range Grades {
		for _, other := range []assay.Grade{g - far, g + far} {
			if other >= 0 && other < Grades && seen[other] && (other >= assay.RelevantGrade) == (g >= assay.RelevantGrade) {
				return other, true
			}
		}
	}
	return 0, false
}
