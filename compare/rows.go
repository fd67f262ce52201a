package compare

import (
	"iter"
	"math"
)

// Row is one compared query with the values of every side.
type Row struct {
	Query string `json:"query"`
	Text  string `json:"text,omitempty"`
	// Values holds for each measure, in the order of the tables, the value of each side, in the order of the sides; null
	// where the measure is undefined.
	Values [][]*float64 `json:"values"`
}

// Rows yields the compared queries in byte order of their ids.
func (r *Result) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for i, id := range r.matched.ids {
			row := Row{Query: id, Text: r.in.query(id).Text, Values: make([][]*float64, len(r.in.Measures))}
			for m := range r.in.Measures {
				for side := range r.matched.rows {
					var value *float64
					if v := r.matched.rows[side][i].Values[m]; !math.IsNaN(v) {
						value = &v
					}
					row.Values[m] = append(row.Values[m], value)
				}
			}
			if !yield(row) {
				return
			}
		}
	}
}

// Diffs are the differences B − A of the headline measure of a pair, query by query, in byte order of the ids.
func (r *Result) Diffs(pair int) []float64 {
	c := r.matched.columns(pair+1, 0)
	out := make([]float64, len(c.a))
	for i := range out {
		out[i] = c.b[i] - c.a[i]
	}
	return out
}

// Measures are the names of the measures, in the order of the tables.
func (r *Result) Measures() []string {
	var out []string
	for _, m := range r.in.Measures {
		out = append(out, m.Name())
	}
	return out
}
