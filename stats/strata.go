package stats

import "fmt"

// StratumWeights returns one weight per query that makes a stratified sample stand
// for its population: w = W_h / n_h, where W_h is the population share of the query's
// stratum and n_h the number of sampled queries in it (Cochran 1977, ch. 5). With
// these weights the weighted mean is the stratified mean Σ W_h·mean_h. Shares
// need not sum to 1. A stratum without a share is an error; a share without a
// sampled query is an error too, since part of the population would go unmeasured.
func StratumWeights(strata []string, shares map[string]float64) ([]float64, error) {
	count := map[string]int{}
	for i, s := range strata {
		if _, ok := shares[s]; !ok {
			return nil, fmt.Errorf("stats: query %d lies in stratum %q, which has no population share", i, s)
		}
		count[s]++
	}
	missing, found := "", false
	for s, share := range shares {
		if !(share >= 0) || share > maxShare {
			return nil, fmt.Errorf("stats: stratum %q has share %v: want a finite number of at least 0", s, share)
		}
		if share > 0 && count[s] == 0 && (!found || s < missing) {
			missing, found = s, true
		}
	}
	if found {
		return nil, fmt.Errorf("stats: stratum %q has a population share and no sampled query: sample it or leave it out of the shares", missing)
	}
	weights := make([]float64, len(strata))
	for i, s := range strata {
		weights[i] = shares[s] / float64(count[s])
	}
	return weights, nil
}

// maxShare keeps sums of weights finite.
const maxShare = 1e150
