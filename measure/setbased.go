package measure

// Measures of the retrieved set, blind to order, and plain counts.

func setPrecision() Family {
	return Family{
		Definition: Definition{
			Name: "set_p", Title: "precision of everything retrieved",
			Formula:   "relevant items retrieved / n, 0 where nothing was retrieved",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain,
			Aliases: []string{"setp"},
			Source:  "trec_eval set_P",
		},
		build: onHits(func(_ *Args, v *view, l *levelView) float64 { return l.setP(v) }),
	}
}

func (l *levelView) setP(v *view) float64 {
	if len(l.hits) == 0 {
		return 0
	}
	return float64(len(l.hits)) / float64(v.n())
}

func setRecall() Family {
	return Family{
		Definition: Definition{
			Name: "set_recall", Title: "recall of everything retrieved",
			Formula:   "relevant items retrieved / R",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain,
			Aliases: []string{"set_r", "setr"},
			Source:  "trec_eval set_recall",
		},
		build: onHits(func(_ *Args, v *view, l *levelView) float64 { return float64(l.found(v, 0)) / float64(l.r) }),
	}
}

func setF() Family {
	return Family{
		Definition: Definition{
			Name: "set_f", Title: "F measure of everything retrieved",
			Formula:   "(x + 1) P R / (R + x P) with P = set_p and R = set_recall; x is not squared",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain,
			Params:  []Param{{Name: "x", Default: 1, Range: Unbounded, Meaning: "importance of recall relative to precision"}},
			Aliases: []string{"setf"},
			Source:  "trec_eval set_F_x",
		},
		build: onHits(func(a *Args, v *view, l *levelView) float64 {
			return harmonic(a.Value("x"), l.setP(v), float64(l.found(v, 0))/float64(l.r))
		}),
	}
}

func setMAP() Family {
	return Family{
		Definition: Definition{
			Name: "set_map", Title: "set average precision",
			Formula:   "hits² / (n R), 0 where nothing was retrieved",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain,
			Aliases: []string{"setap"},
			Source:  "trec_eval set_map",
		},
		build: onHits(func(_ *Args, v *view, l *levelView) float64 {
			if len(l.hits) == 0 {
				return 0
			}
			hits := float64(len(l.hits))
			return hits * hits / (float64(v.n()) * float64(l.r))
		}),
	}
}

func setRelativePrecision() Family {
	return Family{
		Definition: Definition{
			Name: "set_relative_p", Title: "precision of everything retrieved relative to the best possible",
			Formula:   "hits / min(n, R), 0 where nothing was retrieved",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain,
			Source: "trec_eval set_relative_P",
		},
		build: onHits(func(_ *Args, v *view, l *levelView) float64 {
			if len(l.hits) == 0 {
				return 0
			}
			return float64(len(l.hits)) / float64(min(v.n(), l.r))
		}),
	}
}

func utility() Family {
	coefficient := func(name string, def float64, meaning string) Param {
		return Param{Name: name, Default: def, Range: anyNumber, Meaning: meaning}
	}
	return Family{
		Definition: Definition{
			Name: "utility", Title: "linear utility of the retrieved set",
			Formula: "a × relevant retrieved + b × not relevant retrieved + c × relevant missed + d × the rest of the collection",
			Range:   anyNumber, Gain: BinaryGain,
			Params: []Param{
				coefficient("a", 1, "worth of a relevant item retrieved"),
				coefficient("b", -1, "worth of a not relevant item retrieved"),
				coefficient("c", 0, "worth of a relevant item missed"),
				coefficient("d", 0, "worth of a not relevant item left out"),
				coefficient("n", 0, "items in the collection, needed when d is not 0"),
			},
			Source: "trec_eval utility_a,b,c,d with -N n",
		},
		build: func(a Args) evalFunc {
			return func(v *view) (float64, bool) {
				l := a.level(v)
				n, hits, r := float64(v.n()), float64(len(l.hits)), float64(l.r)
				return float64(a.Value("a")*hits) + float64(a.Value("b")*(n-hits)) +
					float64(a.Value("c")*(r-hits)) + float64(a.Value("d")*(a.Value("n")+hits-n-r)), true
			}
		},
	}
}

// count builds a family that counts items; its summary is the sum.
func count(name, title string, aliases []string, f func(v *view, l *levelView) int) Family {
	return Family{
		Definition: Definition{
			Name: name, Title: title, Formula: title, Range: Unbounded, Direction: Neutral, Gain: BinaryGain,
			Average: Sum, Aliases: aliases, Source: "trec_eval " + name,
		},
		build: func(a Args) evalFunc {
			return func(v *view) (float64, bool) { return float64(f(v, a.level(v))), true }
		},
	}
}

func numRet() Family {
	return count("num_ret", "items retrieved", []string{"numret"}, func(v *view, _ *levelView) int { return v.n() })
}

func numRel() Family {
	return count("num_rel", "relevant items", []string{"numrel"}, func(_ *view, l *levelView) int { return l.r })
}

func numRelRet() Family {
	return count("num_rel_ret", "relevant items retrieved", []string{"numrelret"},
		func(_ *view, l *levelView) int { return len(l.hits) })
}

func numNonrelJudgedRet() Family {
	return count("num_nonrel_judged_ret", "judged not relevant items retrieved", nil,
		func(v *view, l *levelView) int {
			n := 0
			for _, g := range v.Ranked {
				if g >= 0 && g < l.level {
					n++
				}
			}
			return n
		})
}
