package gate

import "github.com/assay-eval/assay/stats"

// correct fills in p-values and adjusts them over the rules (Holm). A rule without a test gets the smallest α/k, k up to the
// number of rules, at which its interval still excludes the limit: a p-value rounded up, which is all Holm asks for.
func correct(bars []bar, alpha float64) {
	var tested []*bar
	var p []float64
	for i := range bars {
		b := &bars[i]
		if b.result.Outcome != "" { // nothing to test
			continue
		}
		if b.result.P == nil {
			v := b.ladder(alpha, len(bars))
			b.result.P = &v
		}
		tested, p = append(tested, b), append(p, *b.result.P)
	}
	for i, adjusted := range stats.Holm(p) {
		tested[i].result.PHolm = &adjusted
	}
}

// ladder is 1 for a rule that is not bad at all.
func (b *bar) ladder(alpha float64, rules int) float64 {
	p := 1.0
	if !b.bad {
		return p
	}
	for k := 1; k <= rules; k++ {
		bad := b.bad
		if k > 1 {
			var err error
			if bad, err = b.excludes(1 - alpha/float64(k)); err != nil {
				return p
			}
		}
		if !bad {
			break
		}
		p = alpha / float64(k)
	}
	return p
}
