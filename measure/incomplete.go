package measure

// Measures made for incomplete judgments.

// bprefValue walks the judged items of the ranking; unjudged ones are skipped. Repeats of gold items look
// like items judged not relevant, of which there can be no more than the labels have.
func bprefValue(_ *Args, v *view, l *levelView) float64 {
	sum, nonrelevant := 0.0, 0
	for _, g := range v.Ranked {
		switch {
		case g < 0 && g < l.level:
		case g < l.level:
			nonrelevant++
		case nonrelevant == 0 || l.nonrel == 0:
			sum++
		default:
			sum += 1 - float64(min(nonrelevant, l.nonrel, l.r))/float64(min(l.nonrel, l.r))
		}
	}
	return sum / float64(l.r)
}

func bpref() Family {
	return Family{
		Definition: Definition{
			Name: "bpref", Title: "binary preference",
			Formula: "1/R times the sum over retrieved relevant items of 1 - min(a, R)/min(N, R): a judged not relevant items " +
				"ranked above it, N all judged not relevant items; the term is 1 where a = 0",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain,
			Source: "Buckley and Voorhees, SIGIR 2004, with the correction in trec_eval's bpref_bug; trec_eval bpref",
		},
		build: onHits(bprefValue),
	}
}

func geometricBpref() Family {
	return Family{
		Definition: Definition{
			Name: "gm_bpref", Title: "geometric mean of bpref",
			Formula:   "per query the same as bpref; averaged as exp(mean of ln(max(bpref, 0.00001)))",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain, Average: GeometricMean,
			Source: "trec_eval gm_bpref",
		},
		build: onHits(bprefValue),
	}
}

func infAP() Family {
	const e = 0.00001
	return Family{
		Definition: Definition{
			Name: "infap", Title: "inferred average precision",
			Formula: "1/R times the sum over relevant items at rank i = j+1 of 1/i + (j/i) (m/j) (r + e)/(r + s + 2e), 1 at rank 1: " +
				"above it m items of the pool (judged, or with a negative grade), r relevant, s judged not relevant, e = 0.00001",
			Undefined: noRelevant, Range: Unit, Gain: BinaryGain,
			Aliases: []string{"inf_ap"},
			Source:  "Yilmaz and Aslam, CIKM 2006; trec_eval infAP",
		},
		build: onHits(func(_ *Args, v *view, l *levelView) float64 {
			sum, nonrelevant, relevant, unjudged := 0.0, 0, 0, 0
			for j, g := range v.Ranked {
				switch {
				case g == NotJudged:
				case g < 0 && g < l.level:
					unjudged++
				case g < l.level:
					nonrelevant++
				case j == 0:
					sum++
					relevant++
				default:
					fj := float64(j)
					pool := float64(relevant+nonrelevant+unjudged) / fj
					share := (float64(relevant) + e) / (float64(relevant+nonrelevant) + 2*e)
					sum += 1/(fj+1) + float64(float64(fj/(fj+1)*pool)*share)
					relevant++
				}
			}
			return sum / float64(l.r)
		}),
	}
}
