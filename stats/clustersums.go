package stats

import "slices"

// clusterSums adds values by cluster. Entries without a name stand alone.
type clusterSums struct {
	byName map[string]float64
	alone  []float64
}

func newClusterSums(capacity int) *clusterSums {
	return &clusterSums{byName: map[string]float64{}, alone: make([]float64, 0, capacity)}
}

func (c *clusterSums) add(clusters []string, i int, x float64) {
	if clusters == nil || clusters[i] == "" {
		c.alone = append(c.alone, x)
		return
	}
	c.byName[clusters[i]] += x
}

// squares is the sum of the squared cluster sums, added in ascending order.
func (c *clusterSums) squares() float64 {
	all := slices.Clone(c.alone)
	for _, x := range c.byName {
		all = append(all, x)
	}
	for i, x := range all {
		all[i] = x * x
	}
	return sortedSum(all)
}

// distinct counts the independent entries among n.
func distinct(clusters []string, n int) int {
	if clusters == nil {
		return n
	}
	names, alone := map[string]bool{}, 0
	for _, c := range clusters {
		if c == "" {
			alone++
		} else {
			names[c] = true
		}
	}
	return len(names) + alone
}

// mean adds in ascending order, so that the order of the input cannot show.
func mean(xs []float64) float64 { return sortedSum(slices.Clone(xs)) / float64(len(xs)) }

// covariance divides by n.
func covariance(xs, ys []float64) float64 {
	mx, my := mean(xs), mean(ys)
	products := make([]float64, len(xs))
	for i := range xs {
		products[i] = (xs[i] - mx) * (ys[i] - my)
	}
	return mean(products)
}
