package main

import (
	"fmt"
	"slices"
	"time"
)

// overhead lets the bare client and the run loop take turns and prints the medians.
func overhead(turns int, delay time.Duration) error {
	url, stop, err := backend(delay)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Printf("| workers | bare client, queries/s | run loop, queries/s | added |\n| --- | --- | --- | --- |\n")
	for _, workers := range []int{1, 4, 16} {
		n := 200 * workers
		var plain, loop, added []float64
		for turn := range turns + 1 {
			a, err := bare(url, workers, n)
			if err != nil {
				return err
			}
			b, err := ours(url, workers, n)
			if err != nil {
				return err
			}
			if turn == 0 {
				continue // connections and caches are cold
			}
			plain, loop = append(plain, float64(n)/a.Seconds()), append(loop, float64(n)/b.Seconds())
			added = append(added, 100*(b.Seconds()/a.Seconds()-1))
		}
		fmt.Printf("| %d | %s | %s | %s %% |\n", workers, spread(plain, "%.0f"), spread(loop, "%.0f"), spread(added, "%.1f"))
	}
	return nil
}

// spread renders the median with the range.
func spread(values []float64, format string) string {
	v := slices.Sorted(slices.Values(values))
	return fmt.Sprintf(format+" ("+format+" to "+format+")", v[len(v)/2], v[0], v[len(v)-1])
}
