package score

import (
	"fmt"

	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// Intervals summarises every measure of a set whose summary is an arithmetic mean, over the rows that have
// a value of it; the others are nil. Measures that are defined for the same rows share bootstrap draws,
// and each gets the result it would get alone. design says how the rows of the given indices were drawn;
// nil is an independent sample. The Range of opts is ignored: every measure has its own.
func Intervals(set *measure.Set, rows []measure.Row, design func(index []int) stats.Design, opts stats.Options) ([]*stats.Summary, error) {
	out := make([]*stats.Summary, len(set.Measures()))
	groups := map[string][]int{}
	var order []string
	for i, m := range set.Measures() {
		missing := undefined(rows, i)
		if m.Definition().Average != measure.ArithmeticMean || len(missing) == len(rows) {
			continue
		}
		key := fmt.Sprintf("%v %v", m.Definition().Range, missing)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	for _, key := range order {
		group := groups[key]
		columns := make([][]float64, len(group))
		var index []int
		for c, i := range group {
			columns[c], index = measure.Column(rows, i)
		}
		var d stats.Design
		if design != nil {
			d = design(index)
		}
		opts.Range = stats.Interval{}
		if def := set.Measures()[group[0]].Definition(); def.Bounded() {
			opts.Range = stats.Interval{Lo: def.Range.Min, Hi: def.Range.Max}
		}
		summaries, err := stats.SummarizeAll(columns, d, opts)
		if err != nil {
			return nil, fmt.Errorf("intervals: %w", err)
		}
		for c, i := range group {
			out[i] = &summaries[c]
		}
	}
	return out, nil
}

// undefined lists the rows without a value of measure i.
func undefined(rows []measure.Row, i int) []int {
	var out []int
	for j := range rows {
		if _, ok := rows[j].Value(i); !ok {
			out = append(out, j)
		}
	}
	return out
}
