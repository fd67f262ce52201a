package stats

import (
	"fmt"
	"math"
)

// PPISample is a measure that people scored on a few queries and a judge on many. The
// unit is the query: labels of single documents are turned into a score per query
// first. For two systems, pass the differences A − B in all three slices. The
// queries people scored must be a random sample of the same population.
type PPISample struct {
	// Human and Judge are the two scores of each query that people scored.
	Human, Judge []float64
	// JudgeOnly are the judge's scores of the other queries.
	JudgeOnly []float64
	// HumanNone, JudgeNone and JudgeOnlyNone say of which queries the rater found
	// nothing relevant, so that they have no score and are in no mean; the number in
	// their place is not looked at. nil where all have a score.
	HumanNone, JudgeNone, JudgeOnlyNone []bool
	// Clusters and JudgeOnlyClusters name what queries depend on, as in [Design];
	// nil for independent queries.
	Clusters, JudgeOnlyClusters []string
}

// PPI is a mean that holds for people's scores, made tighter by a judge's.
type PPI struct {
	// Humans counts the queries with a human score, HumanNone those to which people
	// found nothing relevant, JudgeOnly those that only the judge looked at.
	Humans    int `json:"humans"`
	HumanNone int `json:"human_none,omitempty"`
	JudgeOnly int `json:"judge_only"`
	// Mean is the prediction-powered estimate, inside Interval with Confidence.
	Mean float64 `json:"mean"`
	Interval
	Confidence float64 `json:"confidence"`
	Method     Method  `json:"method"`
	SE         float64 `json:"se"`
	// Lambda is the weight given to the judge, 0 (people only) to 1 (plain PPI).
	Lambda float64 `json:"lambda"`
	// Rho is the correlation of people and judge over the queries both scored; nil
	// where one of them shows no spread.
	Rho *float64 `json:"rho,omitempty"`
	// JudgeMean is the judge's mean over the JudgeOnly queries, JudgeBias the mean
	// of judge − human over those that both scored, BiasInterval its Student interval.
	JudgeMean    float64  `json:"judge_mean"`
	JudgeBias    float64  `json:"judge_bias"`
	BiasInterval Interval `json:"bias_interval"`
	// HumanOnly is what the human scores say alone. Show it beside the rest.
	HumanOnly Summary `json:"human_only"`
	// NEff is how many human scores alone would give the same standard error.
	NEff     float64   `json:"n_eff"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// String formats mean and interval.
func (p PPI) String() string { return fmt.Sprintf("%.4f %v", p.Mean, p.Interval) }

// fewLabels is the number of human scores below which the weight is too noisy.
const fewLabels = 50

// PredictionPowered returns the mean of human scores with the help of a judge's, by
// PPI++ (Angelopoulos, Duchi and Zrnic, arXiv 2311.01453): with n human scores Y,
// the judge's f on the same queries and on N more,
//
//	θ = mean_n(Y) + λ(mean_N(f) − mean_n(f))
//	λ = cov_n(Y, f) / ((1 + n/N)·var(f)), kept inside [0, 1]
//	Var = var(Y − λf)/n + λ²·var_N(f)/N
//
// A mean leaves out the queries to which nothing is relevant, and people and judge
// do not leave out the same ones. With a and g 1 where a rater found something and 0
// elsewhere, θ is then the root of PPI++'s estimating equation of that mean,
//
//	mean_n(a(Y−θ)) + λ(mean_N(g(f−θ)) − mean_n(g(f−θ))) = 0
//
// and a(Y−θ), g(f−θ) stand for Y and f in λ and Var, the latter over the square of
// mean_n(a) + λ(mean_N(g) − mean_n(g)).
//
// It is right however biased the judge is, and with the tuned λ asymptotically
// never worse than people alone. Against small-sample optimism the first variance
// divides by n − 2 and the interval takes Student's t with n − 2 degrees of freedom
// (clusters count once, queries without a human score not at all).
//
// It is an error if there are fewer than three human scores, slices that belong
// together differ in length, or a score is NaN or infinite.
func PredictionPowered(s PPISample, o Options) (PPI, error) {
	o, err := o.withDefaults()
	if err != nil {
		return PPI{}, err
	}
	if s.HumanNone, s.JudgeNone, s.JudgeOnlyNone, err = s.none(); err != nil {
		return PPI{}, err
	}
	if err := s.check(); err != nil {
		return PPI{}, err
	}
	both := s.bothScored()
	scored, clusters := s.humanScores()
	human, err := Summarize(scored, Design{Clusters: clusters}, o)
	if err != nil {
		return PPI{}, err
	}
	p := PPI{
		Humans: len(scored), HumanNone: len(s.Human) - len(scored), JudgeOnly: len(s.JudgeOnly), HumanOnly: human,
		Confidence: o.Confidence, Method: MethodPPI, Rho: both.correlation(),
	}
	if found := scoredOf(s.JudgeOnly, s.JudgeOnlyNone); len(found) > 0 {
		p.JudgeMean = mean(found)
	}
	labelled := float64(distinct(clusters, len(scored)))
	p.Mean = mean(scored)
	alone := s.variance(p.Mean, 0, labelled)
	if lambda := s.tune(p.Mean); lambda > 0 {
		p.Lambda, p.Mean = lambda, s.estimate(lambda)
	}
	p.SE = math.Sqrt(s.variance(p.Mean, p.Lambda, labelled))
	half := studentQuantile(0.5+o.Confidence/2, labelled-2) * p.SE
	p.Interval = Interval{p.Mean - half, p.Mean + half}.clip(scoreRange(o.Range, scored, both.judge, s.JudgeOnly)).around(p.Mean)
	if p.SE == 0 { // nothing varies: what people's equal scores leave open is all there is to say
		p.Interval, p.Method = human.Interval.around(p.Mean), human.Method
	}
	p.bias(both, o)
	p.NEff = float64(p.Humans)
	if p.SE > 0 && alone > 0 {
		p.NEff *= alone / float64(p.SE*p.SE)
	}
	p.Warnings = append(p.doubts(labelled), s.chosen(p.HumanOnly.Mean)...)
	return p, nil
}

// scoredOf are the scores that there are.
func scoredOf(scores []float64, none []bool) []float64 {
	out := make([]float64, 0, len(scores))
	for i, x := range scores {
		if !none[i] {
			out = append(out, x)
		}
	}
	return out
}

// humanScores are the queries with a human score.
func (s PPISample) humanScores() (scores []float64, clusters []string) {
	for i, none := range s.HumanNone {
		if !none && s.Clusters != nil {
			clusters = append(clusters, s.Clusters[i])
		}
	}
	return scoredOf(s.Human, s.HumanNone), clusters
}

// away is what each query adds to the estimating equation of a mean: score − mean, and
// nothing without a score.
func away(scores []float64, none []bool, mean float64) []float64 {
	out := make([]float64, len(scores))
	for i, x := range scores {
		if !none[i] {
			out[i] = x - mean
		}
	}
	return out
}

// tune returns the weight of the judge, at people's own mean.
func (s PPISample) tune(mean float64) float64 {
	u, v := away(s.Human, s.HumanNone, mean), away(s.Judge, s.JudgeNone, mean)
	varF := covariance(v, v)
	if len(s.JudgeOnly) == 0 || constant(u) || constant(v) || varF <= 0 {
		return 0
	}
	n, many := float64(len(s.Human)), float64(len(s.JudgeOnly))
	lambda := min(max(covariance(u, v)/(float64(1+n/many)*varF), 0), 1)
	if s.share(lambda) <= 0 { // the judge finds something in no query but people's: it predicts nothing
		return 0
	}
	return lambda
}

// estimate solves the estimating equation for a weight.
func (s PPISample) estimate(lambda float64) float64 {
	sum := func(scores []float64, none []bool) float64 { return mean(away(scores, none, 0)) }
	return (sum(s.Human, s.HumanNone) + float64(lambda*(sum(s.JudgeOnly, s.JudgeOnlyNone)-sum(s.Judge, s.JudgeNone)))) / s.share(lambda)
}

// share estimates the share of queries that have a score.
func (s PPISample) share(lambda float64) float64 {
	part := func(none []bool) float64 {
		n := 0
		for _, x := range none {
			if !x {
				n++
			}
		}
		return float64(n) / float64(len(none))
	}
	a := part(s.HumanNone)
	if lambda == 0 {
		return a
	}
	return a + float64(lambda*(part(s.JudgeOnlyNone)-part(s.JudgeNone)))
}

// variance of the estimate at a mean and a weight. Each query's share of the error is
// summed over its cluster before squaring, across both kinds of queries.
func (s PPISample) variance(at, lambda, labelled float64) float64 {
	n, many := float64(len(s.Human)), float64(len(s.JudgeOnly))
	rest, f := away(s.Human, s.HumanNone, at), away(s.Judge, s.JudgeNone, at)
	for i := range rest {
		rest[i] -= float64(lambda * f[i])
	}
	centre, correction := mean(rest), math.Sqrt(labelled/max(labelled-2, 1))
	errors := newClusterSums(len(s.Human) + len(s.JudgeOnly))
	for i, x := range rest {
		errors.add(s.Clusters, i, (x-centre)/n*correction)
	}
	if lambda > 0 {
		f = away(s.JudgeOnly, s.JudgeOnlyNone, at)
		centre = mean(f)
		units := float64(distinct(s.JudgeOnlyClusters, len(s.JudgeOnly)))
		correction = math.Sqrt(units / max(units-1, 1))
		for i, x := range f {
			errors.add(s.JudgeOnlyClusters, i, lambda*(x-centre)/many*correction)
		}
	}
	share := s.share(lambda)
	return errors.squares() / float64(share*share)
}

// twice are the queries that people and judge both scored.
type twice struct {
	human, judge []float64
	clusters     []string
}

func (s PPISample) bothScored() (t twice) {
	for i := range s.Human {
		if s.HumanNone[i] || s.JudgeNone[i] {
			continue
		}
		t.human, t.judge = append(t.human, s.Human[i]), append(t.judge, s.Judge[i])
		if s.Clusters != nil {
			t.clusters = append(t.clusters, s.Clusters[i])
		}
	}
	return t
}

// correlation of people and judge; nil where one of them shows no spread.
func (t twice) correlation() *float64 {
	if len(t.human) == 0 || constant(t.human) || constant(t.judge) {
		return nil
	}
	varY, varF := covariance(t.human, t.human), covariance(t.judge, t.judge)
	if varY <= 0 || varF <= 0 {
		return nil
	}
	r := min(max(covariance(t.human, t.judge)/math.Sqrt(varY)/math.Sqrt(varF), -1), 1)
	return &r
}

// bias fills in how far the judge is from people.
func (p *PPI) bias(both twice, o Options) {
	if len(both.human) == 0 {
		return
	}
	off := make([]float64, len(both.human))
	for i := range off {
		off[i] = both.judge[i] - both.human[i]
	}
	p.JudgeBias = mean(off)
	units := float64(distinct(both.clusters, len(off)))
	all := make([]bool, len(off))
	alone := PPISample{Human: off, Judge: off, Clusters: both.clusters, HumanNone: all, JudgeNone: all}
	half := studentQuantile(0.5+o.Confidence/2, max(units-2, 1)) * math.Sqrt(alone.variance(p.JudgeBias, 0, units))
	p.BiasInterval = Interval{p.JudgeBias - half, p.JudgeBias + half}
}

func (p *PPI) doubts(labelled float64) []Warning {
	var w []Warning
	if labelled < fewLabels {
		w = append(w, warnf(WarnFewLabels, "only %.0f independent human scores: %d are the least for a trustworthy weight of the judge", labelled, fewLabels))
	}
	if p.JudgeOnly == 0 {
		return append(w, warnf(WarnJudgeUseless, "no query was scored by the judge alone: the result is that of the human scores"))
	}
	if p.NEff < 1.05*float64(p.Humans) {
		w = append(w, warnf(WarnJudgeUseless, "the judge adds nothing: the interval is as wide as with the %d human scores alone", p.Humans))
	}
	if !p.BiasInterval.Contains(0) {
		w = append(w, warnf(WarnJudgeBias, "the judge is off by %+.3f on average %v: its own mean of %.3f must not be used alone", p.JudgeBias, p.BiasInterval, p.JudgeMean))
	}
	return w
}
