package trec

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
	"unsafe"
)

// pow10 holds the powers of ten up to 10^8, exact in float64.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// plainDecimal parses [-]digits[.digits] at p up to a blank, with at most eight digits before the point and
// seven behind it, in two eight-byte steps. The result is correctly rounded: 14 digits are exact in float64, so is the
// power of ten, and one division rounds once. ok is false for any other form, which the caller leaves to
// the general parser.
func plainDecimal(data []byte, p int) (x float64, end int, ok bool) {
	neg := data[p] == '-'
	if neg {
		p++
	}
	whole, n := leadingDigits(load64(data, p))
	p += n
	value := float64(whole)
	if data[p] == '.' {
		fraction, f := leadingDigits(load64(data, p+1))
		p += 1 + f
		n += f
		scale := pow10[f&15]
		value = (float64(value*scale) + float64(fraction)) / scale
		if f > 7 {
			return 0, p, false
		}
	}
	if n == 0 || n > 14 || !blank(data[p]) {
		return 0, p, false
	}
	if neg {
		value = -value
	}
	return value, p, true
}

const zeros = '0' * lows

// notDigits marks, in its lowest set high bit, the first byte above 9 of t, which is text with zeros taken
// off by exclusive or. Marks above the lowest one may be wrong.
func notDigits(t uint64) uint64 { return (t + 0x76*lows | t) & highs }

// eightDigits is the number that the eight bytes of t, each from 0 to 9, are the digits of, the first digit
// in the lowest byte.
func eightDigits(t uint64) uint64 {
	t = t*10 + t>>8 // two digits in every other byte
	return ((t&0xff000000ff)*(100+1000000<<32) + (t>>16&0xff000000ff)*(1+10000<<32)) >> 32
}

// leadingDigits reads the decimal digits at the beginning (the low end) of w and says how many there are.
func leadingDigits(w uint64) (value uint64, n int) {
	t := w ^ zeros
	n = bits.TrailingZeros64(notDigits(t)) >> 3 // 8 if there is no other byte
	return eightDigits(t << ((64 - 8*n) & 127)), n
}

// strictFloat parses a whole field as a decimal number, infinities included, NaN excluded.
func strictFloat(field []byte) (float64, bool) {
	s := unsafe.String(unsafe.SliceData(field), len(field))
	if strings.ContainsAny(s, "_xXpP") {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, false
	}
	return x, true
}

// CFloat reads a field as C's atof does: the longest beginning that is a number, 0 if there is none.
func CFloat(field []byte) float64 {
	n, hex := cFloatPrefix(field)
	if n == 0 {
		return 0
	}
	s := string(field[:n])
	if hex && !strings.ContainsAny(s, "pP") {
		s += "p0"
	}
	x, _ := strconv.ParseFloat(s, 64) // out of range gives ±Inf or 0, as in C
	return x
}

// cFloatPrefix is the length of the beginning of field that C's strtod would read.
func cFloatPrefix(field []byte) (n int, hex bool) {
	i := 0
	if i < len(field) && (field[i] == '+' || field[i] == '-') {
		i++
	}
	rest := strings.ToLower(string(field[i:min(len(field), i+8)]))
	switch {
	case strings.HasPrefix(rest, "infinity"):
		return i + 8, false
	case strings.HasPrefix(rest, "inf"), strings.HasPrefix(rest, "nan"):
		return i + 3, false
	case strings.HasPrefix(rest, "0x"):
		if n := mantissaEnd(field, i+2, isHex); n > 0 {
			return exponentEnd(field, n, 'p'), true
		}
		return i + 1, false // the 0 before the x
	}
	if n = mantissaEnd(field, i, isDecimal); n == 0 {
		return 0, false
	}
	return exponentEnd(field, n, 'e'), false
}

func isDecimal(c byte) bool { return c-'0' < 10 }
func isHex(c byte) bool     { return c-'0' < 10 || (c|0x20)-'a' < 6 }

// mantissaEnd is the end of digits with at most one point from i on, 0 if there is no digit.
func mantissaEnd(field []byte, i int, digit func(byte) bool) int {
	digits, point := 0, false
	for ; i < len(field); i++ {
		if digit(field[i]) {
			digits++
		} else if field[i] == '.' && !point {
			point = true
		} else {
			break
		}
	}
	if digits == 0 {
		return 0
	}
	return i
}

// exponentEnd is the end of an exponent at i, or i if there is none.
func exponentEnd(field []byte, i int, letter byte) int {
	if i >= len(field) || field[i]|0x20 != letter {
		return i
	}
	j := i + 1
	if j < len(field) && (field[j] == '+' || field[j] == '-') {
		j++
	}
	if j >= len(field) || !isDecimal(field[j]) {
		return i
	}
	for j < len(field) && isDecimal(field[j]) {
		j++
	}
	return j
}

// CInt reads a field as C's atol does: sign and digits, saturating, 0 if there are none.
func CInt(field []byte) int64 {
	i := 0
	if i < len(field) && (field[i] == '+' || field[i] == '-') {
		i++
	}
	j := i
	for j < len(field) && isDecimal(field[j]) {
		j++
	}
	if i == j {
		return 0
	}
	x, _ := strconv.ParseInt(string(field[:j]), 10, 64) // out of range saturates, as in C
	return x
}
