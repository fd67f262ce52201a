package report

import (
	"fmt"
	"math"
)

// drawStages draws, for each stage, its 50th, 95th and 99th percentile on one axis of time. The axis is logarithmic where
// the times span more than a factor of 30, since the tail would push everything else into the corner.
func drawStages(f *Stages) *canvas {
	const left, right, top, bottom, row = 150, 40, 26, 40, 30
	height := float64(top + bottom + row*len(f.Rows))
	c := newCanvas(height)
	lo, hi := math.Inf(1), 0.0
	for i := range f.Rows {
		lo, hi = min(lo, f.Rows[i].P50), max(hi, f.Rows[i].P99)
	}
	if hi <= 0 || math.IsInf(lo, 0) {
		lo, hi = 0, 1
	}
	x := scale{lo: 0, hi: hi, from: left, to: plotWidth - right}
	if lo > 0 && hi/lo > 30 {
		x.log, x.lo, x.hi = true, lo*0.8, hi*1.25
	} else {
		_, x.hi = around(0, hi, 5)
	}
	for _, v := range x.ticks(5) {
		c.line("grid", x.at(v), top, x.at(v), height-bottom)
		c.text("tick", x.at(v), height-bottom+18, "middle", formatTick(v))
	}
	for i := range f.Rows {
		r := &f.Rows[i]
		y := float64(top) + row*(float64(i)+0.5)
		name := r.Name
		if r.System != "" {
			name = cut(r.System) + " " + r.Name
		}
		class := seriesClass(0)
		if r.Name == "total" {
			class = seriesClass(1)
		}
		c.text("label", left-14, y+4, "end", name)
		c.line("whisker "+class, x.at(r.P50), y, x.at(r.P99), y)
		c.dot("dot "+class, x.at(r.P50), y, 5, fmt.Sprintf("%s: half of %d queries take at most %s ms", r.Name, r.N, formatMillis(r.P50)))
		c.dot("ring "+class, x.at(r.P95), y, 4.5, fmt.Sprintf("%s: 95 %% take at most %s ms", r.Name, formatMillis(r.P95)))
		c.line("whisker "+class, x.at(r.P99), y-6, x.at(r.P99), y+6)
	}
	scaleName := "milliseconds"
	if x.log {
		scaleName = "milliseconds, logarithmic"
	}
	c.text("name", (left+plotWidth-right)/2, height-6, "middle", scaleName)
	c.text("name", left, top-10, "start", "● p50   ○ p95   | p99")
	return c
}

// formatTick writes a round time.
func formatTick(ms float64) string {
	if ms >= 1000 {
		return short(ms/1000) + " s"
	}
	return short(ms)
}
