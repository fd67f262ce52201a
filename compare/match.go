package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/measure"
)

// matched is the queries that every side has a score for, in byte order of their ids.
type matched struct {
	info Matching
	ids  []string
	rows [][]*Query // rows[side][i] is side's result of ids[i]
}

// sampled is how many ids a message or a Gap shows.
const sampled = 3

// match pairs the sides by query id.
func match(sides []Side) *matched {
	n := len(sides)
	byID := map[string][]*Query{}
	for s := range sides {
		for i := range sides[s].Queries {
			q := &sides[s].Queries[i]
			if byID[q.ID] == nil {
				byID[q.ID] = make([]*Query, n)
			}
			byID[q.ID][s] = q
		}
	}
	ids := make([]string, 0, len(byID))
	for id := range byID {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	m := &matched{rows: make([][]*Query, n)}
	gaps := map[string]*Gap{}
	var order []string
	for _, id := range ids {
		of := byID[id]
		switch {
		case unjudged(of):
			m.info.Unjudged++
		case slices.Contains(of, nil):
			in := namesOf(sides, of)
			key := strings.Join(in, "\x00")
			if gaps[key] == nil {
				gaps[key], order = &Gap{In: in}, append(order, key)
			}
			gaps[key].add(id)
		case slices.ContainsFunc(of, func(q *Query) bool { return !q.Scored() }):
			m.info.Failed++
		default:
			m.ids = append(m.ids, id)
			for s, q := range of {
				m.rows[s] = append(m.rows[s], q)
			}
		}
	}
	m.info.Compared = len(m.ids)
	for _, key := range order {
		m.info.Only = append(m.info.Only, *gaps[key])
	}
	return m
}

// unjudged reports that no side has anything to compare on a query.
func unjudged(of []*Query) bool {
	return !slices.ContainsFunc(of, func(q *Query) bool { return q != nil && q.Outcome != measure.Unjudged })
}

func namesOf(sides []Side, of []*Query) []string {
	var in []string
	for s, q := range of {
		if q != nil {
			in = append(in, sides[s].Name)
		}
	}
	return in
}

func (g *Gap) add(id string) {
	g.Queries++
	if len(g.Sample) < sampled {
		g.Sample = append(g.Sample, id)
	}
}

// String is such as "12 queries are only in docs_v4 (q-1f, q-2a, q-33, …)".
func (g *Gap) String() string {
	more := ""
	if g.Queries > len(g.Sample) {
		more = ", …"
	}
	return fmt.Sprintf("%s only in %s (%s%s)", plural.Count(g.Queries, "query is", "queries are"), strings.Join(g.In, " and "), strings.Join(g.Sample, ", "), more)
}

// allowed reports whether the match may be used: sides with other queries need the person's word.
func (m *matched) allowed(intersection bool) error {
	var gaps []string
	for i := range m.info.Only {
		gaps = append(gaps, m.info.Only[i].String())
	}
	switch {
	case len(m.ids) == 0 && len(gaps) > 0:
		return assay.WithHint(assay.Classify(fmt.Errorf("the runs have no scored query in common: %s", strings.Join(gaps, "; ")), assay.ErrStale),
			"run both on the same test set: `assay run`")
	case len(gaps) > 0 && !intersection:
		return assay.WithHint(assay.Classify(fmt.Errorf("the runs are not over the same queries: %s; %d are in all", strings.Join(gaps, "; "), len(m.ids)), assay.ErrStale),
			"--intersection compares the %d that all have; or run again on the same test set: `assay run`", len(m.ids))
	}
	return nil
}
