//go:build !amd64

package exact

func dotOne(out, rows, query []float32, dim int)    { oneGo(out, rows, query, dim) }
func dotFour(out, rows, queries []float32, dim int) { fourGo(out, rows, queries, dim) }
func lanes64(s *[lanes]float64, a, b []float32)     { lanes64Go(s, a, b) }
