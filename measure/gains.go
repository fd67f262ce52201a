package measure

import (
	"math"
	"slices"
)

// Measures in which the grade is the gain.

// gained gives what a gain measure works on: the ranks with a gain other than 0, and the gains above 0
// of all gold items, highest first.
func (a *Args) gained(v *view) ([]ranked, []float64) {
	if len(a.Gains) == 0 {
		return v.graded()
	}
	gain := func(g float64) float64 {
		for _, r := range a.Gains {
			if float64(r.Grade) == g {
				return r.Gain
			}
		}
		return max(g, 0)
	}
	var got []ranked
	var ideal []float64
	for i, g := range v.Ranked {
		if x := gain(g); x != 0 && g >= 0 {
			got = append(got, ranked{int32(i), x})
		}
	}
	for _, g := range v.Gold {
		if x := gain(g); x > 0 && g >= 0 {
			ideal = append(ideal, x)
		}
	}
	slices.Sort(ideal)
	slices.Reverse(ideal)
	return got, ideal
}

// discounted is the DCG of the gains in the top k; k = 0 means all.
func discounted(got []ranked, k int, gain func(float64) float64) float64 {
	if len(got) == 0 {
		return 0
	}
	log2 := log2Table(int(got[len(got)-1].rank) + 2)
	sum := 0.0
	for _, g := range got {
		if k != 0 && int(g.rank) >= k {
			break
		}
		sum += gain(g.grade) / log2[g.rank+2]
	}
	return sum
}

// idealDiscounted is the DCG of the best possible ranking cut at k.
func idealDiscounted(ideal []float64, k int, gain func(float64) float64) float64 {
	if k != 0 && k < len(ideal) {
		ideal = ideal[:k]
	}
	log2 := log2Table(len(ideal) + 1)
	sum := 0.0
	for i, g := range ideal {
		sum += gain(g) / log2[i+2]
	}
	return sum
}

func linear(g float64) float64 { return g }

// exponential is 2^g - 1. Grades above 100 count as 100, so that sums stay finite.
func exponential(g float64) float64 { return math.Exp2(min(g, 100)) - 1 }

func gainOf(g Gain) func(float64) float64 {
	if g == ExponentialGain {
		return exponential
	}
	return linear
}

// normalised builds an nDCG.
func normalised(gain func(float64) float64) func(Args) evalFunc {
	return func(a Args) evalFunc {
		return func(v *view) (float64, bool) {
			got, ideal := a.gained(v)
			best := idealDiscounted(ideal, a.K, gain)
			if best <= 0 {
				return 0, false
			}
			return min(1, discounted(got, a.K, gain)/best), true
		}
	}
}

func ndcg() Family {
	return Family{
		Definition: Definition{
			Name: "ndcg", Title: "normalised discounted cumulative gain, optionally cut at k",
			Formula: "sum over ranks i (in the top k) of grade / log2(i + 1), divided by the same sum over all gold items in the best " +
				"order (cut at k); grades of 0 and below gain nothing, the relevance level has no effect. " +
				"Without k other gains may be set: ndcg(1=3,2=9)",
			Undefined: noGain, Range: Unit, Gain: LinearGain, Cutoff: OptionalRank,
			Aliases: []string{"ndcg_cut"},
			Source:  "Järvelin and Kekäläinen, TOIS 2002, discount log2(rank + 1); trec_eval ndcg, ndcg_cut_k",
		},
		takesGain: true,
		build:     normalised(linear),
	}
}

func ndcgExp() Family {
	return Family{
		Definition: Definition{
			Name: "ndcg_exp", Title: "nDCG with exponential gain, optionally cut at k",
			Formula:   "as ndcg with the gain 2^grade - 1",
			Undefined: noGain, Range: Unit, Gain: ExponentialGain, Cutoff: OptionalRank,
			Aliases: []string{"ndcg_burges"},
			Source:  "Burges et al., ICML 2005; gdeval, ranx ndcg_burges, ir_measures nDCG(dcg='exp-log2')",
		},
		build: normalised(exponential),
	}
}

func dcg(name string, g Gain) Family {
	gain, formula := gainOf(g), "grade"
	if g == ExponentialGain {
		formula = "(2^grade - 1)"
	}
	return Family{
		Definition: Definition{
			Name: name, Title: "discounted cumulative gain, optionally cut at k",
			Formula:   "sum over ranks i (in the top k) of " + formula + " / log2(i + 1)",
			Undefined: noGain, Range: Unbounded, Gain: g, Cutoff: OptionalRank,
			Source: "Järvelin and Kekäläinen, TOIS 2002; trec_eval 10 dcg",
		},
		takesGain: g == LinearGain,
		build: func(a Args) evalFunc {
			return func(v *view) (float64, bool) {
				got, ideal := a.gained(v)
				return discounted(got, a.K, gain), len(ideal) > 0
			}
		},
	}
}

func idealDCG() Family {
	return Family{
		Definition: Definition{
			Name: "ideal_dcg", Title: "DCG of the best possible ranking",
			Formula: "sum over all gold items in the best order of grade / log2(i + 1)",
			Range:   Unbounded, Direction: Neutral, Gain: LinearGain, Cutoff: OptionalRank,
			Source: "trec_eval 10 ideal_dcg",
		},
		takesGain: true,
		build: func(a Args) evalFunc {
			return func(v *view) (float64, bool) {
				_, ideal := a.gained(v)
				return idealDiscounted(ideal, a.K, linear), true
			}
		},
	}
}
