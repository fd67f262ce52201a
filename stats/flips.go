package stats

import "math/rand/v2"

// flipsPerBlock is the number of sign assignments that share a random stream.
const flipsPerBlock = 512

// subsets holds, for every random sign assignment, what the flipped units add up
// to: the sum of num in sums and the sum of den in mass. The signed total is
// Σnum − 2·sums, so one subset sum says all about its assignment.
type subsets struct{ sums, mass []float64 }

// flip draws sign assignments for all columns at once: unit u of every column gets
// the same sign, so a further column costs one table look-up per eight units.
func flip(columns []column, count int, seed uint64) []subsets {
	out := make([]subsets, len(columns))
	var tables []signTable
	var into [][]float64
	for j := range columns {
		c := &columns[j]
		out[j].sums = make([]float64, count)
		tables, into = append(tables, newSignTable(c.num)), append(into, out[j].sums)
		if c.den == nil && j > 0 {
			out[j].mass = out[0].mass // every unit weighs one: the count is shared
			continue
		}
		out[j].mass = make([]float64, count)
		tables, into = append(tables, newSignTable(c.masses())), append(into, out[j].mass)
	}
	groups := len(tables[0])
	eachBlock((count+flipsPerBlock-1)/flipsPerBlock, func() func(int) {
		var signs [flipsPerBlock]byte
		sums := make([][flipsPerBlock]float64, len(tables))
		return func(block int) {
			src := stream(seed, forFlips, block)
			clear(sums)
			for g := range groups {
				fillSigns(src, &signs)
				for t := range tables {
					tables[t][g].add(&sums[t], &signs)
				}
			}
			first := block * flipsPerBlock
			for t := range tables {
				copy(into[t][first:], sums[t][:])
			}
		}
	})
	return out
}

// signTable holds the 256 subset sums of each group of eight values.
type signTable []octet

type octet [256]float64

func newSignTable(values []float64) signTable {
	table := make(signTable, (len(values)+7)/8)
	for g := range table {
		group := values[8*g : min(8*g+8, len(values))]
		for bit, v := range group {
			for mask := range 1 << bit {
				table[g][mask|1<<bit] = table[g][mask] + v
			}
		}
		for mask := 1 << len(group); mask < 256; mask++ { // bits beyond the last unit add nothing
			table[g][mask] = table[g][mask&(1<<len(group)-1)]
		}
	}
	return table
}

// add adds each assignment's share of the group to its sum.
func (o *octet) add(sums *[flipsPerBlock]float64, signs *[flipsPerBlock]byte) {
	for i, s := range signs {
		sums[i] += o[s]
	}
}

func fillSigns(src *rand.PCG, signs *[flipsPerBlock]byte) {
	for i := 0; i < flipsPerBlock; i += 8 {
		w := src.Uint64()
		for k := range 8 {
			signs[i+k] = byte(w >> (8 * k))
		}
	}
}

// masses is the weight of each unit.
func (c *column) masses() []float64 {
	if c.den != nil {
		return c.den
	}
	ones := make([]float64, len(c.num))
	for u := range ones {
		ones[u] = 1
	}
	return ones
}
