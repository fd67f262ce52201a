package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// top is how many of the best systems are looked at apart: near each other, as those that a person compares.
const top = 10

// report is how sets of one kind agree with the real queries.
type report struct {
	name                 string
	tau, tauTop, lost    []float64
	within               []float64 // tau among systems of one analyzer, the mean over both
	stemmed, comparisons int
}

func (r *report) add(all []system, real []float64, set []query) error {
	got, err := means(all, set)
	if err != nil {
		return err
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	r.tau = append(r.tau, kendall(real, got, order))
	plain, stemmed := analyzers(all)
	r.within = append(r.within, (kendall(real, got, plain)+kendall(real, got, stemmed))/2)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(real[b], real[a]) })
	r.tauTop = append(r.tauTop, kendall(real, got, order[:top]))
	r.lost = append(r.lost, slices.Max(real)-real[best(got)])
	for i, s := range all {
		if s.stemmed {
			r.comparisons++
			if got[i] > got[s.twin] {
				r.stemmed++
			}
		}
	}
	return nil
}

func (r *report) print() {
	fmt.Printf("| %s | %s | %s | %s | %.0f %% | %.4f (to %.4f) |\n", r.name, spread(r.tau), spread(r.within), spread(r.tauTop),
		100*float64(r.stemmed)/float64(r.comparisons), median(r.lost), slices.Max(r.lost))
}

// analyzers are the systems without stemming and those with it.
func analyzers(all []system) (plain, stemmed []int) {
	for i, s := range all {
		if s.stemmed {
			stemmed = append(stemmed, i)
		} else {
			plain = append(plain, i)
		}
	}
	return plain, stemmed
}

// kendall is tau-b over some of the systems: concordant less discordant pairs, over the geometric mean of the
// pairs that are not tied in either (Kendall 1945).
func kendall(x, y []float64, of []int) float64 {
	var sum, untiedX, untiedY float64
	for i, a := range of {
		for _, b := range of[:i] {
			dx, dy := sign(x[a]-x[b]), sign(y[a]-y[b])
			sum += dx * dy
			untiedX += dx * dx
			untiedY += dy * dy
		}
	}
	if untiedX == 0 || untiedY == 0 {
		return 0
	}
	return sum / math.Sqrt(untiedX*untiedY)
}

func sign(v float64) float64 {
	switch {
	case v > 1e-12:
		return 1
	case v < -1e-12:
		return -1
	}
	return 0
}

func best(values []float64) int  { return slices.Index(values, slices.Max(values)) }
func worst(values []float64) int { return slices.Index(values, slices.Min(values)) }

func median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	return v[len(v)/2]
}

// spread renders the median with the range.
func spread(values []float64) string {
	return fmt.Sprintf("%.2f (%.2f to %.2f)", median(values), slices.Min(values), slices.Max(values))
}
