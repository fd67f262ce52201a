package chroma

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/assay-eval/assay"
)

// where is a Chroma condition.
type where = map[string]any

// translate turns the neutral filter into Chroma's where; nil gives nil. Chroma has no negation, so Not is
// pushed down to the leaves, where eq and in have opposites that, like Not, let a missing field pass; a
// negated bound has none and is refused, as is exists.
//
// Lists asks for the operators that also look inside a list. In Chroma a list is never equal to a value
// and never in one of several.
func translate(f *assay.Filter, lists bool) (any, error) {
	if f == nil {
		return nil, nil
	}
	return (&translator{lists}).filter(f, false)
}

type translator struct{ lists bool }

func (t *translator) filter(f *assay.Filter, negated bool) (any, error) {
	switch {
	case f.Native != nil:
		if negated {
			return nil, errors.New("not: Chroma cannot negate a native condition")
		}
		return f.Native, nil
	case f.Not != nil:
		return t.filter(f.Not, !negated)
	case f.And != nil:
		return t.list(f.And, negated, !negated)
	case f.Or != nil:
		return t.list(f.Or, negated, negated)
	}
	return t.leaf(f, negated)
}

func (t *translator) list(subs []assay.Filter, negated, and bool) (any, error) {
	var out []any
	for i := range subs {
		w, err := t.filter(&subs[i], negated)
		if err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return join(out, and), nil
}

// join connects conditions; one alone stands for itself.
func join(conditions []any, and bool) any {
	switch {
	case len(conditions) == 1:
		return conditions[0]
	case and:
		return where{"$and": conditions}
	}
	return where{"$or": conditions}
}

func (t *translator) leaf(f *assay.Filter, negated bool) (any, error) {
	var all []any
	add := func(w any, err error) error {
		all = append(all, w)
		return err
	}
	if f.Exists != nil {
		return nil, errors.New("exists: Chroma cannot ask whether a field is there")
	}
	if f.Eq != nil {
		if err := add(t.anyOf(f.Field, []any{f.Eq}, negated)); err != nil {
			return nil, fmt.Errorf("eq: %w", err)
		}
	}
	if f.Ne != nil {
		if err := add(t.anyOf(f.Field, []any{f.Ne}, !negated)); err != nil {
			return nil, fmt.Errorf("ne: %w", err)
		}
	}
	if f.In != nil {
		if err := add(t.anyOf(f.Field, f.In, negated)); err != nil {
			return nil, fmt.Errorf("in: %w", err)
		}
	}
	for _, b := range []struct {
		op    string
		value any
	}{{"gt", f.Gt}, {"gte", f.Gte}, {"lt", f.Lt}, {"lte", f.Lte}} {
		if b.value == nil {
			continue
		}
		if negated {
			return nil, fmt.Errorf("not %s: Chroma's opposite leaves out chunks without the field %q, which not lets pass", b.op, f.Field)
		}
		if err := number(b.value); err != nil {
			return nil, fmt.Errorf("%s: %w", b.op, err)
		}
		all = append(all, where{f.Field: where{"$" + b.op: b.value}})
	}
	return join(all, !negated), nil
}

// anyOf matches a field that is one of the values, or a list that holds one; negated, a field that is none
// and holds none.
func (t *translator) anyOf(field string, values []any, negated bool) (any, error) {
	if len(values) == 0 {
		return nil, errors.New("an empty list matches nothing")
	}
	is, has := "$eq", "$contains"
	if negated {
		is, has = "$ne", "$not_contains"
	}
	var out []any
	for _, v := range values {
		if err := scalar(v); err != nil {
			return nil, err
		}
		out = append(out, where{field: where{is: v}})
		if t.lists {
			for _, v := range spellings(v) {
				out = append(out, where{field: where{has: v}})
			}
		}
	}
	return join(out, negated), nil
}

// spellings are the forms of a value inside a list: there, unlike outside, Chroma tells 1 from 1.0.
func spellings(v any) []any {
	switch v := assay.NormalizeValue(v).(type) {
	case int64:
		if v <= 1<<53 && v >= -(1<<53) {
			return []any{v, json.RawMessage(fmt.Sprintf("%d.0", v))}
		}
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= 1<<53 {
			return []any{int64(v), json.RawMessage(fmt.Sprintf("%d.0", int64(v)))}
		}
	}
	return []any{v}
}

func scalar(v any) error {
	switch v := assay.NormalizeValue(v).(type) {
	case string, bool:
		return nil
	default:
		return number(v)
	}
}

func number(v any) error {
	switch v := assay.NormalizeValue(v).(type) {
	case int64:
		return nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%v is no number to compare with", v)
		}
		return nil
	case uint64:
		return fmt.Errorf("%d is beyond the 64-bit signed integers that Chroma holds", v)
	}
	return fmt.Errorf("Chroma orders numbers, not %v", v)
}
