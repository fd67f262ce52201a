package assay

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Filter is the neutral condition on a chunk's metadata that every store is asked in: a tree of And, Or
// and Not over leaves that name a Field. A leaf may hold several operators; all must hold. Native is
// passed through to one particular store unread.
//
// Values are string, bool, int64, uint64 or float64. Fields are dotted paths into the metadata. A field
// whose value is a list matches Eq and In when any element does.
type Filter struct {
	And []Filter
	Or  []Filter
	Not *Filter

	Field            string
	Eq, Ne           any
	In               []any
	Gt, Gte, Lt, Lte any
	Exists           *bool

	Native json.RawMessage
}

// Validate reports the first thing wrong with the filter: its shape, a value that is not a scalar or not
// finite, an empty list (which would match nothing, or everything), or nesting beyond MaxFilterDepth.
func (f *Filter) Validate() error { return f.validate(1) }

// MaxFilterDepth bounds the nesting of and, or and not.
const MaxFilterDepth = 32

func (f *Filter) validate(depth int) error {
	if depth > MaxFilterDepth {
		return fmt.Errorf("filter: nested deeper than %d", MaxFilterDepth)
	}
	shapes := 0
	for _, set := range []bool{f.And != nil, f.Or != nil, f.Not != nil, f.Field != "", f.Native != nil} {
		if set {
			shapes++
		}
	}
	if shapes != 1 {
		return fmt.Errorf("filter: needs exactly one of and, or, not, field, native, has %d", shapes)
	}
	if err := f.validateLeaf(); err != nil {
		return err
	}
	for _, subs := range [][]Filter{f.And, f.Or} {
		if subs != nil && len(subs) == 0 {
			return fmt.Errorf("filter: an empty list of conditions")
		}
		for i := range subs {
			if err := subs[i].validate(depth + 1); err != nil {
				return err
			}
		}
	}
	if f.Not != nil {
		return f.Not.validate(depth + 1)
	}
	return nil
}

func (f *Filter) validateLeaf() error {
	operators := f.In != nil || f.Exists != nil
	for _, o := range []struct {
		name  string
		value any
	}{{"eq", f.Eq}, {"ne", f.Ne}, {"gt", f.Gt}, {"gte", f.Gte}, {"lt", f.Lt}, {"lte", f.Lte}} {
		if o.value == nil {
			continue
		}
		operators = true
		if !isScalar(o.value) {
			return fmt.Errorf("filter: %s: %v is not a string, finite number or boolean", o.name, o.value)
		}
	}
	switch {
	case operators && f.Field == "":
		return fmt.Errorf("filter: an operator without a field")
	case !operators && f.Field != "":
		return fmt.Errorf("filter: field %q has no operator (eq, ne, in, gt, gte, lt, lte, exists)", f.Field)
	case f.In != nil && len(f.In) == 0:
		return fmt.Errorf("filter: field %q: in: an empty list matches nothing", f.Field)
	}
	for _, v := range f.In {
		if !isScalar(v) {
			return fmt.Errorf("filter: in: %v is not a string, finite number or boolean", v)
		}
	}
	return nil
}

func isScalar(v any) bool {
	switch v := NormalizeValue(v).(type) {
	case string, bool, int64, uint64:
		return true
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return false
}

// String is the canonical JSON of the filter; "" for nil.
func (f *Filter) String() string {
	if f == nil {
		return ""
	}
	b, err := f.MarshalJSON()
	if err != nil {
		return "invalid filter: " + err.Error()
	}
	return string(b)
}

// Fields lists the metadata fields the filter reads, sorted, each once.
func (f *Filter) Fields() []string {
	var out []string
	var walk func(*Filter)
	walk = func(f *Filter) {
		if f == nil {
			return
		}
		if f.Field != "" {
			out = append(out, f.Field)
		}
		for i := range f.And {
			walk(&f.And[i])
		}
		for i := range f.Or {
			walk(&f.Or[i])
		}
		walk(f.Not)
	}
	walk(f)
	slices.Sort(out)
	return slices.Compact(out)
}
