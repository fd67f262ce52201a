package stats

// drawsPerBlock is the number of bootstrap draws that share a random stream.
const drawsPerBlock = 128

// drawUnits draws unit numbers with replacement inside their strata, as many as there
// are units, and hands each draw to a function made by newUse, which is called
// once per goroutine. That function must only touch what belongs to its draw.
func drawUnits(strata []span, draws int, seed uint64, newUse func() func(draw int, units []uint32)) {
	size := strata[len(strata)-1].end
	eachBlock((draws+drawsPerBlock-1)/drawsPerBlock, func() func(int) {
		units, use := make([]uint32, size), newUse()
		return func(block int) {
			src := stream(seed, forBootstrap, block)
			first := block * drawsPerBlock
			for draw := first; draw < min(first+drawsPerBlock, draws); draw++ {
				for _, s := range strata {
					part := units[s.start:s.end]
					fillIndices(src, part, uint32(len(part)))
					if s.start > 0 {
						for i := range part {
							part[i] += uint32(s.start)
						}
					}
				}
				use(draw, units)
			}
		}
	})
}

// resample calls use once per draw with the sum of every column over the drawn
// units. Columns share the draw, which makes further measures cheap.
func resample(columns [][]float64, strata []span, draws int, seed uint64, use func(draw int, sums []float64)) {
	drawUnits(strata, draws, seed, func() func(int, []uint32) {
		sums := make([]float64, len(columns))
		return func(draw int, units []uint32) {
			for j, column := range columns {
				sums[j] = gather(column, units)
			}
			use(draw, sums)
		}
	})
}

// gather sums column over the indices. Four running sums hide the latency of the
// addition; their order is fixed, so the bits of the result are too.
func gather(column []float64, indices []uint32) float64 {
	var a, b, c, d float64
	i := 0
	for ; i+4 <= len(indices); i += 4 {
		k := indices[i : i+4 : i+4]
		a += column[k[0]]
		b += column[k[1]]
		c += column[k[2]]
		d += column[k[3]]
	}
	for ; i < len(indices); i++ {
		a += column[indices[i]]
	}
	return (a + b) + (c + d)
}

// bootstrapMeans returns, for every column, its mean in each of the draws.
func bootstrapMeans(columns []column, draws int, seed uint64) [][]float64 {
	sums := make([][]float64, 0, 2*len(columns))
	for _, c := range columns {
		sums = append(sums, c.num)
	}
	weighted := columns[0].den != nil
	if weighted {
		for _, c := range columns {
			sums = append(sums, c.den)
		}
	}
	means := make([][]float64, len(columns))
	for j := range means {
		means[j] = make([]float64, draws)
	}
	resample(sums, columns[0].strata, draws, seed, func(draw int, sums []float64) {
		for j := range columns {
			mass := columns[j].mass
			if weighted {
				mass = sums[len(columns)+j]
			}
			if mass == 0 { // only units of weight 0 were drawn
				means[j][draw] = columns[j].mean
				continue
			}
			means[j][draw] = sums[j] / mass
		}
	})
	return means
}
