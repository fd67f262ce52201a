package generate

import "github.com/assay-eval/assay"

// Measure says how much of its source a query repeats: the longest run of words that also stands in the
// source, and the share of the query's distinct content words that the source holds.
func Measure(query, source string) assay.Leakage {
	q, s := Words(query), Words(source)
	in := map[string]bool{}
	for _, w := range s {
		in[w] = true
	}
	distinct := map[string]bool{}
	shared := 0
	for _, w := range contentWords(query) {
		if !distinct[w] {
			distinct[w] = true
			if in[w] {
				shared++
			}
		}
	}
	l := assay.Leakage{LongestSharedNgram: longestRun(q, s)}
	if len(distinct) > 0 {
		l.ContentCoverage = float64(shared) / float64(len(distinct))
	}
	return l
}

// longestRun is the length of the longest common run of words, by the table of common suffixes kept one
// row at a time: O(len(a)·len(b)) time, O(len(a)) memory.
func longestRun(a, b []string) int {
	row := make([]int, len(a)+1)
	best := 0
	for _, w := range b {
		diagonal := 0
		for i, v := range a {
			up := row[i+1]
			if v == w {
				row[i+1] = diagonal + 1
				best = max(best, row[i+1])
			} else {
				row[i+1] = 0
			}
			diagonal = up
		}
	}
	return best
}
