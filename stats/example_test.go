package stats_test

import (
	"fmt"

	"github.com/assay-eval/assay/stats"
)

func ExampleSummarize() {
	found := make([]float64, 200) // success@10 of 200 queries
	for i := range found {
		if i%5 != 0 {
			found[i] = 1
		}
	}
	s, err := stats.Summarize(found, stats.Design{}, stats.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v by %s\n", s, s.Method)
	// Output:
	// 0.8000 [0.7391, 0.8495] by Wilson
}

func ExampleComparePaired() {
	var candidate, baseline []float64 // nDCG@10 of both on the same 24 queries
	var source []string               // the document each query was made from
	for i := range 24 {
		baseline = append(baseline, float64(i%7)/8)
		candidate = append(candidate, baseline[i]+float64(i%4)*0.05)
		source = append(source, fmt.Sprint("doc-", i/2))
	}
	c, err := stats.ComparePaired(candidate, baseline, stats.Design{Clusters: source}, stats.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+.3f by %s, p = %.4f\n", c.Diff, c.Test, c.P)
	fmt.Printf("%d wins, %d ties, %d losses; a difference of %.3f would be found\n", c.Wins, c.Ties, c.Losses, *c.MDD)
	for _, w := range c.Warnings {
		fmt.Println("warning:", w)
	}
	// Output:
	// +0.075 by paired randomization, exact, p = 0.0005
	// 18 wins, 6 ties, 0 losses; a difference of 0.046 would be found
	// warning: 24 queries come from 12 sources, which are resampled whole: 12 is the number that counts
	// warning: only 12 independent queries (effective): 30 is the least for a verdict, 50 for an interval that keeps its level
}

func ExampleHolm() {
	for _, p := range stats.Holm([]float64{0.010, 0.020, 0.040}) {
		fmt.Printf("%.3f ", p)
	}
	// Output:
	// 0.030 0.040 0.040
}

func ExampleQueriesNeeded() {
	// Differences of nDCG@10 between related systems have a standard deviation of
	// about 0.20; how many queries show a gain of 0.03?
	n, _ := stats.QueriesNeeded(0.03, 0.20, 0.05, 0.80)
	fmt.Println(n)
	// Output:
	// 351
}
