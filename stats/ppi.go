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
	// Clusters and JudgeOnlyClusters name what queries depend on, as in [Design];
	// nil for independent queries.
	Clusters, JudgeOnlyClusters []string
}

// PPI is a mean that holds for people's scores, made tighter by a judge's.
type PPI struct {
	// Humans and JudgeOnly count the queries of the two kinds.
	Humans    int `json:"humans"`
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
	// of judge − human over the others, BiasInterval its Student interval.
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
// It is right however biased the judge is, and with the tuned λ asymptotically
// never worse than people alone. Against small-sample optimism the first variance
// divides by n − 2 and the interval takes Student's t with n − 2 degrees of freedom
// (clusters count once).
//
// It is an error if there are fewer than three human scores, slices that belong
// together differ in length, or a score is NaN or infinite.
func PredictionPowered(s PPISample, o Options) (PPI, error) {
	o, err := o.withDefaults()
	if err != nil {
		return PPI{}, err
	}
	if err := s.check(); err != nil {
		return PPI{}, err
	}
	human, err := Summarize(s.Human, Design{Clusters: s.Clusters}, o)
	if err != nil {
		return PPI{}, err
	}
	n, many := float64(len(s.Human)), float64(len(s.JudgeOnly))
	p := PPI{
		Humans: len(s.Human), JudgeOnly: len(s.JudgeOnly), HumanOnly: human,
		Confidence: o.Confidence, Method: MethodPPI,
	}
	meanY, meanF := mean(s.Human), mean(s.Judge)
	p.Lambda, p.Rho = s.tune()
	if many > 0 {
		p.JudgeMean = mean(s.JudgeOnly)
	}
	p.Mean = meanY
	if p.Lambda > 0 {
		p.Mean += float64(p.Lambda * (p.JudgeMean - meanF))
	}
	labelled := s.labelledUnits()
	p.SE = math.Sqrt(s.variance(p.Lambda, labelled))
	half := studentQuantile(0.5+o.Confidence/2, labelled-2) * p.SE
	p.Interval = Interval{p.Mean - half, p.Mean + half}.clip(scoreRange(o.Range, s.Human, s.Judge, s.JudgeOnly)).around(p.Mean)
	if p.SE == 0 { // nothing varies: what people's equal scores leave open is all there is to say
		p.Interval, p.Method = human.Interval.around(p.Mean), human.Method
	}
	p.bias(s, labelled, o)
	p.NEff = n
	if alone := s.variance(0, labelled); p.SE > 0 && alone > 0 {
		p.NEff = n * alone / float64(p.SE*p.SE)
	}
	p.Warnings = p.doubts(labelled)
	return p, nil
}

func (s PPISample) check() error {
	if len(s.Human) < 3 {
		return fmt.Errorf("stats: %d human scores: prediction-powered inference needs at least 3, and %d to be worth it", len(s.Human), fewLabels)
	}
	if len(s.Judge) != len(s.Human) {
		return fmt.Errorf("stats: %d judge scores for %d human ones: want the same queries in the same order", len(s.Judge), len(s.Human))
	}
	for _, f := range []struct {
		name   string
		scores []float64
	}{{"human score", s.Human}, {"judge score", s.Judge}, {"judge-only score", s.JudgeOnly}} {
		if err := checkScores(f.name, f.scores); err != nil && len(f.scores) > 0 {
			return err
		}
	}
	if (s.Clusters == nil) != (s.JudgeOnlyClusters == nil) && len(s.JudgeOnly) > 0 {
		return fmt.Errorf("stats: clusters for one part of the queries only: want both or none")
	}
	if s.JudgeOnlyClusters != nil && len(s.JudgeOnlyClusters) != len(s.JudgeOnly) {
		return fmt.Errorf("stats: %d clusters for %d judge-only scores: want one per query", len(s.JudgeOnlyClusters), len(s.JudgeOnly))
	}
	return nil
}

// tune returns the weight of the judge and its correlation with people.
func (s PPISample) tune() (lambda float64, rho *float64) {
	varY, varF, cov := covariance(s.Human, s.Human), covariance(s.Judge, s.Judge), covariance(s.Human, s.Judge)
	if varY > 0 && varF > 0 && !constant(s.Human) && !constant(s.Judge) {
		r := min(max(cov/math.Sqrt(varY)/math.Sqrt(varF), -1), 1)
		rho = &r
	}
	if len(s.JudgeOnly) == 0 || rho == nil {
		return 0, rho
	}
	n, many := float64(len(s.Human)), float64(len(s.JudgeOnly))
	return min(max(cov/(float64(1+n/many)*varF), 0), 1), rho
}

// variance of the estimate for a given weight. Each query's share of the error is
// summed over its cluster before squaring, across both kinds of queries.
func (s PPISample) variance(lambda, labelled float64) float64 {
	n, many := float64(len(s.Human)), float64(len(s.JudgeOnly))
	rest := make([]float64, len(s.Human))
	for i := range rest {
		rest[i] = s.Human[i] - float64(lambda*s.Judge[i])
	}
	centre, correction := mean(rest), math.Sqrt(labelled/max(labelled-2, 1))
	errors := newClusterSums(len(s.Human) + len(s.JudgeOnly))
	for i, x := range rest {
		errors.add(s.Clusters, i, (x-centre)/n*correction)
	}
	if lambda > 0 {
		centre = mean(s.JudgeOnly)
		units := float64(distinct(s.JudgeOnlyClusters, len(s.JudgeOnly)))
		correction = math.Sqrt(units / max(units-1, 1))
		for i, x := range s.JudgeOnly {
			errors.add(s.JudgeOnlyClusters, i, lambda*(x-centre)/many*correction)
		}
	}
	return errors.squares()
}

// bias fills in how far the judge is from people.
func (p *PPI) bias(s PPISample, labelled float64, o Options) {
	off := make([]float64, len(s.Human))
	for i := range off {
		off[i] = s.Judge[i] - s.Human[i]
	}
	p.JudgeBias = mean(off)
	alone := PPISample{Human: off, Judge: off, Clusters: s.Clusters}
	half := studentQuantile(0.5+o.Confidence/2, labelled-2) * math.Sqrt(alone.variance(0, labelled))
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

// labelledUnits counts the independent queries that people scored.
func (s PPISample) labelledUnits() float64 { return float64(distinct(s.Clusters, len(s.Human))) }
