package label

import (
	"cmp"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
)

// Rater is somebody who grades.
type Rater struct {
	By  assay.Rater `json:"by"`
	Who string      `json:"who,omitempty"`
}

// People stands for all people together: an adjudication where there is one, else the median grade, the lower one on a tie.
var People = Rater{By: assay.ByHuman, Who: "(people)"}

// String is the name under which a rater is shown.
func (r Rater) String() string { return cmp.Or(r.Who, "("+string(r.By)+")") }

// Rating is a grade that one rater gave one item.
type Rating struct {
	Rater
	Query string      // id
	Item  string      // what was graded; equal for equal items of a query
	Grade assay.Grade // 0 to 3
	// P are the probabilities of the grades 0 to 3 that a judge's server told; else nil.
	P []float64
}

// itemKey is one item of one query.
type itemKey struct{ query, item string }

func (k itemKey) compare(o itemKey) int {
	return cmp.Or(cmp.Compare(k.query, o.query), cmp.Compare(k.item, o.item))
}

// sheet is what one rater graded.
type sheet map[itemKey]Rating

// sheets sorts ratings by their rater. Of several ratings of one item by one rater, of twins for instance, the first counts.
func sheets(ratings []Rating) map[Rater]sheet {
	out := map[Rater]sheet{}
	for _, r := range ratings {
		s := out[r.Rater]
		if s == nil {
			s = sheet{}
			out[r.Rater] = s
		}
		key := itemKey{r.Query, r.Item}
		if _, ok := s[key]; !ok {
			s[key] = r
		}
	}
	return out
}

// raters lists whose sheets there are: people, then judges, then what was synthesized; by name.
func raters(sheets map[Rater]sheet) []Rater {
	rank := func(b assay.Rater) int {
		return slices.Index([]assay.Rater{assay.ByHuman, assay.ByJudge, assay.BySynthetic}, b)
	}
	return slices.SortedFunc(maps.Keys(sheets), func(a, b Rater) int {
		return cmp.Or(cmp.Compare(rank(a.By), rank(b.By)), cmp.Compare(a.Who, b.Who))
	})
}

// people is what all people together say.
func people(sheets map[Rater]sheet) sheet {
	grades := map[itemKey][]Rating{}
	settled := sheet{}
	for _, r := range raters(sheets) {
		if r.By != assay.ByHuman {
			continue
		}
		for key, rating := range sheets[r] {
			if r.Who == assay.Adjudicated {
				settled[key] = rating
			} else {
				grades[key] = append(grades[key], rating)
			}
		}
	}
	for key, said := range grades {
		if _, ok := settled[key]; !ok {
			slices.SortStableFunc(said, func(a, b Rating) int { return cmp.Compare(a.Grade, b.Grade) })
			settled[key] = said[(len(said)-1)/2]
		}
	}
	return settled
}

// common lists the items that both graded, in a stable order.
func common(a, b sheet) []itemKey {
	var out []itemKey
	for key := range a {
		if _, ok := b[key]; ok {
			out = append(out, key)
		}
	}
	slices.SortFunc(out, itemKey.compare)
	return out
}

func sortedKeys[V any](m map[itemKey]V) []itemKey {
	return slices.SortedFunc(maps.Keys(m), itemKey.compare)
}
