package exact

import "golang.org/x/sys/cpu"

// vector says that the processor has the instructions that the assembly uses.
var vector = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// dotOneAVX2 writes the products of n rows with one query over the first dim values, a multiple of 8;
// rows are stride values apart.
//
//go:noescape
func dotOneAVX2(out, rows, query *float32, n, dim, stride int)

// dotFourAVX2 does so for an even number of rows and four queries, stride apart too; the products with
// query j begin at out[j*step].
//
//go:noescape
func dotFourAVX2(out, rows, queries *float32, n, dim, stride, step int)

// lanes64AVX2 adds the products of the first n values, a multiple of 8, to the eight sums.
//
//go:noescape
func lanes64AVX2(s *[lanes]float64, a, b *float32, n int)

func lanes64(s *[lanes]float64, a, b []float32) {
	if !vector || len(a) == 0 {
		lanes64Go(s, a, b)
		return
	}
	_ = b[len(a)-1]
	lanes64AVX2(s, &a[0], &b[0], len(a))
}

func dotOne(out, rows, query []float32, dim int) {
	n := len(out)
	if !vector || n == 0 || dim < 8 {
		oneGo(out, rows, query, dim)
		return
	}
	_, _ = rows[n*dim-1], query[dim-1] // the assembly does not check
	whole := dim &^ 7
	dotOneAVX2(&out[0], &rows[0], &query[0], n, whole, dim)
	addRest(out, rows, query, dim, whole)
}

func dotFour(out, rows, queries []float32, dim int) {
	n := len(out) / group
	if !vector || n == 0 || dim < 8 {
		fourGo(out, rows, queries, dim)
		return
	}
	_, _ = rows[n*dim-1], queries[group*dim-1]
	whole, even := dim&^7, n&^1
	if even > 0 {
		dotFourAVX2(&out[0], &rows[0], &queries[0], even, whole, dim, n)
	}
	for j := range group {
		query := queries[j*dim : (j+1)*dim]
		addRest(out[j*n:j*n+even], rows, query, dim, whole)
		if even < n {
			dotOne(out[j*n+even:(j+1)*n], rows[even*dim:], query, dim)
		}
	}
}

// addRest adds the products of the values from whole on.
func addRest(out, rows, query []float32, dim, whole int) {
	if whole == dim {
		return
	}
	for i := range out {
		out[i] += dot32(rows[i*dim+whole:(i+1)*dim], query[whole:dim])
	}
}
