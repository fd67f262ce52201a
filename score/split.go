package score

import "slices"

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
	out := make([]Split, len(strata))
	for i, st := range strata {
		out[i].Stratum = st
		var rows []*row
		for _, id := range st.Queries {
			j, ok := s.place[id]
			if !ok {
				continue
			}
			r := s.rows[j]
			out[i].Counts.add(r.status)
			if r.status.Scored() {
				rows = append(rows, r)
			}
		}
		slices.SortFunc(rows, byID)
		var err error
		if out[i].Means, err = s.by.means(rows, func(r *row) []float64 { return r.values }); err != nil {
			return nil, err
		}
	}
	return out, nil
}
