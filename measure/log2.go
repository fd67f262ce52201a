package measure

import (
	"math"
	"sync"
	"sync/atomic"
)

// The discount of rank i is log2(i+1), and the last bit of it decides the last digit of every ndcg.
// math.Log2 differs from C's log2 already at 3 and 6, so discounts come from a table of correctly
// rounded values, except where glibc (2.36, x86-64 with FMA) itself is off by one unit: there the table
// says what glibc says, because that is what every published number was computed with.

// glibcOff lists the integers up to 2^20 whose log2 glibc rounds the wrong way, with the step in units
// in the last place from the correctly rounded value.
var glibcOff = map[int]int{
	1621: 1, 3242: 1, 6484: 1, 12968: 1, 25936: 1, 51872: 1, 57803: 1, 104703: -1, 107177: 1,
	110806: 1, 112705: 1, 143957: 1, 171891: -1, 186767: 1, 209406: -1, 214354: 1, 221612: 1,
	225410: 1, 287914: 1, 343782: -1, 373534: 1, 401433: 1, 418812: -1, 419207: 1, 428708: 1,
	430451: -1, 442387: -1, 443224: 1, 450820: 1, 525507: -1, 567989: 1, 575828: 1, 614807: 1,
	628159: 1, 638189: -1, 687564: -1, 705653: 1, 747043: 1, 747068: 1, 802866: 1, 837624: -1,
	838414: 1, 857416: 1, 860902: -1, 876249: -1, 884774: -1, 886448: 1, 901640: 1, 927217: -1,
}

// logs[i] is log2(i) for i from 1; logs[0] is never used. It only grows, by replacement.
var (
	logs   atomic.Pointer[[]float64]
	logsMu sync.Mutex
)

// log2Table returns a table that holds at least log2(1) … log2(n).
func log2Table(n int) []float64 {
	if p := logs.Load(); p != nil && len(*p) > n {
		return *p
	}
	logsMu.Lock()
	defer logsMu.Unlock()
	if p := logs.Load(); p != nil && len(*p) > n {
		return *p
	}
	size := 1 << 10
	for size <= n {
		size *= 2
	}
	t := computeLog2(size)
	logs.Store(&t)
	return t
}

// log2Int is log2(n) for one integer from 1.
func log2Int(n int) float64 { return log2Table(n)[n] }

// computeLog2 fills a table of log2(i), i < size, size a power of two. Even entries are 1 more than
// their half; odd ones follow from their neighbour below by
//
//	log2(i) = log2(i-1) + 2/ln 2 · atanh(1/(2i-1)),
//
// summed in double-double arithmetic (106 bits), far more than the hardest rounding here needs.
func computeLog2(size int) []float64 {
	exact := make([]dd, size)
	out := make([]float64, size)
	out[0] = math.Inf(-1)
	for i := 2; i < size; i++ {
		if i%2 == 0 {
			exact[i] = exact[i/2].add(dd{1, 0})
		} else {
			x := dd{1, 0}.div(dd{float64(2*i - 1), 0})
			exact[i] = exact[i-1].add(atanh(x).mul(twoOverLn2))
		}
		out[i] = exact[i].hi
		if step := glibcOff[i]; step != 0 {
			out[i] = math.Float64frombits(uint64(int64(math.Float64bits(out[i])) + int64(step)))
		}
	}
	return out
}

// dd is an unevaluated sum hi + lo with |lo| at most half a unit in the last place of hi.
type dd struct{ hi, lo float64 }

// twoOverLn2 is 2/ln 2.
var twoOverLn2 = dd{2.8853900817779268, 4.0710547481862066e-17}

func twoSum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

func (a dd) add(b dd) dd {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = twoSum(s.hi, s.lo+t.hi)
	return twoSum(s.hi, s.lo+t.lo)
}

func (a dd) mul(b dd) dd {
	p := a.hi * b.hi
	e := math.FMA(a.hi, b.hi, -p)
	e += float64(a.hi*b.lo) + float64(a.lo*b.hi)
	return twoSum(p, e)
}

func (a dd) div(b dd) dd {
	q1 := a.hi / b.hi
	r := a.add(b.mul(dd{-q1, 0}))
	q2 := r.hi / b.hi
	r = r.add(b.mul(dd{-q2, 0}))
	return twoSum(q1, q2).add(dd{r.hi / b.hi, 0})
}

// atanh sums x + x³/3 + x⁵/5 + … for 0 < x <= 1/5.
func atanh(x dd) dd {
	square, power, sum := x.mul(x), x, x
	for k := 3; power.hi > 1e-36; k += 2 {
		power = power.mul(square)
		sum = sum.add(power.div(dd{float64(k), 0}))
	}
	return sum
}
