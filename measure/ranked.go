package measure

import "math"

// Measures over the ranks of the relevant items.

func mrr() Family {
	return Family{
		Definition: Definition{
			Name: "mrr", Title: "reciprocal rank of the first relevant item, optionally cut at k",
			Formula:   "1 / rank of the first relevant item, 0 if there is none (in the top k)",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Cutoff: OptionalRank,
			Aliases: []string{"recip_rank", "reciprocal_rank", "RR"},
			Source:  "trec_eval recip_rank; mrr@k equals it under -M k",
		},
		build: onHits(func(a *Args, _ *view, l *levelView) float64 {
			if l.within(a.K) == 0 {
				return 0
			}
			return 1 / float64(l.hits[0]+1)
		}),
	}
}

// ap is average precision over the hits in the top k.
func ap(a *Args, _ *view, l *levelView) float64 {
	sum := 0.0
	for i, rank := range l.hits[:l.within(a.K)] {
		sum += float64(i+1) / float64(rank+1)
	}
	return sum / float64(l.r)
}

func averagePrecision() Family {
	return Family{
		Definition: Definition{
			Name: "map", Title: "average precision (its mean is MAP), optionally cut at k",
			Formula:   "sum over relevant items at rank i (in the top k) of hits up to i / i, divided by R",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Cutoff: OptionalRank,
			Aliases: []string{"map_cut", "AP", "average_precision"},
			Source:  "trec_eval map, map_cut_k; divided by R also when k < R",
		},
		build: onHits(ap),
	}
}

func geometricMAP() Family {
	return Family{
		Definition: Definition{
			Name: "gm_map", Title: "geometric mean of average precision",
			Formula:   "per query the same as map; averaged as exp(mean of ln(max(AP, 0.00001)))",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Average: GeometricMean,
			Aliases: []string{"gmap"},
			Source:  "trec_eval gm_map",
		},
		build: onHits(ap),
	}
}

func rPrecision() Family {
	return Family{
		Definition: Definition{
			Name: "rprec", Title: "R-precision",
			Formula:   "relevant items in the top R / R",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain,
			Aliases: []string{"r_precision"},
			Source:  "trec_eval Rprec",
		},
		build: onHits(func(_ *Args, _ *view, l *levelView) float64 {
			return float64(l.within(l.r)) / float64(l.r)
		}),
	}
}

func rPrecisionMultiple() Family {
	return Family{
		Definition: Definition{
			Name: "rprec_mult", Title: "precision at a multiple of R",
			Formula:   "relevant items in the top c / c with c = floor(x R + 0.9); 0 where c is 0",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Cutoff: MultipleCutoff,
			Source: "trec_eval Rprec_mult_x",
		},
		build: onHits(func(a *Args, _ *view, l *levelView) float64 {
			c := int(float64(a.At*float64(l.r)) + 0.9)
			if c <= 0 {
				return 0
			}
			return float64(l.within(c)) / float64(c)
		}),
	}
}

// recallRank is how many relevant items a recall level asks for. Release 9 of trec_eval and release 10
// round differently, which moves iprec and 11pt_avg visibly.
func recallRank(level float64, r int, release float64) int {
	x := float64(level * float64(r))
	if release >= 10 {
		return int(math.Round(x))
	}
	return int(x + 0.9)
}

// interpolatedAt is the highest precision at any rank from the c-th hit on, 0 with fewer hits.
func (l *levelView) interpolatedAt(c int) float64 {
	best := 0.0
	for i := len(l.hits); i >= max(c, 1); i-- {
		best = max(best, float64(i)/float64(l.hits[i-1]+1))
	}
	return best
}

// release is the parameter that selects trec_eval's rounding of recall levels.
func release() []Param {
	return []Param{{
		Name: "v", Default: 9, Range: Range{9, 10},
		Meaning: "release of trec_eval whose rounding is used: 9 takes c = floor(x R + 0.9), 10 the nearest integer",
	}}
}

func interpolated() Family {
	return Family{
		Definition: Definition{
			Name: "iprec", Title: "interpolated precision at a recall level",
			Formula:   "highest precision at any rank from the c-th relevant item on, c = floor(x R + 0.9); 0 with fewer than c hits",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Cutoff: RecallCutoff, Params: release(),
			Aliases: []string{"iprec_at_recall"},
			Source:  "trec_eval iprec_at_recall_x",
		},
		build: onHits(func(a *Args, _ *view, l *levelView) float64 {
			return l.interpolatedAt(recallRank(a.At, l.r, a.Value("v")))
		}),
	}
}

func elevenPoint() Family {
	standard := []float64{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}
	return Family{
		Definition: Definition{
			Name: "11pt_avg", Title: "interpolated precision averaged over recall levels",
			Formula:   "mean of iprec over the recall levels 0, 0.1 … 1, or those of at=x/y/z",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Params: release(),
			Aliases: []string{"11_pt_avg", "iprec_avg"},
			Source:  "trec_eval 11pt_avg",
		},
		takesList: true,
		build: onHits(func(a *Args, _ *view, l *levelView) float64 {
			levels := a.List
			if levels == nil {
				levels = standard
			}
			sum := 0.0
			for i := len(levels) - 1; i >= 0; i-- { // the order in which trec_eval adds
				sum += l.interpolatedAt(recallRank(levels[i], l.r, a.Value("v")))
			}
			return sum / float64(len(levels))
		}),
	}
}
