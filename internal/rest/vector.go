package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Vector is an embedding as it comes over the wire. Decoding refuses what encoding/json lets through in
// silence: null, which would become 0, and numbers that are not finite as float32.
type Vector []float32

// UnmarshalJSON reads an array of numbers strictly.
func (v *Vector) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if bytes.Equal(data, []byte("null")) {
		return fmt.Errorf("null where a vector is due")
	}
	if len(data) < 2 || data[0] != '[' {
		return fmt.Errorf("%.20s where a vector is due", data)
	}
	body := bytes.TrimSpace(data[1 : len(data)-1]) // the decoder has checked the syntax
	if len(body) == 0 {
		*v = Vector{}
		return nil
	}
	out := make(Vector, 0, 1+bytes.Count(body, []byte{','}))
	for i := 0; body != nil; i++ {
		var item []byte
		item, body, _ = bytes.Cut(body, []byte{','})
		item = bytes.TrimSpace(item)
		f, err := strconv.ParseFloat(string(item), 32)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return fmt.Errorf("%.20s at position %d of a vector: not a finite number", item, i)
		}
		out = append(out, float32(f))
	}
	*v = out
	return nil
}

// Float is a required finite number: decoding refuses null and numbers beyond float64.
type Float float64

// UnmarshalJSON reads a number strictly.
func (f *Float) UnmarshalJSON(data []byte) error {
	var n *json.Number
	if len(data) > 0 && data[0] == '"' {
		return fmt.Errorf("text %.20s where a number is due", data)
	}
	if err := json.Unmarshal(data, &n); err != nil || n == nil {
		return fmt.Errorf("%.20s where a number is due", data)
	}
	x, err := n.Float64()
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return fmt.Errorf("%.20s is not a finite number", data)
	}
	*f = Float(x)
	return nil
}

// Finite reports whether every component of a vector is a finite number.
func Finite(v []float32) bool {
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
	}
	return true
}
