package trec

import (
	"math"
	"strconv"
	"strings"
	"unsafe"
)

// pow10 holds the powers of ten that are exact in float64.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// plainDecimal parses [-]digits[.digits] at p up to a blank. The result is correctly rounded: digits up
// to 2^53 are exact, so is the power of ten, and one division rounds once. ok is false for any other
// form, which the caller leaves to the general parser.
func plainDecimal(data []byte, p int) (x float64, end int, ok bool) {
	neg := data[p] == '-'
	if neg {
		p++
	}
	mantissa, start, point := uint64(0), p, -1
	for ; ; p++ {
		c := data[p]
		if d := c - '0'; d < 10 {
			mantissa = mantissa*10 + uint64(d)
			continue
		}
		if c == '.' && point < 0 {
			point = p
			continue
		}
		if c != ' ' && !blank(c) {
			return 0, p, false
		}
		break
	}
	digits, fraction := p-start, 0
	if point >= 0 {
		digits--
		fraction = p - point - 1
	}
	if digits == 0 || digits > 19 || mantissa > 1<<53 || fraction > 22 {
		return 0, p, false
	}
	x = float64(mantissa) / pow10[fraction]
	if neg {
		x = -x
	}
	return x, p, true
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
