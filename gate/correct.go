package gate

import "github.com/assay-eval/assay/stats"

// correct fills in p-values and adjusts them over the rules (Holm). A rule without a test gets the smallest α/k, k up to the
// number of rules, at which its interval still excludes the limit: a p-value rounded up, which is all Holm asks for. It
// returns the bars that had something to test.
func correct(bars []bar, alpha float64) ([]*bar, error) {
	var tested []*bar
	var p []float64
	for i := range bars {
		b := &bars[i]
		if b.result.Outcome != "" { // nothing to test
			continue
		}
		if b.result.P == nil {
			v, err := ladder(alpha, len(bars), func(confidence float64) (bool, error) {
				if confidence == b.confidence {
					return b.bad, nil
				}
				return b.excludes(confidence)
			})
			if err != nil {
				return nil, err
			}
			b.result.P = &v
		}
		tested, p = append(tested, b), append(p, *b.result.P)
	}
	for i, adjusted := range stats.Holm(p) {
		tested[i].result.PHolm = &adjusted
	}
	return tested, nil
}

// ladder is the smallest α/k, k up to the number of rules, at which the interval excludes the limit; 1 where even that of
// confidence 1−α does not.
func ladder(alpha float64, rules int, excludes func(confidence float64) (bool, error)) (float64, error) {
	p := 1.0
	for k := 1; k <= rules; k++ {
		bad, err := excludes(1 - alpha/float64(k))
		if err != nil {
			return 0, err
		}
		if !bad {
			break
		}
		p = alpha / float64(k)
	}
	return p, nil
}
