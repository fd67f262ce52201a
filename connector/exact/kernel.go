package exact

// group is the number of queries that the batch kernel compares with a row at a time.
const group = 4

// The kernels are the inner loops. dotOne and dotFour compute products in single precision, fast and with
// an error within slack; rows holds vectors of dim values, one after the other. dotOne sets out[i] to the
// product of row i and the query; dotFour sets out[j*n+i] to that of row i and query j, of n rows and four
// queries. lanes64 adds the products of a and b, whose length is a multiple of lanes, to s as dot64 says.
//
// Each has a plain form here, which is what runs where there is no other.

// lanes64Go is lanes64 in plain code.
func lanes64Go(s *[lanes]float64, a, b []float32) {
	for ; len(a) >= lanes; a, b = a[lanes:], b[lanes:] {
		x, y := (*[lanes]float32)(a), (*[lanes]float32)(b)
		s[0] += float64(x[0]) * float64(y[0])
		s[1] += float64(x[1]) * float64(y[1])
		s[2] += float64(x[2]) * float64(y[2])
		s[3] += float64(x[3]) * float64(y[3])
		s[4] += float64(x[4]) * float64(y[4])
		s[5] += float64(x[5]) * float64(y[5])
		s[6] += float64(x[6]) * float64(y[6])
		s[7] += float64(x[7]) * float64(y[7])
	}
}

// oneGo is dotOne in plain code.
func oneGo(out, rows, query []float32, dim int) {
	for i := range out {
		out[i] = dot32(rows[i*dim:(i+1)*dim], query)
	}
}

// fourGo is dotFour in plain code.
func fourGo(out, rows, queries []float32, dim int) {
	n := len(out) / group
	for j := range group {
		oneGo(out[j*n:(j+1)*n], rows, queries[j*dim:(j+1)*dim], dim)
	}
}

// dot32 adds up in eight chains, so that its error stays within slack.
func dot32(a, b []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	b = b[:len(a)]
	for ; len(a) >= 8; a, b = a[8:], b[8:] {
		x, y := (*[8]float32)(a), (*[8]float32)(b)
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		s4 += x[4] * y[4]
		s5 += x[5] * y[5]
		s6 += x[6] * y[6]
		s7 += x[7] * y[7]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

// slack bounds the error of a kernel relative to the product of the norms: the standard bound for a sum
// (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1) over the longest chain of
// roundings that any kernel has, and the Cauchy-Schwarz inequality. The factor covers the rounding of the
// bounds themselves.
func slack(dim int) float64 {
	const unit = 1.0 / (1 << 24)
	chain := float64(dim/8 + 24) // a chain of eight, its rest, the pairwise sum and the product
	return 1.01 * chain * unit / (1 - chain*unit)
}
