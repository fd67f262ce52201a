package score

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/internal/words"
)

// Facet is a property by which queries fall into strata.
type Facet string

// The facets, in the order in which reports show them.
const (
	ByFilter      Facet = "filter"      // sent with a filter, or without
	BySelectivity Facet = "selectivity" // share of the index that the filter lets through
	ByStyle       Facet = "style"       // the form a generated query was asked for
	ByLanguage    Facet = "language"
	ByTopic       Facet = "topic"
	ByLength      Facet = "length"  // words: short, medium, long
	ByLeakage     Facet = "leakage" // terciles of the share of content words that the source holds
	ByCopied      Facet = "copied"  // terciles of the longest run of words that the query shares with its source
	ByOrigin      Facet = "origin"  // llm, known-item, import, add
	ByTag         Facet = "tag"     // a query is in the stratum of each of its tags
)

// Filtered is the stratum of ByFilter whose queries have a filter; the others are in "none".
const Filtered = "filtered"

// Facets lists all facets in the order of reports.
func Facets() []Facet {
	return []Facet{ByFilter, BySelectivity, ByStyle, ByLanguage, ByTopic, ByLength, ByLeakage, ByCopied, ByOrigin, ByTag}
}

// Stratum is a group of queries that have something in common. Strata of one facet do not overlap, but for
// ByTag, and a query that has no value of a facet is in none of its strata.
type Stratum struct {
	Name    Facet    `json:"facet"`
	Value   string   `json:"value"`
	Queries []string `json:"-"` // ids, in the order they were given
}

// StrataOptions say how to cut.
type StrataOptions struct {
	// Facets are the facets to cut by; nil means every facet that tells at least two strata apart.
	Facets []Facet
	// Selectivity is the share of the index that a filter lets through, 0 to 1, as the store counted it; ok is
	// false where it was not counted. nil means that nothing was.
	Selectivity func(*assay.Filter) (share float64, ok bool)
}

// Strata groups queries by what is stored with them. Terciles are those of the queries given;
// equal values stay together, so that there may be fewer than three.
func Strata(queries []assay.Query, opts StrataOptions) []Stratum {
	facets := opts.Facets
	if facets == nil {
		facets = Facets()
	}
	var out []Stratum
	for _, f := range facets {
		of, order := opts.values(f, queries)
		groups := map[string][]string{}
		for i := range queries {
			for _, v := range of(&queries[i]) {
				groups[v] = append(groups[v], queries[i].ID)
			}
		}
		if opts.Facets == nil && len(groups) < 2 {
			continue
		}
		keys := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
			return cmp.Or(cmp.Compare(slices.Index(order, a), slices.Index(order, b)), strings.Compare(a, b))
		})
		for _, v := range keys {
			out = append(out, Stratum{Name: f, Value: v, Queries: groups[v]})
		}
	}
	return out
}

// values is how a facet is read off a query, and the order of its values where that is not the alphabet.
func (o *StrataOptions) values(f Facet, queries []assay.Query) (of func(*assay.Query) []string, order []string) {
	fromOrigin := func(get func(*assay.Origin) string) func(*assay.Query) []string {
		return func(q *assay.Query) []string {
			if q.Origin == nil {
				return nil
			}
			return some(get(q.Origin))
		}
	}
	switch f {
	case ByTag:
		return func(q *assay.Query) []string { return q.Tags }, nil
	case ByFilter:
		return func(q *assay.Query) []string {
			if q.Filter == nil {
				return []string{"none"}
			}
			return []string{Filtered}
		}, nil
	case BySelectivity:
		return o.selectivity, selectivities
	case ByLength:
		return func(q *assay.Query) []string { return []string{words.Length(len(words.Of(q.Text)))} }, words.Lengths
	case ByLeakage:
		return leakage(queries, coverages, func(l *assay.Leakage) float64 { return l.ContentCoverage })
	case ByCopied:
		return leakage(queries, wordsInARow, func(l *assay.Leakage) float64 { return float64(l.LongestSharedNgram) })
	case ByStyle:
		return fromOrigin(func(o *assay.Origin) string { return o.Style }), nil
	case ByLanguage:
		return fromOrigin(func(o *assay.Origin) string { return o.Language }), nil
	case ByTopic:
		return fromOrigin(func(o *assay.Origin) string { return o.Topic }), nil
	case ByOrigin:
		return fromOrigin(func(o *assay.Origin) string { return o.Method }), nil
	}
	return func(*assay.Query) []string { return nil }, nil
}

func some(v string) []string {
	if v == "" {
		return nil
	}
	return []string{v}
}

// selectivities are the classes of a filter by the share of the index it lets through, widest first. The
// bounds are a decade apart, but for the widest: an approximate index walks past what a filter rejects, and
// what it walks past is what it loses.
var selectivities = []string{"no filter", "over 50 %", "10–50 %", "1–10 %", "0.1–1 %", "under 0.1 %", "not counted"}

func (o *StrataOptions) selectivity(q *assay.Query) []string {
	if q.Filter == nil {
		return selectivities[:1]
	}
	if o.Selectivity == nil {
		return []string{"not counted"}
	}
	share, ok := o.Selectivity(q.Filter)
	switch {
	case !ok:
		return []string{"not counted"}
	case share > 0.5:
		return []string{"over 50 %"}
	case share >= 0.1:
		return []string{"10–50 %"}
	case share >= 0.01:
		return []string{"1–10 %"}
	case share >= 0.001:
		return []string{"0.1–1 %"}
	}
	return []string{"under 0.1 %"}
}

func coverages(lo, hi float64) string { return fmt.Sprintf("coverage %.2f–%.2f", lo, hi) }

func wordsInARow(lo, hi float64) string {
	if lo == hi {
		return plural.Count(int(lo), "word") + " in a row"
	}
	return fmt.Sprintf("%.0f–%.0f words in a row", lo, hi)
}

// leakage cuts the queries whose leakage is known at the terciles of one of its covariates.
func leakage(queries []assay.Query, name func(lo, hi float64) string, covariate func(*assay.Leakage) float64) (of func(*assay.Query) []string, order []string) {
	var all []float64
	for i := range queries {
		if l := queries[i].Leakage; l != nil {
			all = append(all, covariate(l))
		}
	}
	if len(all) == 0 {
		return func(*assay.Query) []string { return nil }, nil
	}
	slices.Sort(all)
	// The upper bound of each third; a bound that repeats makes no class of its own.
	n, last := len(all), all[len(all)-1]
	bounds := slices.Compact([]float64{all[max(1, (n+1)/3)-1], all[max(1, (2*n+1)/3)-1], last})
	low := all[0]
	for _, b := range bounds {
		order = append(order, name(low, b))
		if i, _ := slices.BinarySearch(all, b); b < last {
			for all[i] == b {
				i++
			}
			low = all[i]
		}
	}
	return func(q *assay.Query) []string {
		if q.Leakage == nil {
			return nil
		}
		i, _ := slices.BinarySearch(bounds, covariate(q.Leakage))
		return order[i : i+1]
	}, order
}
