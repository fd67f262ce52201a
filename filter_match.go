package assay

import (
	"cmp"
	"encoding/json"
	"math"
	"strings"
)

// Match applies the filter to a chunk's metadata; a nil filter matches everything. A native filter
// belongs to one store and matches nothing here: whoever calls Match refuses it first.
//
// A missing field fails every operator but Ne and Exists false. Values of different types (a string and
// a number) are never equal and never ordered.
func (f *Filter) Match(metadata map[string]any) bool {
	switch {
	case f == nil:
		return true
	case f.Native != nil:
		return false
	case f.Not != nil:
		return !f.Not.Match(metadata)
	case f.And != nil:
		for i := range f.And {
			if !f.And[i].Match(metadata) {
				return false
			}
		}
		return true
	case f.Or != nil:
		for i := range f.Or {
			if f.Or[i].Match(metadata) {
				return true
			}
		}
		return false
	}
	return f.matchLeaf(metadata)
}

func (f *Filter) matchLeaf(metadata map[string]any) bool {
	raw, found := Lookup(metadata, f.Field)
	values := list(raw, found)
	if f.Exists != nil && *f.Exists != (len(values) > 0) {
		return false
	}
	anyValue := func(ok func(any) bool) bool {
		for _, v := range values {
			if ok(v) {
				return true
			}
		}
		return false
	}
	equals := func(want any) func(any) bool {
		return func(v any) bool { c, ok := CompareValues(v, want); return ok && c == 0 }
	}
	if f.Eq != nil && !anyValue(equals(f.Eq)) {
		return false
	}
	if f.Ne != nil && anyValue(equals(f.Ne)) {
		return false
	}
	if f.In != nil && !anyValue(func(v any) bool {
		for _, want := range f.In {
			if equals(want)(v) {
				return true
			}
		}
		return false
	}) {
		return false
	}
	if f.Gt == nil && f.Gte == nil && f.Lt == nil && f.Lte == nil {
		return true
	}
	return anyValue(func(v any) bool {
		return bound(v, f.Gt, func(c int) bool { return c > 0 }) && bound(v, f.Gte, func(c int) bool { return c >= 0 }) &&
			bound(v, f.Lt, func(c int) bool { return c < 0 }) && bound(v, f.Lte, func(c int) bool { return c <= 0 })
	})
}

func bound(v, limit any, ok func(int) bool) bool {
	if limit == nil {
		return true
	}
	c, comparable := CompareValues(v, limit)
	return comparable && ok(c)
}

func list(raw any, found bool) []any {
	if !found || raw == nil {
		return nil
	}
	switch l := raw.(type) {
	case []any:
		return l
	case []string:
		out := make([]any, len(l))
		for i := range l {
			out[i] = l[i]
		}
		return out
	}
	return []any{raw}
}

// Lookup finds a dotted path in metadata. A key that itself holds dots wins over the path, the longest
// first.
func Lookup(metadata map[string]any, path string) (any, bool) {
	if v, ok := metadata[path]; ok {
		return v, true
	}
	for i := strings.LastIndexByte(path, '.'); i >= 0; i = strings.LastIndexByte(path[:i], '.') {
		if sub, ok := metadata[path[:i]].(map[string]any); ok {
			if v, ok := Lookup(sub, path[i+1:]); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// NormalizeValue turns the number types that decoding leaves behind into int64, uint64 (above the
// largest int64) or float64, so that the digits of 64-bit ids survive. Other values are returned as is.
func NormalizeValue(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		var u uint64
		if err := json.Unmarshal([]byte(v), &u); err == nil {
			return u
		}
		f, err := v.Float64()
		if err != nil {
			return string(v)
		}
		return f
	case int:
		return int64(v)
	case int8:
		return int64(v)
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	case uint:
		return normalizeUint(uint64(v))
	case uint8:
		return int64(v)
	case uint16:
		return int64(v)
	case uint32:
		return int64(v)
	case uint64:
		return normalizeUint(v)
	case float32:
		return float64(v)
	}
	return v
}

func normalizeUint(u uint64) any {
	if u <= math.MaxInt64 {
		return int64(u)
	}
	return u
}

// CompareValues orders two scalar metadata values of the same kind (text, number, boolean); ok is false
// when they cannot be compared.
func CompareValues(a, b any) (c int, ok bool) {
	a, b = NormalizeValue(a), NormalizeValue(b)
	switch a := a.(type) {
	case string:
		if b, ok := b.(string); ok {
			return cmp.Compare(a, b), true
		}
	case bool:
		if b, ok := b.(bool); ok {
			switch {
			case a == b:
				return 0, true
			case b:
				return -1, true
			}
			return 1, true
		}
	case int64:
		switch b := b.(type) {
		case int64:
			return cmp.Compare(a, b), true
		case uint64:
			return -1, true // above the largest int64 by NormalizeValue
		case float64:
			return compareInt(a, b), b == b
		}
	case uint64:
		switch b := b.(type) {
		case uint64:
			return cmp.Compare(a, b), true
		case int64:
			return 1, true
		case float64:
			return compareUint(a, b), b == b
		}
	case float64:
		switch b := b.(type) {
		case float64:
			return cmp.Compare(a, b), a == a && b == b
		case int64:
			return -compareInt(b, a), a == a
		case uint64:
			return -compareUint(b, a), a == a
		}
	}
	return 0, false
}

// compareInt compares without turning the integer into a float64, which would round it.
func compareInt(i int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -(1 << 63):
		return 1
	}
	whole := math.Floor(f)
	if c := cmp.Compare(i, int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(whole, f)
}

// compareUint is compareInt for an integer above the largest int64.
func compareUint(u uint64, f float64) int {
	switch {
	case f >= 1<<64:
		return -1
	case f < 1<<63:
		return 1
	}
	return cmp.Compare(u, uint64(f)) // a float64 this large has no fraction
}
