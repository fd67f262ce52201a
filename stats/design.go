package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Design says how the queries were drawn. Every non-nil slice has one entry per
// query, in the order of the scores. The zero value is a simple random sample.
type Design struct {
	// Clusters names what a query depends on, usually its source document.
	// Queries of one cluster are resampled and sign-flipped together. An empty name
	// stands alone.
	Clusters []string
	// Weights are the shares of traffic a query stands for, divided by its
	// probability of having been sampled (Horvitz–Thompson); see [StratumWeights].
	// Finite, not negative, not all zero; the scale is free.
	Weights []float64
	// Strata names the layer a query was sampled from. Layers keep their size in
	// every bootstrap draw. A stratum must hold whole clusters; it changes the
	// interval, never the mean: weights do that.
	Strata []string
}

// minStratum is the least number of units a stratum needs for resampling inside it
// to show its spread; smaller ones are pooled (Cochran 1977, collapsed strata).
const minStratum = 5

// span is a half-open range of unit numbers.
type span struct{ start, end int }

func (s span) size() int { return s.end - s.start }

// layout maps queries to the units that are resampled and flipped.
type layout struct {
	queries  int
	noun     string  // what a query is called in warnings
	unit     []int32 // unit of each query; nil when every query is its own, in order
	strata   []span
	weights  []float64 // nil when equal
	kish     float64   // effective number of queries, by their weights
	neff     float64   // effective number of units, by theirs
	warnings []Warning
}

// simple reports whether each query is one unit of weight one.
func (l *layout) simple() bool { return l.weights == nil && l.units() == l.queries }

func (l *layout) units() int { return l.strata[len(l.strata)-1].end }

func (d Design) layout(queries int) (*layout, error) { return d.layoutOf(queries, "queries") }

// layoutOf is layout for things that are not queries.
func (d Design) layoutOf(queries int, noun string) (*layout, error) {
	if err := d.check(queries); err != nil {
		return nil, err
	}
	l := &layout{queries: queries, noun: noun, weights: d.Weights}
	if l.weights != nil && constant(l.weights) {
		l.weights = nil
	}
	strata := d.Strata
	if c := d.splitCluster(); c != "" {
		strata = nil
		l.warnings = append(l.warnings, warnf(WarnStrata, "strata set aside: cluster %q lies in more than one, and clusters are resampled whole", c))
	}
	if d.Clusters == nil && strata == nil {
		l.strata = []span{{0, queries}}
	} else {
		l.group(d.Clusters, strata)
	}
	l.measure()
	return l, nil
}

func (d Design) check(queries int) error {
	for _, f := range []struct {
		name string
		has  bool
		size int
	}{
		{"clusters", d.Clusters != nil, len(d.Clusters)},
		{"weights", d.Weights != nil, len(d.Weights)},
		{"strata", d.Strata != nil, len(d.Strata)},
	} {
		if f.has && f.size != queries {
			return fmt.Errorf("stats: %d %s for %d scores: want one per query", f.size, f.name, queries)
		}
	}
	total := 0.0
	for i, w := range d.Weights {
		if math.IsNaN(w) || math.IsInf(w, 0) || w < 0 {
			return fmt.Errorf("stats: weight %d is %v: want a finite number of at least 0", i, w)
		}
		total += w
	}
	if d.Weights != nil && (total == 0 || math.IsInf(total, 0)) {
		return fmt.Errorf("stats: the weights sum to %v: want a positive finite total", total)
	}
	return nil
}

// splitCluster returns a cluster that lies in several strata, the first in byte
// order, or "".
func (d Design) splitCluster() string {
	if d.Clusters == nil || d.Strata == nil {
		return ""
	}
	home, split := map[string]string{}, ""
	for i, c := range d.Clusters {
		if c == "" {
			continue
		}
		s, seen := home[c]
		if !seen {
			home[c] = d.Strata[i]
		} else if s != d.Strata[i] && (split == "" || c < split) {
			split = c
		}
	}
	return split
}

// group numbers the units stratum by stratum.
func (l *layout) group(clusters, strata []string) {
	label := func(of []string, i int) string {
		if of == nil {
			return ""
		}
		return of[i]
	}
	order := make([]int, l.queries)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c := strings.Compare(label(strata, a), label(strata, b)); c != 0 {
			return c
		}
		return strings.Compare(label(clusters, a), label(clusters, b))
	})
	l.unit = make([]int32, l.queries)
	units := 0
	for k, i := range order {
		newStratum := k == 0 || label(strata, i) != label(strata, order[k-1])
		c := label(clusters, i)
		if newStratum || c == "" || c != label(clusters, order[k-1]) {
			units++
		}
		if newStratum {
			l.strata = append(l.strata, span{units - 1, units})
		}
		l.strata[len(l.strata)-1].end = units
		l.unit[i] = int32(units - 1)
	}
	l.pool()
}

// pool merges strata with fewer than minStratum units into one, and that one
// into the largest when it is still too small.
func (l *layout) pool() {
	var keep, small []span
	pooled := 0
	for _, s := range l.strata {
		if s.size() < minStratum {
			small = append(small, s)
			pooled += s.size()
		} else {
			keep = append(keep, s)
		}
	}
	if len(small) == 0 || len(l.strata) == 1 {
		return
	}
	l.warnings = append(l.warnings, warnf(WarnStrata, "%d of %d strata hold fewer than %d independent %s and were pooled", len(small), len(l.strata), minStratum, l.noun))
	groups := make([][]span, 0, len(keep)+1)
	for _, s := range keep {
		groups = append(groups, []span{s})
	}
	if pooled >= minStratum || len(keep) == 0 {
		groups = append(groups, small)
	} else {
		largest := 0
		for g := range keep {
			if keep[g].size() > keep[largest].size() {
				largest = g
			}
		}
		groups[largest] = append(groups[largest], small...)
	}
	l.renumber(groups)
}

// renumber lays the given groups of unit ranges out as the new strata.
func (l *layout) renumber(groups [][]span) {
	moved := make([]int32, l.units())
	l.strata = l.strata[:0:0]
	next := 0
	for _, g := range groups {
		start := next
		for _, s := range g {
			for u := s.start; u < s.end; u++ {
				moved[u] = int32(next)
				next++
			}
		}
		l.strata = append(l.strata, span{start, next})
	}
	for i, u := range l.unit {
		l.unit[i] = moved[u]
	}
}

// measure finds the effective sample size over queries and over units, and warns
// where it is much smaller than the number of queries.
func (l *layout) measure() {
	l.kish = float64(l.queries)
	if l.weights != nil {
		l.kish = EffectiveSize(l.weights)
	}
	l.neff = l.kish
	if l.units() < l.queries {
		mass := make([]float64, l.units())
		order := make([]int, l.queries)
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(l.weight(a), l.weight(b)) })
		for _, i := range order {
			mass[l.unitOf(i)] += l.weight(i)
		}
		l.neff = EffectiveSize(mass)
	}
	clustered := l.units() < l.queries
	if clustered && 2*l.units() <= l.queries {
		l.warnings = append(l.warnings, warnf(WarnClusters, "%d %s come from %d sources, which are resampled whole: %d is the number that counts", l.queries, l.noun, l.units(), l.units()))
	}
	if l.weights != nil && 2*l.neff <= float64(l.units()) {
		l.warnings = append(l.warnings, warnf(WarnWeights, "unequal weights leave an effective sample of %.1f out of %d", l.neff, l.units()))
	}
	l.warnings = append(l.warnings, few(l.neff, l.noun, !l.simple())...)
}

func (l *layout) unitOf(i int) int {
	if l.unit == nil {
		return i
	}
	return int(l.unit[i])
}

func (l *layout) weight(i int) float64 {
	if l.weights == nil {
		return 1
	}
	return l.weights[i]
}

func constant(xs []float64) bool {
	for _, x := range xs {
		if x != xs[0] {
			return false
		}
	}
	return true
}

// EffectiveSize is how many items of one weight tell as much as these, (Σw)²/Σw² (Kish 1965, ch. 11.7). Weights are above 0 and
// may come in any order; it is 0 for none.
func EffectiveSize(weights []float64) float64 {
	if len(weights) == 0 {
		return 0
	}
	sorted := slices.Clone(weights)
	slices.Sort(sorted)
	sum, squares, most := 0.0, 0.0, sorted[len(sorted)-1]
	for _, w := range sorted {
		sum += w / most
		squares += float64((w / most) * (w / most))
	}
	return sum * sum / squares
}
