package score

import (
	"cmp"
	"slices"
)

// Split is a stratum with its means.
type Split struct {
	Stratum
	Counts Counts
	// Means are over the scored queries of the stratum, in the order of the measures, with intervals as for
	// the whole run. Those of few queries are wide, and differences between strata are not tests.
	Means []Mean
}

// Split scores strata of the run apart. Queries of a stratum that the run does not have are left out.
func (s *Scored) Split(strata []Stratum) ([]Split, error) {
	place := make(map[string]int, len(s.Queries))
	for i := range s.Queries {
		place[s.Queries[i].ID] = i
	}
	out := make([]Split, len(strata))
	for i, st := range strata {
		out[i].Stratum = st
		var rows []*Query
		for _, id := range st.Queries {
			j, ok := place[id]
			if !ok {
				continue
			}
			q := &s.Queries[j]
			out[i].Counts.add(q.Status)
			if q.Status.Scored() {
				rows = append(rows, q)
			}
		}
		slices.SortFunc(rows, func(a, b *Query) int { return cmp.Compare(a.ID, b.ID) })
		var err error
		if out[i].Means, err = s.by.means(rows, func(q *Query) []float64 { return q.Values }); err != nil {
			return nil, err
		}
	}
	return out, nil
}
