package measure

import "math"

// Outcome is what became of one query of a run.
type Outcome string

// The outcomes. Only scored and empty queries enter a mean; every other is counted beside it.
const (
	Scored   Outcome = "scored"
	Empty    Outcome = "empty"    // nothing was retrieved, or the run does not hold the query: scores 0
	Failed   Outcome = "failed"   // retrieval failed: no score, never 0
	Unjudged Outcome = "unjudged" // the query has no labels: run and counted, not scored
)

// Row is one query's values in the order of a Set's measures. Values is nil for a query that failed or
// has no labels; a NaN in it marks a measure that is undefined for the query.
type Row struct {
	Query   string
	Outcome Outcome
	Why     string // why an empty query is empty, or what failed
	Values  []float64
}

// Value is the i-th value and whether the query has it.
func (r *Row) Value(i int) (v float64, ok bool) {
	if r.Values == nil || math.IsNaN(r.Values[i]) {
		return 0, false
	}
	return r.Values[i], true
}

// Mean is the summary of one measure over the queries of a run, with the counts that say what it is a
// mean of.
type Mean struct {
	Measure string
	Value   float64 // mean, geometric mean or sum, as the definition says; 0 when Scored is 0
	Scored  int     // queries in it, empty ones included
	Empty   int     // of those, the ones that score 0 because nothing was retrieved
	Failed  int     // queries without a ranking
	// Unjudged counts queries without labels, Undefined those whose labels do not define the measure
	// (empty gold). Neither is in the mean.
	Unjudged  int
	Undefined int
}

// Means summarises the rows, one Mean per measure. Rows are added in the order given, left to right; to
// equal trec_eval to the last bit they come in byte order of the query id.
func (s *Set) Means(rows []Row) []Mean {
	means := make([]Mean, len(s.measures))
	for i, m := range s.measures {
		means[i] = mean(m, i, rows)
	}
	return means
}

// Column collects one measure's values over the queries that have one, with their row numbers.
func Column(rows []Row, i int) (values []float64, index []int) {
	values, index = make([]float64, 0, len(rows)), make([]int, 0, len(rows))
	for j := range rows {
		if v, ok := rows[j].Value(i); ok {
			values = append(values, v)
			index = append(index, j)
		}
	}
	return values, index
}

func mean(m Measure, i int, rows []Row) Mean {
	out := Mean{Measure: m.Name()}
	values := make([]float64, 0, len(rows))
	for j := range rows {
		switch rows[j].Outcome {
		case Failed:
			out.Failed++
			continue
		case Unjudged:
			out.Unjudged++
			continue
		}
		v, ok := rows[j].Value(i)
		if !ok {
			out.Undefined++
			continue
		}
		out.Scored++
		if rows[j].Outcome == Empty {
			out.Empty++
		}
		values = append(values, v)
	}
	out.Value = m.Definition().Average.Of(values, len(values))
	return out
}

// Of summarises values over n queries, those without a value counted as 0; n is at least len(values).
// Values are added from left to right and divided once. The mean of nothing is 0.
func (a Average) Of(values []float64, n int) float64 {
	sum := 0.0
	for _, v := range values {
		if a == GeometricMean {
			v = ln(max(v, GeometricFloor))
		}
		sum += v
	}
	switch {
	case a == Sum:
		return sum
	case n == 0:
		return 0
	case a == GeometricMean:
		sum += float64(float64(n-len(values)) * ln(GeometricFloor))
		return exp(sum / float64(n))
	}
	return sum / float64(n)
}
