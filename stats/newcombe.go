package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// PairedTable counts queries by what two systems with 0/1 scores did on them.
type PairedTable struct{ Both, OnlyA, OnlyB, Neither int }

// N is the number of queries in the table.
func (t PairedTable) N() int { return t.Both + t.OnlyA + t.OnlyB + t.Neither }

// Newcombe returns the interval of the difference of two paired proportions, A − B,
// by method 10 of Newcombe (Statistics in Medicine 1998, 17:2635): the two Wilson
// intervals joined by the correlation φ of the table, which is lowered by a
// continuity correction where it is positive. An empty table gives [−1, 1].
func Newcombe(t PairedTable, confidence float64) Interval {
	n := float64(t.N())
	if n == 0 {
		return Interval{-1, 1}
	}
	z := distuv.UnitNormal.Quantile(0.5 + confidence/2)
	pa, pb := float64(t.Both+t.OnlyA)/n, float64(t.Both+t.OnlyB)/n
	a, b := scoreInterval(pa, n, z), scoreInterval(pb, n, z)
	phi := t.phi()
	half := func(x, y float64) float64 {
		return math.Sqrt(max(0, float64(x*x)+float64(y*y)-float64(2*phi*float64(x*y))))
	}
	diff := float64(t.OnlyA-t.OnlyB) / n
	return Interval{
		diff - half(pa-a.Lo, b.Hi-pb),
		diff + half(a.Hi-pa, pb-b.Lo),
	}.clip(Interval{-1, 1}).around(diff)
}

// phi is the corrected correlation of the table, 0 where a margin is empty.
func (t PairedTable) phi() float64 {
	rows := float64(t.Both+t.OnlyA) * float64(t.OnlyB+t.Neither)
	columns := float64(t.Both+t.OnlyB) * float64(t.OnlyA+t.Neither)
	if rows == 0 || columns == 0 {
		return 0
	}
	cross := float64(t.Both)*float64(t.Neither) - float64(t.OnlyA)*float64(t.OnlyB)
	if cross > 0 {
		cross = max(0, cross-float64(t.N())/2)
	}
	return cross / (math.Sqrt(rows) * math.Sqrt(columns))
}

// pairedTable counts two slices of 0/1 scores.
func pairedTable(a, b []float64) PairedTable {
	var t PairedTable
	for i := range a {
		switch {
		case a[i] == 1 && b[i] == 1:
			t.Both++
		case a[i] == 1:
			t.OnlyA++
		case b[i] == 1:
			t.OnlyB++
		default:
			t.Neither++
		}
	}
	return t
}
