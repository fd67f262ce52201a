package measure

import "math"

// Measures from models of a reader going down the list.

func rbp() Family {
	return Family{
		Definition: Definition{
			Name: "rbp", Title: "rank-biased precision, optionally cut at k",
			Formula: "(1 - p) times the sum over ranks i (in the top k) of gain p^(i-1); the gain is the grade, divided by the query's " +
				"highest grade where that is above 1; the relevance level has no effect",
			Undefined: noGain, Range: Unit, Gain: LinearGain, Cutoff: OptionalRank, Params: persistence(),
			Source: "Moffat and Zobel, TOIS 2008; trec_eval 10 rbp as its test data has it",
		},
		build: func(a Args) evalFunc {
			p := a.Value("p")
			return func(v *view) (float64, bool) {
				got, ideal := v.graded()
				if len(ideal) == 0 {
					return 0, false
				}
				top := max(1, ideal[0])
				sum, weight, at := 0.0, 1.0, int32(0)
				for _, g := range got {
					if a.K != 0 && int(g.rank) >= a.K {
						break
					}
					for ; at < g.rank; at++ {
						weight *= p
					}
					sum += float64(g.grade / top * weight)
				}
				return min(1, (1-p)*sum), true
			}
		},
	}
}

func persistence() []Param {
	return []Param{{
		Name: "p", Default: 0.9, Range: Unit,
		Meaning: "persistence, the probability of going on to the next rank; ir_measures defaults to 0.8",
	}}
}

func rbpResidual() Family {
	return Family{
		Definition: Definition{
			Name: "rbp_resid", Title: "residual of rbp",
			Formula: "p^n + (1 - p) times the sum over unjudged items of p^(i-1); 0 if no unjudged item was retrieved: " +
				"how much rbp could still grow",
			Range: Unit, Direction: LowerIsBetter, Params: persistence(),
			Source: "Moffat and Zobel, TOIS 2008; trec_eval 10 rbp_resid",
		},
		build: func(a Args) evalFunc {
			p := a.Value("p")
			return func(v *view) (float64, bool) {
				sum, weight, unjudged := 0.0, 1.0, false
				for _, g := range v.Ranked {
					if g < 0 {
						unjudged = true
						sum += weight
					}
					weight *= p
				}
				if !unjudged {
					return 0, true
				}
				return min(1, weight+float64((1-p)*sum)), true
			}
		},
	}
}

func err() Family {
	return Family{
		Definition: Definition{
			Name: "err", Title: "expected reciprocal rank, optionally cut at k",
			Formula: "sum over ranks i (in the top k) of 1/i times S_i times the product over j < i of (1 - S_j), with " +
				"S = (2^grade - 1) / 2^max; grades above max count as max",
			Undefined: noGain, Range: Unit, Gain: ExponentialGain, Cutoff: OptionalRank,
			Params: []Param{{
				Name: "max", Default: 0, Range: Range{0, 100},
				Meaning: "highest grade of the scale; 0 takes the highest grade of the labels. gdeval has it fixed at 4",
			}},
			Source: "Chapelle et al., CIKM 2009; gdeval.pl",
		},
		build: func(a Args) evalFunc {
			return func(v *view) (float64, bool) {
				got, ideal := v.graded()
				if len(ideal) == 0 {
					return 0, false
				}
				top := a.Value("max")
				if top == 0 {
					top = v.topGrade()
				}
				top = min(top, 100)
				scale := math.Exp2(top)
				sum, left := 0.0, 1.0
				for _, g := range got {
					if a.K != 0 && int(g.rank) >= a.K {
						break
					}
					stop := exponential(min(g.grade, top)) / scale
					sum += left * stop / float64(g.rank+1)
					left *= 1 - stop
				}
				return sum, true
			}
		},
	}
}
