package measure

// builtin lists the families in the order of the documentation: what a RAG evaluation reads first, then
// the rest of trec_eval's table, then the span measures.
func builtin() []Family {
	return []Family{
		recall(), success(), mrr(), ndcg(), precision(), averagePrecision(), f1(),
		ndcgExp(), dcg("dcg", LinearGain), dcg("dcg_exp", ExponentialGain), idealDCG(),
		err(), rbp(), rbpResidual(),
		rPrecision(), rPrecisionMultiple(), relativePrecision(), interpolated(), elevenPoint(),
		bpref(), infAP(), judged(), unjudged(),
		geometricMAP(), geometricBpref(),
		setPrecision(), setRecall(), setF(), setMAP(), setRelativePrecision(), utility(),
		binG(), gainG(), ndcgRel(), rNDCG(), yaap(),
		numRet(), numRel(), numRelRet(), numNonrelJudgedRet(),
		spanRecall(), spanPrecision(), spanIoU(),
	}
}

// The reasons for which a value may be undefined.
const (
	noRelevant = "the query has no relevant item"
	noGain     = "the query has no item with a grade above 0"
)

// onHits builds the evaluation of a binary measure: undefined without a relevant item, else f.
func onHits(f func(a *Args, v *view, l *levelView) float64) func(Args) evalFunc {
	return func(a Args) evalFunc {
		return func(v *view) (float64, bool) {
			l := a.level(v)
			if l.r == 0 {
				return 0, false
			}
			return f(&a, v, l), true
		}
	}
}
