package measure

import "math"

// trec_eval's experimental measures (Buckley, 2008). They are here to be equal, not to be recommended.

// anyNumber is the range of a measure without bounds.
var anyNumber = Range{math.Inf(-1), math.Inf(1)}

func binG() Family {
	return Family{
		Definition: Definition{
			Name: "bing", Title: "binary G",
			Formula:   "1/R times the sum over relevant items of 1 / log2(2 + not relevant items above it)",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain,
			Source: "trec_eval binG, experimental",
		},
		build: onHits(func(_ *Args, _ *view, l *levelView) float64 {
			sum := 0.0
			for i, rank := range l.hits {
				sum += 1 / log2Int(int(rank)+2-i)
			}
			return min(1, sum/float64(l.r))
		}),
	}
}

func gainG() Family {
	return Family{
		Definition: Definition{
			Name: "g", Title: "normalised gain G",
			Formula: "sum over ranks i of gain / log2(2 + c - s), divided by the sum of all positive gold gains: s the gains up to i, " +
				"c the gains of the best ranking up to i, each counted as at least 1. Other gains: g(1=3,2=9)",
			Undefined: noGain, Range: Unit, Gain: LinearGain,
			Source: "trec_eval G, experimental",
		},
		takesGain: true,
		build: func(a Args) evalFunc {
			return func(v *view) (float64, bool) {
				got, ideal := a.gained(v)
				total, cost, gains, sum, at := 0.0, 0.0, 0.0, 0.0, 0
				for _, g := range ideal {
					total += g
				}
				if total <= 0 {
					return 0, false
				}
				for _, g := range got {
					for ; at <= int(g.rank); at++ {
						if at < len(ideal) {
							cost += max(ideal[at], 1)
						} else {
							cost++
						}
					}
					gains += g.grade
					sum += g.grade / log2Any(2+cost-gains)
				}
				return min(1, sum/total), true
			}
		},
	}
}

// log2Any takes integers from the table, so that they equal glibc's, and everything else from math.
func log2Any(x float64) float64 {
	if n := int(x); float64(n) == x && n >= 1 && n < 1<<20 {
		return log2Int(n)
	}
	return math.Log2(x)
}

func ndcgRel() Family {
	return Family{
		Definition: Definition{
			Name: "ndcg_rel", Title: "nDCG averaged over the relevant items",
			Formula: "mean over gold items with a gain of nDCG at the rank where each was retrieved, of the final DCG over the ideal DCG " +
				"where it was not. Other gains: ndcg_rel(1=3,2=9)",
			Undefined: noGain, Range: Unit, Gain: LinearGain,
			Source: "trec_eval ndcg_rel, experimental",
		},
		takesGain: true,
		build: func(a Args) evalFunc {
			return func(v *view) (float64, bool) {
				got, ideal := a.gained(v)
				if len(ideal) == 0 {
					return 0, false
				}
				log2 := log2Table(max(v.n(), len(ideal)) + 2)
				sum, dcg, best, at, found := 0.0, 0.0, 0.0, 0, 0
				for _, g := range got {
					dcg += g.grade / log2[g.rank+2]
					for ; at <= int(g.rank) && at < len(ideal); at++ {
						best += ideal[at] / log2[at+2]
					}
					if g.grade > 0 {
						sum += dcg / best
						found++
					}
				}
				for ; at < len(ideal); at++ {
					best += ideal[at] / log2[at+2]
				}
				sum += float64(len(ideal)-found) * dcg / best
				return min(1, max(0, sum/float64(len(ideal)))), true
			}
		},
	}
}

func rNDCG() Family {
	return Family{
		Definition: Definition{
			Name: "rndcg", Title: "nDCG averaged at the points where the ideal gain changes",
			Formula: "mean of DCG over ideal DCG before each rank where the gain of the best ranking changes, and at the end of the ranking. " +
				"Other gains: rndcg(1=3,2=9)",
			Undefined: noRelevant + ", or none with a gain", Range: Unit, Gain: LinearGain,
			Source: "trec_eval Rndcg, experimental",
		},
		takesGain: true,
		build: func(a Args) evalFunc {
			return func(v *view) (float64, bool) {
				if v.at(v.Topic.level()).r == 0 {
					return 0, false
				}
				got, ideal := a.gained(v)
				return changes(got, ideal, v.n())
			}
		},
	}
}

// changes walks the ideal ranking one rank past its end and samples nDCG wherever its gain changes.
func changes(got []ranked, ideal []float64, n int) (float64, bool) {
	if len(ideal) == 0 {
		return 0, false
	}
	log2 := log2Table(max(n, len(ideal)) + 2)
	sum, samples, dcg, best := 0.0, 0, 0.0, 0.0
	for i := 0; i <= len(ideal); i++ {
		if i == len(ideal) || i > 0 && ideal[i] != ideal[i-1] {
			sum += dcg / best
			samples++
		}
		for len(got) > 0 && int(got[0].rank) == i {
			dcg += got[0].grade / log2[i+2]
			got = got[1:]
		}
		if i < len(ideal) {
			best += ideal[i] / log2[i+2]
		}
	}
	if n > len(ideal)+1 {
		for _, g := range got {
			dcg += g.grade / log2[g.rank+2]
		}
		sum += dcg / best
		samples++
	}
	return min(1, sum/float64(samples)), true
}

func yaap() Family {
	return Family{
		Definition: Definition{
			Name: "yaap", Title: "yet another average precision",
			Formula:   "ln((1 + s) / (1 + R - s)), s the sum of precisions at relevant items",
			Undefined: noRelevant, Range: anyNumber, Gain: BinaryGain,
			Source: "Robertson, ECIR 2012; trec_eval yaap",
		},
		build: onHits(func(a *Args, _ *view, l *levelView) float64 {
			sum := 0.0
			for i, rank := range l.hits {
				sum += float64(i+1) / float64(rank+1)
			}
			return ln((1 + sum) / (1 + float64(l.r) - sum))
		}),
	}
}
