package measure

// Measures that look at the first k ranks and count relevant items.

func recall() Family {
	return Family{
		Definition: Definition{
			Name: "recall", Title: "recall at k",
			Formula:   "relevant items in the top k / R",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Cutoff: RankCutoff,
			Aliases: []string{"R"},
			Source:  "trec_eval recall_k; below k = R it cannot reach 1, so read it beside its ceiling min(k, R)/R",
		},
		build: onHits(func(a *Args, v *view, l *levelView) float64 {
			return float64(l.found(v, a.K)) / float64(l.r)
		}),
	}
}

func precision() Family {
	return Family{
		Definition: Definition{
			Name: "p", Title: "precision at k",
			Formula:   "relevant items in the top k / k; ranks that were not filled count as not relevant",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Cutoff: RankCutoff,
			Aliases: []string{"precision", "prec"},
			Source:  "trec_eval P_k",
		},
		build: onHits(func(a *Args, _ *view, l *levelView) float64 {
			return float64(l.within(a.K)) / float64(a.K)
		}),
	}
}

func success() Family {
	return Family{
		Definition: Definition{
			Name: "success", Title: "success at k (hit rate)",
			Formula:   "1 if the top k hold a relevant item, else 0",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Cutoff: RankCutoff,
			Aliases: []string{"hit", "hits", "hit_rate"},
			Source:  "trec_eval success_k",
		},
		build: onHits(func(a *Args, _ *view, l *levelView) float64 {
			if l.within(a.K) > 0 {
				return 1
			}
			return 0
		}),
	}
}

func f1() Family {
	return Family{
		Definition: Definition{
			Name: "f1", Title: "F1 at k",
			Formula:   "2 P R / (P + R) with P = p@k and R = recall@k; 0 where both are 0",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Cutoff: RankCutoff,
			Aliases: []string{"f", "f_measure"},
			Source:  "van Rijsbergen, Information Retrieval, 1979; ranx f1@k",
		},
		build: onHits(func(a *Args, v *view, l *levelView) float64 {
			return harmonic(1, float64(l.within(a.K))/float64(a.K), float64(l.found(v, a.K))/float64(l.r))
		}),
	}
}

// harmonic is trec_eval's F: x weighs recall against precision and is not squared.
func harmonic(x, p, r float64) float64 {
	if p == 0 || r == 0 {
		return 0
	}
	return (x + 1) * p * r / (float64(x*p) + r)
}

func relativePrecision() Family {
	return Family{
		Definition: Definition{
			Name: "relative_p", Title: "precision at k relative to the best possible",
			Formula:   "relevant items in the top k / min(k, R)",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Cutoff: RankCutoff,
			Aliases: []string{"r_cap", "capped_recall"},
			Source:  "trec_eval relative_P_k; BEIR calls it R_cap@k",
		},
		build: onHits(func(a *Args, _ *view, l *levelView) float64 {
			return float64(l.within(a.K)) / float64(min(a.K, l.r))
		}),
	}
}

func judged() Family {
	return Family{
		Definition: Definition{
			Name: "judged", Title: "share of judged items at k",
			Formula:   "ranked items with a grade of 0 or more in the top k / min(k, n)",
			Undefined: "nothing was retrieved", Range: Unit, Cutoff: RankCutoff,
			Source: "ir_measures Judged@k; print it beside every score, a low value means that the score is a guess",
		},
		build: func(a Args) evalFunc {
			return func(v *view) (float64, bool) {
				k := min(a.K, v.n())
				if k == 0 {
					return 0, false
				}
				return float64(k-v.unjudgedWithin(k)) / float64(k), true
			}
		},
	}
}

func unjudged() Family {
	return Family{
		Definition: Definition{
			Name: "unj", Title: "share of unjudged items at k",
			Formula: "ranked items without a grade, or with a negative one, in the top k / k",
			Range:   Unit, Direction: LowerIsBetter, Cutoff: RankCutoff,
			Source: "trec_eval 10 unj_k",
		},
		build: func(a Args) evalFunc {
			return func(v *view) (float64, bool) {
				return float64(v.unjudgedWithin(a.K)) / float64(a.K), true
			}
		},
	}
}

// unjudgedWithin counts the items without a usable label in the first k ranks.
func (v *view) unjudgedWithin(k int) int {
	n := 0
	for _, g := range v.Ranked[:min(k, v.n())] {
		if g < 0 {
			n++
		}
	}
	return n
}
