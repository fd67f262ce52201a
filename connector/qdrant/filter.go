package qdrant

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// clause is a Qdrant filter: all of Must, at least one of Should where there is any, none of MustNot.
type clause struct {
	Must    []any `json:"must,omitempty"`
	Should  []any `json:"should,omitempty"`
	MustNot []any `json:"must_not,omitempty"`
}

// refused makes the error of a filter that this store cannot express.
func refused(where string, err error) error {
	return assay.WithHint(assay.Errorf(assay.KindInvalid, "search", where, "filter: %w", err),
		`write it in Qdrant's own form: {"native": {"must": [...]}}`)
}

// translate turns the neutral filter into Qdrant's; nil gives nil. What Qdrant would understand otherwise
// than the neutral filter says is an error.
func translate(f *assay.Filter) (any, error) {
	if f == nil {
		return nil, nil
	}
	if f.Native != nil {
		return f.Native, nil
	}
	return translateClause(f)
}

func translateClause(f *assay.Filter) (clause, error) {
	var out clause
	switch {
	case f.Native != nil:
		out.Must = []any{f.Native}
	case f.Not != nil:
		c, err := condition(f.Not)
		if err != nil {
			return clause{}, err
		}
		out.MustNot = []any{c}
	case f.Or != nil:
		for i := range f.Or {
			c, err := condition(&f.Or[i])
			if err != nil {
				return clause{}, err
			}
			out.Should = append(out.Should, c)
		}
	case f.And != nil:
		for i := range f.And {
			sub, err := translateClause(&f.And[i])
			if err != nil {
				return clause{}, err
			}
			if sub.Should != nil {
				out.Must = append(out.Must, sub)
				continue
			}
			out.Must, out.MustNot = append(out.Must, sub.Must...), append(out.MustNot, sub.MustNot...)
		}
	default:
		return leaf(f)
	}
	return out, nil
}

// condition is a filter as one condition, for a place inside another.
func condition(f *assay.Filter) (any, error) {
	c, err := translateClause(f)
	if err != nil {
		return nil, err
	}
	if len(c.Must) == 1 && c.Should == nil && c.MustNot == nil {
		return c.Must[0], nil
	}
	return c, nil
}

type keyed struct {
	Key   string         `json:"key"`
	Match map[string]any `json:"match,omitempty"`
	Range map[string]any `json:"range,omitempty"`
}

type empty struct {
	IsEmpty struct {
		Key string `json:"key"`
	} `json:"is_empty"`
}

func leaf(f *assay.Filter) (out clause, err error) {
	key, err := payloadKey(f.Field)
	if err != nil {
		return clause{}, err
	}
	if f.Eq != nil {
		c, err := equal(key, f.Eq)
		if err != nil {
			return clause{}, err
		}
		out.Must = append(out.Must, c)
	}
	if f.Ne != nil {
		c, err := equal(key, f.Ne)
		if err != nil {
			return clause{}, err
		}
		out.MustNot = append(out.MustNot, c)
	}
	if f.In != nil {
		c, err := anyOf(key, f.In)
		if err != nil {
			return clause{}, err
		}
		out.Must = append(out.Must, c)
	}
	bounds, err := bounds(f)
	if err != nil {
		return clause{}, err
	}
	if bounds != nil {
		out.Must = append(out.Must, keyed{Key: key, Range: bounds})
	}
	if f.Exists != nil {
		var e empty
		e.IsEmpty.Key = key
		if *f.Exists {
			out.MustNot = append(out.MustNot, e)
		} else {
			out.Must = append(out.Must, e)
		}
	}
	return out, nil
}

// equal matches one value. Qdrant has no match for fractions; a closed range says the same.
func equal(key string, v any) (any, error) {
	switch v := assay.NormalizeValue(v).(type) {
	case string, bool, int64:
		return keyed{Key: key, Match: map[string]any{"value": v}}, nil
	case float64:
		return keyed{Key: key, Range: map[string]any{"gte": v, "lte": v}}, nil
	case uint64:
		return nil, fmt.Errorf("%d is beyond the 64-bit signed integers that Qdrant matches", v)
	}
	return nil, fmt.Errorf("Qdrant cannot compare with %v", v)
}

// anyOf matches one of several values: one condition when all are texts or all integers, else a list.
func anyOf(key string, values []any) (any, error) {
	if len(values) == 0 {
		return nil, errors.New("in: an empty list matches nothing")
	}
	texts, integers := 0, 0
	list := clause{}
	for i := range values {
		v := assay.NormalizeValue(values[i])
		switch v.(type) {
		case string:
			texts++
		case int64:
			integers++
		}
		c, err := equal(key, v)
		if err != nil {
			return nil, err
		}
		list.Should = append(list.Should, c)
	}
	if texts == len(values) || integers == len(values) {
		return keyed{Key: key, Match: map[string]any{"any": values}}, nil
	}
	return list, nil
}

// maxExact is the largest integer that a float64, in which Qdrant compares ranges, holds exactly.
const maxExact = 1 << 53

// bounds is the range of a leaf: every bound in one condition, so that one value must satisfy them all.
func bounds(f *assay.Filter) (map[string]any, error) {
	var out map[string]any
	dates := 0
	for _, b := range []struct {
		op    string
		value any
	}{{"gt", f.Gt}, {"gte", f.Gte}, {"lt", f.Lt}, {"lte", f.Lte}} {
		if b.value == nil {
			continue
		}
		switch v := assay.NormalizeValue(b.value).(type) {
		case int64:
			if v > maxExact || v < -maxExact {
				return nil, fmt.Errorf("%s: Qdrant compares ranges as float64 and would round %d", b.op, v)
			}
		case float64:
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s: %v is no number to compare with", b.op, v)
			}
		case string:
			if _, err := time.Parse(time.RFC3339, v); err != nil || !strings.HasSuffix(v, "Z") {
				return nil, fmt.Errorf("%s: Qdrant orders numbers and times such as 2024-05-01T00:00:00Z, not the text %q", b.op, v)
			}
			dates++
		default:
			return nil, fmt.Errorf("%s: Qdrant cannot order by %v", b.op, v)
		}
		if out == nil {
			out = map[string]any{}
		}
		out[b.op] = b.value
	}
	if dates > 0 && dates < len(out) {
		return nil, errors.New("the bounds mix numbers and times")
	}
	return out, nil
}

var plainSegment = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// payloadKey writes a dotted path as Qdrant reads it: other than plain segments stand in quotes.
func payloadKey(field string) (string, error) {
	segments := strings.Split(field, ".")
	for i, s := range segments {
		if plainSegment.MatchString(s) {
			continue
		}
		if s == "" || strings.ContainsAny(s, `"\`) {
			return "", fmt.Errorf("the field %q cannot be written as a payload path", field)
		}
		segments[i] = `"` + s + `"`
	}
	return strings.Join(segments, "."), nil
}
