package label

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// Grades is the number of grades of the scale.
const Grades = assay.MaxGrade + 1

// Pair is how far two raters agree, over the items that both graded. Intervals resample queries with all their items.
//
// Where B is a judge, items are weighted so that the share of each of its grades is that among everything it graded: people
// who look at its positives first so do not make it look worse, or better, than it is. Intervals then also hold what so few
// items of a grade cannot show (stats.GradeSample).
type Pair struct {
	A        Rater `json:"a"`
	B        Rater `json:"b"`
	Items    int   `json:"items"`
	Queries  int   `json:"queries"`
	Weighted bool  `json:"weighted,omitempty"` // B's grades were given their share among all that B graded
	Of       int   `json:"of,omitempty"`       // items that B graded in all
	// NEff is how many items without weights tell as much (Kish 1965); 0 where there are no weights. People who look at little
	// of what B calls not relevant, which is most, have few items in effect: the misses among the rest were never drawn.
	NEff float64 `json:"n_eff,omitempty"`
	// Kappa is Cohen's over the four grades, Quadratic weights a disagreement by its square, Binary asks only
	// for relevant (2 or 3) or not. Alpha is Krippendorff's, ordinal.
	Kappa     stats.Agreement `json:"kappa"`
	Quadratic stats.Agreement `json:"kappa_quadratic"`
	Binary    stats.Agreement `json:"kappa_binary"`
	Alpha     stats.Agreement `json:"alpha"`
	// Confusion counts items by the grade of A (row) and of B (column).
	Confusion [Grades][Grades]int `json:"confusion"`
	MeanA     float64             `json:"mean_a"` // mean grades, each item counted once
	MeanB     float64             `json:"mean_b"`
}

// Positives counts the items that B calls relevant, and those of them that A calls so too.
func (p *Pair) Positives() (b, both int) {
	for i := range Grades {
		for j := assay.RelevantGrade; j < Grades; j++ {
			b += p.Confusion[i][j]
			if i >= assay.RelevantGrade {
				both += p.Confusion[i][j]
			}
		}
	}
	return b, both
}

// Counted is how much one rater graded.
type Counted struct {
	Rater
	Items  int         `json:"items"`
	Grades [Grades]int `json:"grades"` // how often each grade was given
	Mean   float64     `json:"mean"`
}

// Agreement is what a set of labels says about those who made it.
type Agreement struct {
	Raters []Counted `json:"raters"`
	Pairs  []Pair    `json:"pairs"` // every two raters with an item in common; people together stand before each judge
	// People is Krippendorff's ordinal alpha over all people at once; nil when no item was graded by two of them.
	People *stats.Agreement `json:"people_alpha,omitempty"`
	Self   []Pair           `json:"self,omitempty"` // raters against themselves, on items that came back unannounced
}

// With finds the pair of all people and a judge.
func (a *Agreement) With(judge string) (Pair, bool) {
	for _, p := range a.Pairs {
		if p.A == People && p.B.Who == judge {
			return p, true
		}
	}
	return Pair{}, false
}

// Repeated is what a rater said of an item at first, and when it came back unannounced.
type Repeated struct{ First, Second Rating }

// Agree compares every rater with every other, and those who were asked something twice with themselves.
func Agree(ratings []Rating, repeats []Repeated, o stats.Options) (*Agreement, error) {
	by := sheets(ratings)
	order := raters(by)
	out := &Agreement{}
	for _, r := range order {
		out.Raters = append(out.Raters, count(r, by[r]))
	}
	add := func(a, b Rater, x, y sheet) error {
		pair, err := compare(a, b, x, y, o)
		if err == nil && pair != nil {
			out.Pairs = append(out.Pairs, *pair)
		}
		return err
	}
	all := people(by)
	for j, b := range order {
		for _, a := range order[:j] {
			if a.By == assay.BySynthetic || b.By == assay.BySynthetic || a.Who == assay.Adjudicated || b.Who == assay.Adjudicated {
				continue // a synthetic label is always a 3, and an adjudicator has seen what the others said
			}
			if err := add(a, b, by[a], by[b]); err != nil {
				return nil, err
			}
		}
		if b.By == assay.ByJudge {
			if err := add(People, b, all, by[b]); err != nil {
				return nil, err
			}
		}
	}
	var first, second []Rating
	for _, r := range repeats {
		first, second = append(first, r.First), append(second, r.Second)
	}
	then, now := sheets(first), sheets(second)
	for _, r := range raters(then) {
		pair, err := compare(r, r, then[r], now[r], o)
		if err != nil {
			return nil, err
		}
		if pair != nil {
			out.Self = append(out.Self, *pair)
		}
	}
	var err error
	out.People, err = peopleAlpha(by, order, o)
	return out, err
}

func count(r Rater, s sheet) Counted {
	c := Counted{Rater: r, Items: len(s)}
	sum := 0
	for _, rating := range s {
		c.Grades[rating.Grade]++
		sum += rating.Grade
	}
	if c.Items > 0 {
		c.Mean = float64(sum) / float64(c.Items)
	}
	return c
}

// compare is nil when the two have no item in common.
func compare(a, b Rater, x, y sheet, o stats.Options) (*Pair, error) {
	keys := common(x, y)
	if len(keys) == 0 {
		return nil, nil
	}
	p := &Pair{A: a, B: b, Items: len(keys)}
	design := stats.Design{Clusters: make([]string, len(keys))}
	one, two := make([]int, len(keys)), make([]int, len(keys))
	both := make([][]float64, len(keys))
	queries := map[string]bool{}
	for i, k := range keys {
		g, h := x[k].Grade, y[k].Grade
		design.Clusters[i] = k.query
		queries[k.query] = true
		one[i], two[i] = g, h
		both[i] = []float64{float64(g), float64(h)}
		p.Confusion[g][h]++
		p.MeanA += float64(g) / float64(len(keys))
		p.MeanB += float64(h) / float64(len(keys))
	}
	p.Queries = len(queries)
	if b.By == assay.ByJudge {
		p.Of = len(y)
		if stratum, size, ok := strata(keys, y); ok {
			p.Weighted = true
			return p, p.sampled(stats.GradeSample{A: one, B: two, Stratum: stratum, Size: size, Clusters: design.Clusters}, o)
		}
	}
	var err error
	if p.Kappa, err = stats.CohenKappa(one, two, stats.Unweighted, design, o); err != nil {
		return nil, err
	}
	if p.Quadratic, err = stats.CohenKappa(one, two, stats.QuadraticWeights, design, o); err != nil {
		return nil, err
	}
	if p.Binary, err = stats.CohenKappa(relevance(one), relevance(two), stats.Unweighted, design, o); err != nil {
		return nil, err
	}
	p.Alpha, err = stats.KrippendorffAlpha(both, stats.OrdinalScale, design, o)
	return p, err
}

// relevance turns grades into relevant (1) or not (0).
func relevance(grades []int) []int {
	out := make([]int, len(grades))
	for i, g := range grades {
		if g >= assay.RelevantGrade {
			out[i] = 1
		}
	}
	return out
}

// peopleAlpha is nil when no two people graded the same item.
func peopleAlpha(by map[Rater]sheet, order []Rater, o stats.Options) (*stats.Agreement, error) {
	said := map[itemKey][]float64{}
	for _, r := range order {
		if r.By != assay.ByHuman || r.Who == assay.Adjudicated {
			continue
		}
		for key, rating := range by[r] {
			said[key] = append(said[key], float64(rating.Grade))
		}
	}
	var items [][]float64
	var clusters []string
	for _, key := range sortedKeys(said) {
		if len(said[key]) > 1 {
			items, clusters = append(items, said[key]), append(clusters, key.query)
		}
	}
	if len(items) == 0 {
		return nil, nil
	}
	a, err := stats.KrippendorffAlpha(items, stats.OrdinalScale, stats.Design{Clusters: clusters}, o)
	if err != nil {
		return nil, fmt.Errorf("agreement of people: %w", err)
	}
	return &a, nil
}
