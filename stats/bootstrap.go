package stats

import "slices"

// BootstrapMeans returns the mean of the scores in each bootstrap draw, in ascending
// order: units of the design are drawn with replacement inside their strata. It is
// for plots and for intervals of one's own; [Summarize] needs no help.
func BootstrapMeans(scores []float64, d Design, o Options) ([]float64, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	l, err := sharedLayout(d, scores)
	if err != nil {
		return nil, err
	}
	means := bootstrapMeans([]column{l.column(scores)}, o.Draws, o.Seed)[0]
	slices.Sort(means)
	return means, nil
}

// PairedBootstrap returns the expanded BCa interval of the mean of a − b, queries
// being resampled with both of their scores. It is offered for comparison with
// other tools: on paired differences, many of which are 0, it covers less than the
// interval of [ComparePaired] (docs/statistics.md), because the skewness that it
// corrects for is then mostly noise.
func PairedBootstrap(a, b []float64, d Design, o Options) (Interval, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Interval{}, err
	}
	l, err := sharedLayout(d, a, b)
	if err != nil {
		return Interval{}, err
	}
	c := l.column(differences(a, b))
	level := ExpandedConfidence(o.Confidence, float64(l.units()))
	return BCa(bootstrapMeans([]column{c}, o.Draws, o.Seed)[0], c.mean, c.acceleration(), level), nil
}
