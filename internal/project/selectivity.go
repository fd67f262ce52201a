package project

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/score"
)

// maxCountedFilters bounds the filters that a run has counted: each costs a call to the store.
const maxCountedFilters = 500

// selectivity asks the store how much of the index each filter of the queries lets through, 0 to 1, by the
// filter's canonical form. It is nil when no query has a filter or the store cannot count; a filter that
// it cannot count is left out. What a filter lets through changes with the index, so it is kept with the run.
func (p *Project) selectivity(ctx context.Context, sys *System, queries []assay.Query) map[string]float64 {
	filters := map[string]*assay.Filter{}
	var order []string
	for i := range queries {
		if f := queries[i].Filter; f != nil && filters[f.String()] == nil {
			filters[f.String()] = f
			order = append(order, f.String())
		}
	}
	counter, ok := counterOf(sys)
	if len(order) == 0 || !ok {
		return nil
	}
	all, err := counter.Count(ctx, nil)
	if err != nil || all == 0 {
		return nil
	}
	if len(order) > maxCountedFilters {
		p.opts.Warn(assay.Warning{Code: "filters_uncounted", Text: fmt.Sprintf("system %s: %d different filters; the selectivity of the first %d is counted", sys.Name, len(order), maxCountedFilters)})
		order = order[:maxCountedFilters]
	}
	out := map[string]float64{}
	var empty []string
	for _, key := range order {
		n, err := counter.Count(ctx, filters[key])
		if err != nil {
			continue
		}
		if out[key] = float64(n) / float64(all); n == 0 {
			empty = append(empty, key)
		}
	}
	if len(empty) > 0 {
		p.opts.Warn(assay.Warning{Code: "empty_filter", Text: fmt.Sprintf("system %s: %d of the queries' filters let nothing of the index through, such as %s: a field or value that it does not have",
			sys.Name, len(empty), empty[0])})
	}
	return out
}

// counterOf finds the power to count, of a fused system that of the first part that has it: its parts search
// the same documents.
func counterOf(sys *System) (assay.Counter, bool) {
	if c, ok := assay.As[assay.Counter](sys); ok {
		return c, true
	}
	for _, part := range sys.Parts {
		if c, ok := counterOf(part); ok {
			return c, true
		}
	}
	return nil, false
}

// Strata are those of the queries of a run, with the selectivity of filters as its store counted it (RunInfo.Selectivity). No
// facets means all that tell queries apart.
func Strata(counted map[string]float64, queries []assay.Query, facets []score.Facet) []score.Stratum {
	return score.Strata(queries, score.StrataOptions{Facets: facets, Selectivity: func(f *assay.Filter) (float64, bool) {
		share, ok := counted[f.String()]
		return share, ok
	}})
}
