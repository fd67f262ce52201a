package report

import (
	"fmt"
	"math"
)

// Distribution is how many queries have which score.
type Distribution struct {
	Measure string
	N       int
	Mean    float64
	Bins    []Bin
}

// Bin counts the values above Lo up to and including Hi; where both are equal, those of that value.
type Bin struct {
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
	Count int     `json:"count"`
}

// label names the bin's values.
func (b *Bin) label() string {
	if b.Lo == b.Hi {
		return short(b.Lo)
	}
	return short(b.Lo) + "–" + short(b.Hi)
}

// NewDistribution counts scores in ten bins between lo and hi. Scores that are exactly lo or hi have bins of their own:
// of most measures these are the queries that found nothing and those that could not do better. NaN is left out.
func NewDistribution(measure string, scores []float64, lo, hi float64) *Distribution {
	const steps = 10
	d := &Distribution{Measure: measure, Bins: make([]Bin, steps+2)}
	edge := func(i int) float64 { return lo + (hi-lo)*float64(i)/steps }
	for i := range steps {
		d.Bins[i+1] = Bin{Lo: edge(i), Hi: edge(i + 1)}
	}
	d.Bins[0] = Bin{Lo: lo, Hi: lo}
	d.Bins[steps+1] = Bin{Lo: hi, Hi: hi}
	sum := 0.0
	for _, v := range scores {
		if math.IsNaN(v) {
			continue
		}
		d.N++
		sum += v
		switch {
		case v <= lo:
			d.Bins[0].Count++
		case v >= hi:
			d.Bins[steps+1].Count++
		default:
			i := min(steps, max(1, int(math.Ceil((v-lo)/(hi-lo)*steps-1e-9))))
			d.Bins[i].Count++
		}
	}
	if d.N > 0 {
		d.Mean = sum / float64(d.N)
	}
	return d
}

// Table has a row for each bin.
func (d *Distribution) Table() *Table {
	t := &Table{Caption: "Queries by their " + d.Measure, Columns: Columns(d.Measure, "queries", "share")}
	for i := range d.Bins {
		b := &d.Bins[i]
		t.Add(String(b.label()), Count(b.Count), Share(float64(b.Count)/math.Max(1, float64(d.N))))
	}
	return t
}

func (d *Distribution) alt() string {
	first, last := d.Bins[0], d.Bins[len(d.Bins)-1]
	return fmt.Sprintf("Of %d queries %d have a %s of %s and %d of %s; the mean is %s.",
		d.N, first.Count, d.Measure, short(first.Lo), last.Count, short(last.Hi), fixed(d.Mean))
}
