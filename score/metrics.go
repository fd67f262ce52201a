package score

import "github.com/assay-eval/assay/stats"

// NQueries is the key under which a history record counts the queries that its metrics are means of.
const NQueries = "n_queries"

// Metrics are the means by name, and n_queries: the "metrics" of a history record. A measure that no
// query has is left out, since absent means unknown.
func (s *Scored) Metrics() map[string]float64 {
	out := byName(s.Means)
	out[NQueries] = float64(s.Counts.Scored)
	return out
}

// MetricsRaw are the means by plain chunk ids; nil where there are none.
func (s *Scored) MetricsRaw() map[string]float64 {
	if s.Raw == nil {
		return nil
	}
	return byName(s.Raw)
}

func byName(means []Mean) map[string]float64 {
	out := make(map[string]float64, len(means)+1)
	for _, m := range means {
		if m.Scored > 0 {
			out[m.Measure] = m.Value
		}
	}
	return out
}

// Intervals are the intervals of the means by name.
func (s *Scored) Intervals() map[string]stats.Interval {
	out := map[string]stats.Interval{}
	for _, m := range s.Means {
		if m.Summary != nil {
			out[m.Measure] = m.Summary.Interval
		}
	}
	return out
}
