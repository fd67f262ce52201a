package assay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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

// filterKeys are the JSON keys in canonical order.
var filterKeys = []string{"and", "or", "not", "field", "eq", "ne", "in", "gt", "gte", "lt", "lte", "exists", "native"}

// ParseFilter reads and checks a filter in its JSON form.
func ParseFilter(data []byte) (*Filter, error) {
	f := new(Filter)
	if err := f.UnmarshalJSON(data); err != nil {
		return nil, err
	}
	return f, nil
}

// UnmarshalJSON reads the JSON form strictly: an unknown key, a mixed shape or a value that is not a
// scalar is an error.
func (f *Filter) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var m map[string]json.RawMessage
	if err := dec.Decode(&m); err != nil {
		return fmt.Errorf("filter: %w", err)
	}
	for k := range m {
		if !slices.Contains(filterKeys, k) {
			return fmt.Errorf("filter: unknown key %q (known: %s)", k, strings.Join(filterKeys, ", "))
		}
	}
	*f = Filter{}
	for k, raw := range m {
		if err := f.setKey(k, raw); err != nil {
			return fmt.Errorf("filter: %s: %w", k, err)
		}
	}
	return f.Validate()
}

func (f *Filter) setKey(key string, raw json.RawMessage) (err error) {
	switch key {
	case "and":
		return json.Unmarshal(raw, &f.And)
	case "or":
		return json.Unmarshal(raw, &f.Or)
	case "not":
		return json.Unmarshal(raw, &f.Not)
	case "field":
		return json.Unmarshal(raw, &f.Field)
	case "exists":
		return json.Unmarshal(raw, &f.Exists)
	case "native":
		f.Native = slices.Clone(raw)
		return nil
	case "in":
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return err
		}
		f.In = make([]any, len(list))
		for i := range list {
			if f.In[i], err = scalar(list[i]); err != nil {
				return err
			}
		}
		return nil
	}
	v, err := scalar(raw)
	*map[string]*any{"eq": &f.Eq, "ne": &f.Ne, "gt": &f.Gt, "gte": &f.Gte, "lt": &f.Lt, "lte": &f.Lte}[key] = v
	return err
}

// scalar decodes one filter value, keeping the digits of large integers.
func scalar(raw json.RawMessage) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	switch v := NormalizeValue(v).(type) {
	case string, bool, int64, uint64, float64:
		return v, nil
	}
	return nil, fmt.Errorf("%s is not a string, number or boolean", raw)
}

// Validate reports the first thing wrong with the filter's shape.
func (f *Filter) Validate() error {
	shapes := 0
	for _, set := range []bool{f.And != nil, f.Or != nil, f.Not != nil, f.Field != "", f.Native != nil} {
		if set {
			shapes++
		}
	}
	if shapes != 1 {
		return fmt.Errorf("filter: needs exactly one of and, or, not, field, native, has %d", shapes)
	}
	leafOps := f.Eq != nil || f.Ne != nil || f.In != nil || f.Gt != nil || f.Gte != nil || f.Lt != nil || f.Lte != nil || f.Exists != nil
	if leafOps != (f.Field != "") {
		if f.Field == "" {
			return fmt.Errorf("filter: an operator without a field")
		}
		return fmt.Errorf("filter: field %q has no operator (eq, ne, in, gt, gte, lt, lte, exists)", f.Field)
	}
	for _, subs := range [][]Filter{f.And, f.Or} {
		if subs != nil && len(subs) == 0 {
			return fmt.Errorf("filter: an empty list of conditions")
		}
		for i := range subs {
			if err := subs[i].Validate(); err != nil {
				return err
			}
		}
	}
	if f.Not != nil {
		return f.Not.Validate()
	}
	return nil
}

// MarshalJSON writes the canonical form: keys in one fixed order, so equal filters have equal bytes.
func (f Filter) MarshalJSON() ([]byte, error) {
	values := map[string]any{"eq": f.Eq, "ne": f.Ne, "gt": f.Gt, "gte": f.Gte, "lt": f.Lt, "lte": f.Lte}
	if f.And != nil {
		values["and"] = f.And
	}
	if f.Or != nil {
		values["or"] = f.Or
	}
	if f.Not != nil {
		values["not"] = f.Not
	}
	if f.Field != "" {
		values["field"] = f.Field
	}
	if f.In != nil {
		values["in"] = f.In
	}
	if f.Exists != nil {
		values["exists"] = *f.Exists
	}
	if f.Native != nil {
		values["native"] = f.Native
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for _, k := range filterKeys {
		v := values[k]
		if v == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		raw, err := marshalPlain(v)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", k, raw)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// marshalPlain is json.Marshal without HTML escaping, which would change the bytes of an id.
func marshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
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
