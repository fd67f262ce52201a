package trec

import "math/bits"

// decimalShape is the form of a score: whether it has a sign, how many digits stand before and behind the
// point. What follows from those is kept ready, because there is a score in every line.
type decimalShape struct {
	sign, whole, fraction   int
	width                   int     // of the score
	wholeEnd, fractionEnd   int     // bit of the first byte that is no digit, as marked by notDigits
	wholeLeft, fractionLeft uint    // shift that brings the last digit to the last byte
	pow                     uint64  // 10^fraction
	scale                   float64 // the same
}

// parse reads a score of this form; ok is false if it has another. The value is that of plainDecimal: at
// most 14 digits, exact as an integer, divided once by an exact power of ten.
func (s *decimalShape) parse(data []byte, p int) (x float64, ok bool) {
	if (data[p] == '-') != (s.sign == 1) {
		return 0, false
	}
	p += s.sign
	t := load64(data, p) ^ zeros
	if bits.TrailingZeros64(notDigits(t)) != s.wholeEnd {
		return 0, false
	}
	m := eightDigits(t << (s.wholeLeft & 63))
	p += s.whole
	if s.fraction > 0 {
		t = load64(data, p+1) ^ zeros
		if data[p] != '.' || bits.TrailingZeros64(notDigits(t)) != s.fractionEnd {
			return 0, false
		}
		m = m*s.pow + eightDigits(t<<(s.fractionLeft&63))
		p += 1 + s.fraction
	}
	if !blank(data[p]) {
		return 0, false
	}
	x = float64(int64(m))
	if s.fraction > 0 {
		x /= s.scale
	}
	if s.sign == 1 {
		x = -x
	}
	return x, true
}

// learn parses a score of another form and takes that over. What plainDecimal does not know, and numbers
// that begin or end with the point, are left to the general parser.
func (s *decimalShape) learn(data []byte, p int) (x float64, ok bool) {
	x, end, ok := plainDecimal(data, p)
	if !ok || data[end-1] == '.' {
		return 0, false
	}
	*s = decimalShape{width: end - p}
	if data[p] == '-' {
		s.sign = 1
	}
	for p += s.sign; p < end && data[p] != '.'; p++ {
		s.whole++
	}
	if p < end {
		s.fraction = end - p - 1
	}
	if s.whole == 0 {
		s.wholeEnd = -1 // matches nothing
		return x, true
	}
	s.wholeEnd, s.wholeLeft = min(8*s.whole+7, 64), uint(64-8*s.whole) // 64: all eight bytes are digits
	s.fractionEnd, s.fractionLeft = 8*s.fraction+7, uint(64-8*s.fraction)
	s.scale = pow10[s.fraction]
	s.pow = uint64(s.scale)
	return x, true
}
