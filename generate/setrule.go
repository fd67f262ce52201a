package generate

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/words"
)

// SetRule is a filter that looks at the whole set: whether a query may join those that are in it. Queries
// are offered in the order of the sample, one at a time, so that the outcome does not depend on how many
// calls are under way.
type SetRule struct {
	Name string
	// Every makes the rule count every query of the test set; otherwise only those of the same generation.
	Every bool
	Check func(q *assay.Query) (reason string)
	Count func(q *assay.Query) // a query is in the set
}

// maxCovered is the share of a set whose questions may use little but words of their source: Chroma's
// question set has 17 %.
const (
	highCoverage = 0.8
	maxCovered   = 0.15
)

// mixSlack is how far a category may exceed its share.
const mixSlack = 0.05

// SetRules are the rules 6b, 11 and 12 of the chain, for a set of so many queries.
func SetRules(want int, p *Planner) []SetRule {
	rules := []SetRule{duplicates(), covered(want)}
	if p == nil {
		return rules
	}
	for _, m := range p.mixes() {
		rules = append(rules, m.rule(want))
	}
	return rules
}

// covered caps the queries that are made of the words of their source.
func covered(want int) SetRule {
	n, limit := 0, int(math.Ceil(maxCovered*float64(want)))
	is := func(q *assay.Query) bool { return q.Leakage != nil && q.Leakage.ContentCoverage > highCoverage }
	return SetRule{
		Name: "coverage",
		Check: func(q *assay.Query) string {
			if !is(q) || n < limit {
				return ""
			}
			return fmt.Sprintf("%d of %d queries already have more than %.0f %% of their words from their source", n, want, 100*highCoverage)
		},
		Count: func(q *assay.Query) {
			if is(q) {
				n++
			}
		},
	}
}

// mix is a declared distribution of a property of queries.
type mix struct {
	name   string
	shares []Share
	of     func(*assay.Query) string
}

// mixes are the declared ones.
func (p *Planner) mixes() []mix {
	var out []mix
	if len(p.Styles) > 0 {
		out = append(out, mix{"style", p.Styles, styleOf})
	}
	if len(p.Lengths) > 0 {
		out = append(out, mix{"length", p.Lengths, lengthOf})
	}
	if len(p.Topics) > 0 {
		out = append(out, mix{"topic", p.Topics, topicOf})
	}
	if p.Unanswerable > 0 {
		out = append(out, mix{"answerable", p.answerable(), answerableOf})
	}
	return out
}

func (p *Planner) answerable() []Share {
	return []Share{{"yes", 1 - p.Unanswerable}, {"no", p.Unanswerable}}
}

func styleOf(q *assay.Query) string  { return originOf(q).Style }
func topicOf(q *assay.Query) string  { return originOf(q).Topic }
func lengthOf(q *assay.Query) string { return words.Length(len(Words(q.Text))) }

func originOf(q *assay.Query) assay.Origin {
	if q.Origin == nil {
		return assay.Origin{}
	}
	return *q.Origin
}

// rule caps each category at its share and a little more, and refuses what no share is declared for.
func (m mix) rule(want int) SetRule {
	share := map[string]float64{}
	for _, s := range m.shares {
		share[s.Value] = s.Share
	}
	counts := map[string]int{}
	return SetRule{
		Name: "mix",
		Check: func(q *assay.Query) string {
			v := m.of(q)
			if share[v] == 0 || counts[v] >= most(share[v], want) {
				return fmt.Sprintf("%s %q: %d of %d queries are wanted, %d are in the set", m.name, v, int(math.Round(share[v]*float64(want))), want, counts[v])
			}
			return ""
		},
		Count: func(q *assay.Query) { counts[m.of(q)]++ },
	}
}

// most is how many queries of so many may be of a category: its share and five points more. In a small set
// five points are less than one query; the share itself is then rounded up, so that all together suffice.
func most(share float64, want int) int {
	const rounding = 1e-9 // 0.1·30 is 3.0000000000000004
	n := float64(want)
	return int(max(math.Ceil(share*n-rounding), math.Floor((share+mixSlack)*n+rounding)))
}

// Realised is how many queries of a set are of one category.
type Realised struct {
	Mix    string   `json:"mix"` // style, length, topic, language, opening, filter, answerable
	Value  string   `json:"value"`
	Wanted *float64 `json:"wanted,omitempty"` // declared share; absent where none was
	Share  float64  `json:"share"`
	N      int      `json:"n"`
}

// maxOpenings is how many opening words are shown: a set in which most questions begin alike is narrower
// than it looks.
const maxOpenings = 5

// RealisedMix counts what a set of queries is made of, beside what was declared.
func (p *Planner) RealisedMix(queries []assay.Query) []Realised {
	var out []Realised
	declared := map[string][]Share{"style": p.Styles, "length": p.Lengths, "topic": p.Topics}
	if len(p.Filter.Fields) > 0 {
		declared["filter"] = []Share{{"filtered", p.Filter.Share}, {"none", 1 - p.Filter.Share}}
	}
	if p.Unanswerable > 0 {
		declared["answerable"] = p.answerable()
	}
	for _, m := range []mix{
		{"style", nil, styleOf}, {"length", nil, lengthOf}, {"topic", nil, topicOf},
		{"language", nil, func(q *assay.Query) string { return originOf(q).Language }}, {"opening", nil, opening},
		{"filter", nil, filterOf}, {"answerable", nil, answerableOf},
	} {
		rows := count(m, declared[m.name], queries)
		if m.name == "opening" {
			slices.SortStableFunc(rows, func(a, b Realised) int { return b.N - a.N })
			rows = rows[:min(maxOpenings, len(rows))]
		}
		// A property that every query shares, and of which nothing was wanted, is no news.
		if len(rows) > 1 || len(declared[m.name]) > 0 || m.name == "opening" {
			out = append(out, rows...)
		}
	}
	return out
}

// count is one mix: the declared categories first, then what else there is.
func count(m mix, declared []Share, queries []assay.Query) []Realised {
	counts := map[string]int{}
	for i := range queries {
		if v := m.of(&queries[i]); v != "" {
			counts[v]++
		}
	}
	var out []Realised
	row := func(v string, wanted *float64) {
		out = append(out, Realised{m.name, v, wanted, float64(counts[v]) / float64(max(1, len(queries))), counts[v]})
		delete(counts, v)
	}
	for _, s := range declared {
		row(s.Value, &s.Share)
	}
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		row(v, nil)
	}
	return out
}

func opening(q *assay.Query) string {
	if w := Words(q.Text); len(w) > 0 {
		return w[0]
	}
	return ""
}

func filterOf(q *assay.Query) string {
	if q.Filter == nil {
		return "none"
	}
	return "filtered"
}

func answerableOf(q *assay.Query) string {
	if slices.Contains(q.Tags, assay.TagUnanswerable) {
		return "no"
	}
	return "yes"
}
