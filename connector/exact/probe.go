package exact

import (
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
)

// probe is a query prepared for comparison.
type probe struct {
	vector []float32
	norm   float64
}

// prepare checks a query vector.
func (x *Index) prepare(vector []float32) (probe, error) {
	switch {
	case len(vector) == 0:
		return probe{}, assay.Errorf(assay.KindInvalid, op, "", "the query has no vector, and exact search needs one")
	case len(vector) != x.dim:
		return probe{}, assay.WithHint(
			assay.Errorf(assay.KindInvalid, op, "", "the query vector has %d dimensions, the index %d", len(vector), x.dim),
			"queries and chunks must be embedded with the same model")
	}
	if i := notFinite(vector); i >= 0 {
		return probe{}, assay.Errorf(assay.KindInvalid, op, "", "value %d of the query vector is %v", i+1, vector[i])
	}
	norm := math.Sqrt(dot64(vector, vector))
	if norm == 0 {
		return probe{}, assay.WithHint(
			assay.Errorf(assay.KindInvalid, op, "", "the query vector is all zeros"),
			"the embedding model gave no usable vector for this text; look at its server's log")
	}
	return probe{vector, norm}, nil
}

// score compares a row with the query in double precision. It is finite, and never a negative zero.
func (x *Index) score(p *probe, row int) float64 {
	v := x.row(row)
	switch x.cfg.Distance {
	case connector.Dot:
		return dot64(v, p.vector) + 0
	case connector.Euclid:
		return 0 - math.Sqrt(squares64(v, p.vector))
	case connector.Manhattan:
		return 0 - absolutes64(v, p.vector)
	}
	if x.size[row] == 0 {
		return ZeroVectorScore
	}
	return min(max(dot64(v, p.vector)/(x.size[row]*p.norm)+0, -1), 1)
}

// bar is the condition in single precision that a row must meet to reach a score: its product with the
// query is at least base + slope·size[row]. A row that misses it cannot have the score, however its
// product was rounded; one that meets it must be compared in double precision.
type bar struct{ base, slope float64 }

// everything is the condition that all rows meet.
var everything = bar{base: math.Inf(-1)}

// barFor derives the condition for a score. With e the error bound of a product relative to the norms and
// tiny that of products too small for single precision:
//
//	dot        x·q ≥ s                       product ≥ s − e|x||q| − tiny
//	cosine     x·q ≥ s|x||q|                 product ≥ (s − e)|x||q| − tiny
//	Euclid     |x|² + |q|² − 2x·q ≤ s²       product ≥ (1−e)(|x|² + |q|²)/2 − s²/2 − tiny, as 2|x||q| ≤ |x|² + |q|²
func (x *Index) barFor(p *probe, score float64) bar {
	e, tiny := slack(x.dim), float64(x.dim)*0x1p-148
	if x.largest*p.norm > math.MaxFloat32/4 {
		return everything // a product may not fit in single precision
	}
	switch x.cfg.Distance {
	case connector.Dot:
		return bar{score - tiny, -e * p.norm}
	case connector.Cosine:
		return bar{-tiny, (score - e) * p.norm}
	case connector.Euclid:
		return bar{((1-e)*p.norm*p.norm-(1+e)*score*score)/2 - tiny, (1 - e) / 2}
	}
	return everything // no product says anything about a sum of absolute differences
}

// least is the smallest product that meets the condition for any row of a block, rounded down.
func (b bar) least(in block) float32 {
	need := b.base + min(b.slope*in.low, b.slope*in.high)
	f := float32(need)
	if float64(f) > need {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}
