package main

import (
	"fmt"
	"slices"
	"syscall"
	"time"
)

// cost is what n searches took.
type cost struct {
	wall, processor time.Duration // of this process; the backend is another one
}

// overhead lets the bare client and the run loop take short turns, so that what else the machine does
// falls on both, and prints medians with the middle half.
func overhead(turns int, delay time.Duration) error {
	url, stop, err := backend(delay)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Println("| workers | bare client, queries/s | run loop, queries/s | added | bare client, processor µs | run loop, processor µs |")
	fmt.Println("| --- | --- | --- | --- | --- | --- |")
	for _, workers := range []int{1, 4, 16} {
		n := 250 * workers
		var rate, busy [2][]float64 // of the bare client and of the loop
		var added []float64
		for turn := range turns + 1 {
			var took [2]cost
			for i := range took {
				which := (turn + i) % 2 // who goes first alternates
				search := bare
				if which == 1 {
					search = ours
				}
				if took[which], err = search(url, workers, n); err != nil {
					return err
				}
			}
			if turn == 0 {
				continue // connections and caches are cold
			}
			for i, c := range took {
				rate[i] = append(rate[i], float64(n)/c.wall.Seconds())
				busy[i] = append(busy[i], float64(c.processor.Microseconds())/float64(n))
			}
			added = append(added, 100*(took[1].wall.Seconds()/took[0].wall.Seconds()-1))
		}
		fmt.Printf("| %d | %s | %s | %s %% | %s | %s |\n", workers, middle(rate[0], "%.0f"), middle(rate[1], "%.0f"), middle(added, "%.1f"),
			middle(busy[0], "%.0f"), middle(busy[1], "%.0f"))
	}
	return nil
}

// timed measures one turn.
func timed(do func() error) (cost, error) {
	start, before := time.Now(), processor()
	err := do()
	return cost{time.Since(start), processor() - before}, err
}

// processor is the time that this process has computed so far.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it has no way to fail for the own process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// middle renders the median with the quartiles.
func middle(values []float64, format string) string {
	v := slices.Sorted(slices.Values(values))
	return fmt.Sprintf(format+" ("+format+" to "+format+")", v[len(v)/2], v[len(v)/4], v[3*len(v)/4])
}

// spread renders the median with the range.
func spread(values []float64, format string) string {
	v := slices.Sorted(slices.Values(values))
	return fmt.Sprintf(format+" ("+format+" to "+format+")", v[len(v)/2], v[0], v[len(v)-1])
}
